"""Every kind of message that Amazon sends to our topics, functions and queues, as its documentation shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.aws.flows import SCOTT, Flows, open_flows
from webordinary.engines.aws.flow.events import arrivals
from webordinary.engines.aws.flow.functions import FUNCTIONS
from webordinary.engines.aws.flow.notices import returned_mails
from webordinary.engines.aws.sqs.wakeups import is_call, is_for_owner, lane_called_for
from webordinary.testing.mail import write_mail
from webordinary_local_aws.server import ACCOUNT

MESSAGES = Path(__file__).parent / "messages"
BUCKET = f"webordinary-ses-emails-{ACCOUNT}"
RECIPIENT = "recipient@example.org"
# Which objects hold a mail, and who heard nothing of ours, for good or for now; all others say nothing to us.
MAILS = {
    "ses-received": ["arrived/o3vrnil0e2ic28trm7dfhrc2v0clambda4nbp0g1"],
    "ses-received-with-cut-headers": ["arrived/cut0e2ic28trm7dfhrc2v0clambda4nbp0g1"],
    "s3-object-created": ["replay/my mail+1.eml"],
    "s3-object-created-by-sns": ["replay/by-topic.eml"],
}
RETURNED = {
    "ses-bounce": [(RECIPIENT, True)],
    "ses-bounce-for-a-while": [(RECIPIENT, False)],
    "ses-bounce-of-an-identity": [(RECIPIENT, True)],
    "ses-complaint": [(RECIPIENT, True)],
}
NOT_FOR_INTAKE = {"eventbridge-schedule", "sns-notification-in-a-queue"}
KINDS = sorted(path.stem for path in MESSAGES.glob("*.json"))


def message(kind: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((MESSAGES / f"{kind}.json").read_text(encoding="utf-8"))
    return told


@pytest.fixture(scope="module")
def flows() -> Flows:
    return open_flows()


def test_every_kind_that_somebody_may_send_is_recorded() -> None:
    told = {"bounce", "click", "complaint", "delivery", "delivery-delay", "open", "reject", "rendering-failure", "send"}
    assert {f"ses-{kind}" for kind in (*told, "subscription")} <= set(KINDS)
    assert {"s3-test-event", "sns-subscription-confirmation", *MAILS, *RETURNED, *NOT_FOR_INTAKE} <= set(KINDS)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - NOT_FOR_INTAKE))
def test_a_message_means_what_it_says_and_nothing_else(kind: str) -> None:
    event = message(kind)
    assert [arrived.key for arrived in arrivals(event)] == MAILS.get(kind, [])
    assert {arrived.bucket for arrived in arrivals(event)} <= {BUCKET}
    assert [(each.address, each.is_for_good) for each in returned_mails(event)] == RETURNED.get(kind, [])


def test_no_message_breaks_intake_so_that_a_first_deployment_is_quiet(flows: Flows) -> None:
    raw = write_mail(sender=SCOTT, to=f"amelia@{flows.local.config.domain}", text="We open at nine now")
    for key in (key for keys in MAILS.values() for key in keys):
        flows.local.put(key, raw)
    for kind in sorted(set(KINDS) - NOT_FOR_INTAKE):
        event = json.loads(json.dumps(message(kind)).replace(BUCKET, flows.local.bucket))
        assert len(flows.local.invoke("intake", event)["mails"]) == len(MAILS.get(kind, []))
    flows.local.invoke("sweep", message("eventbridge-schedule"))

    # What a function refuses is an alarm, and then a dead letter.
    assert [failure for failure in flows.local.failures if failure.startswith(("intake", "sweep"))] == []


def test_who_wrote_is_read_from_the_message_and_from_the_mail_where_it_is_cut() -> None:
    (whole,) = arrivals(message("ses-received"))
    (cut,) = arrivals(message("ses-received-with-cut-headers"))
    assert whole.authors == ("Scott <scott@example.org>",)
    assert cut.authors is None
    assert (whole.envelope.verdicts["dmarcVerdict"], cut.envelope.verdicts["dmarcPolicy"]) == ("PASS", "reject")


def test_what_a_topic_would_put_into_a_queue_of_ours_is_taken_for_no_call() -> None:
    for kind in ("sns-notification-in-a-queue", "s3-test-event", "eventbridge-schedule"):
        body = json.dumps(message(kind))
        assert (is_call(body), is_for_owner(body), lane_called_for(body)) == (False, False, None)


def test_only_the_sweep_is_called_by_a_clock() -> None:
    assert [function.name for function in FUNCTIONS if function.every is not None] == ["sweep"]
