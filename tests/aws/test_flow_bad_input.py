"""What an installation on AWS says when something around it is missing, wrong, too large or comes again."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import boto3
import pytest

from tests.aws.accidents import refused_calls
from tests.aws.flows import SCOTT, Flows, open_flows
from tests.rigs.aws_ports import aws_server
from webordinary.child import run
from webordinary.engines.aws.clients import AwsSettings, open_clients
from webordinary.engines.aws.flow.events import ses_notification
from webordinary.engines.aws.flow.handlers import open_here
from webordinary.errors import Misconfigured
from webordinary.jobs.job import Outcome
from webordinary.routing.lane import Lane
from webordinary_local_aws.flow import s3_event
from webordinary_local_aws.server import ACCOUNT

if TYPE_CHECKING:
    from pathlib import Path

SCOTTS = Lane("amelia", "scott")
BUCKET = f"webordinary-ses-emails-{ACCOUNT}"


@pytest.fixture
def flows() -> Flows:
    return open_flows()


def test_a_missing_table_is_named_with_what_to_do(flows: Flows) -> None:
    flows.local.clients.dynamodb.delete_table(TableName=flows.local.names.records)
    with pytest.raises(RuntimeError, match=rf"Misconfigured: the table {flows.local.names.records} does not exist"):
        flows.write()


def test_a_missing_flow_is_named_and_the_mail_is_safe_all_the_same(flows: Flows) -> None:
    flows.local.clients.states.delete_state_machine(stateMachineArn=flows.local.machine)
    with pytest.raises(RuntimeError, match=r"Misconfigured: the state machine .*email-processor does not exist"):
        flows.write()
    (kept,) = flows.engine.overview.mails()
    assert kept.state == "received"


def test_missing_queues_cost_time_and_nothing_else(flows: Flows) -> None:
    names = flows.local.names
    for name in (names.unclaimed, names.input(SCOTTS), names.interrupts(SCOTTS), names.dead_letters(SCOTTS)):
        flows.local.clients.sqs.delete_queue(QueueUrl=flows.local.clients.queue_url(name))
    flows.write()
    flows.work()

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert "Told" in flows.states()
    assert len(flows.letters()) == 1


def test_in_another_region_nothing_is_found_and_the_region_is_suspected(flows: Flows) -> None:
    session = boto3.Session(aws_access_key_id="local", aws_secret_access_key="local", region_name="us-east-1")
    clients = open_clients(AwsSettings(endpoint=aws_server().endpoint, account=ACCOUNT), session)
    here = open_here(flows.local.config, clients)
    event = s3_event(here.mails.aws.inbox.bucket, "a.eml")
    with pytest.raises(Misconfigured, match="does not exist: check prefix and region"):
        here.mails.receive(event)


def test_without_credentials_one_sentence_says_so(tmp_path: Path) -> None:
    told = call_as_lambda(tmp_path, s3_event(BUCKET, "k"))
    assert told.splitlines()[-1].startswith("Misconfigured: AWS cannot be used")
    assert told.rstrip().endswith("check credentials and region")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ExpiredTokenException", "the session token has expired: get new credentials"),
        ("UnrecognizedClientException", "the access key is not known: check the credentials"),
        ("AccessDeniedException", "the role may not do this"),
    ],
)
def test_credentials_that_are_refused_are_no_riddle(flows: Flows, code: str, said: str) -> None:
    with (
        refused_calls(flows.local.clients.dynamodb, "TransactWriteItems", 400, code),
        pytest.raises(RuntimeError, match=f"Misconfigured: AWS refused .*: {said}"),
    ):
        flows.write()


@pytest.mark.thorough
def test_aws_that_is_too_busy_is_asked_again_by_whoever_called(flows: Flows) -> None:
    code = "ProvisionedThroughputExceededException"
    with (
        refused_calls(flows.local.clients.dynamodb, "TransactWriteItems", 400, code),
        pytest.raises(RuntimeError, match="TryAgain"),
    ):
        flows.write()


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"Records": None},
        {"Records": [{"Sns": {"Message": "no JSON"}}]},
        {"Records": [{"Sns": {"Message": "{}"}}]},
        {"Records": [{"Sns": {"Message": "[1]"}}]},
        {"Records": [{"s3": {"object": {}}}]},
        {"Records": ["poison"]},
    ],
)
def test_an_event_that_tells_of_no_mail_is_refused_in_one_sentence(flows: Flows, event: dict[str, Any]) -> None:
    with pytest.raises(RuntimeError, match="Refused: this event tells of no mail"):
        flows.local.invoke("intake", event)


def test_what_we_put_into_the_bucket_ourselves_is_no_mail(flows: Flows) -> None:
    assert flows.local.invoke("intake", s3_event(flows.local.bucket, "kept/steps/mail-1/wanted.json")) == {"mails": []}


def test_an_event_of_another_bucket_is_no_mail_of_ours(flows: Flows) -> None:
    with pytest.raises(RuntimeError, match="Misconfigured: the event is about the bucket somebody-elses"):
        flows.local.invoke("intake", s3_event("somebody-elses", "a.eml"))


def test_a_mail_whose_object_is_gone_is_refused_and_nobody_comes_back_to_it(flows: Flows) -> None:
    told = ses_notification(
        flows.local.bucket, "gone", sender=SCOTT, recipients=[f"amelia@{flows.local.config.domain}"], verdict="PASS"
    )
    (mail,) = flows.local.invoke("intake", told)["mails"]

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.states()[-1] == "Refused"
    known = flows.engine.overview.mail(mail)
    assert known is not None
    assert (known.state, known.reason) == ("decided", f"the text of {mail} is no longer kept")


@pytest.mark.thorough
def test_a_mail_of_39_megabytes_is_refused_with_an_answer(flows: Flows) -> None:
    photo = os.urandom(1024) * 1024 * 28
    mail = flows.write("A large photo", files=[("large.bin", "application/octet-stream", photo)])

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.states()[-1] == "Refused"
    known = flows.engine.overview.mail(mail)
    assert known is not None
    assert "larger than 25 MB" in (known.reason or "")
    assert len(flows.letters()) == 1
    assert flows.engine.overview.jobs() == []


def test_a_mail_to_a_project_that_does_not_exist_ends_there(flows: Flows) -> None:
    flows.write(to=f"nobody@{flows.local.config.domain}", sender="eve@elsewhere.example")

    assert flows.outcome()["status"] == "SUCCEEDED"
    assert flows.states()[-1] == "Refused"
    assert flows.letters() == []


def test_a_project_that_leaves_while_its_mail_is_on_the_way_is_no_accident(flows: Flows) -> None:
    real = flows.local.real("rate-limited-claim")

    def then_leave(event: dict[str, str]) -> object:
        told = real(event)
        flows.local.clients.dynamodb.delete_item(TableName=flows.local.names.projects, Key={"id": {"S": "amelia"}})
        return told

    flows.local.replace("rate-limited-claim", then_leave)
    flows.write()
    flows.waits_for_queued()

    assert flows.job().lane == SCOTTS


def test_an_execution_for_a_job_that_nobody_knows_fails_and_leaves_a_dead_letter(flows: Flows) -> None:
    flows.begin("made-up", job="job-unknown")

    end = flows.outcome()
    assert (end["status"], end["error"]) == ("FAILED", "GaveUp")
    assert len(flows.dead_letters()) == 1


def test_an_event_that_comes_again_after_the_end_changes_nothing(flows: Flows) -> None:
    first = flows.write(key="my mail+1.eml")
    flows.work()
    flows.outcome()
    again = flows.local.invoke("intake", s3_event(flows.local.bucket, "my mail+1.eml"))

    assert again == {"mails": [first]}
    assert len(flows.local.executions()) == 1
    assert flows.job().outcome == Outcome.PUBLISHED
    assert len(flows.letters()) == 1


def call_as_lambda(folder: Path, event: dict[str, Any]) -> str:
    """Call a handler in a process of its own that knows nothing but its variables, and return what it raises."""
    words = f"""
from webordinary.engines.aws.flow.handlers.intake import handler
try:
    handler({event!r}, None)
except Exception as said:
    print(f"{{type(said).__name__}}: {{said}}")
"""
    env = {
        "PATH": os.environ["PATH"],
        "WEBORDINARY_DOMAIN": "edit.example.com",
        "WEBORDINARY_ENGINE": "aws",
        "AWS_REGION": "eu-central-1",
        "AWS_ACCOUNT_ID": ACCOUNT,
        "AWS_ENDPOINT_URL": aws_server().endpoint,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "HOME": str(folder),
    }
    finished = run([sys.executable, "-c", words], cwd=folder, env=env)
    assert finished.succeeded, finished.stderr.decode()
    return finished.stdout.decode()
