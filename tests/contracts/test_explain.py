"""What `explain-mail` says of a mail: each step with its words, the place it would have, and nothing changes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_admission import BOSS, DOMAIN, SCOTT
from tests.contracts.test_one_word import DONE, Desk
from webordinary.intake import Intake
from webordinary.intake.explain import Explained, Explanation
from webordinary.intake.trust import MailLimits, Trust
from webordinary.mail.identity.judge import Judge
from webordinary.mail.inbox import Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import OPERATOR, Vouch
from webordinary.testing.dns import Zone
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

pytestmark = [pytest.mark.one_engine, pytest.mark.above_the_store]

TO = f"amelia@{DOMAIN}"
STRANGER = "eve@example.net"


@pytest.fixture
def desk(ports: Ports) -> Desk:
    return Desk(ports)


def explained(
    desk: Desk,
    text: str,
    *,
    who: str = SCOTT,
    to: str = TO,
    vouched: bool = True,
    method: str = OPERATOR,
    limits: MailLimits | None = None,
    headers: dict[str, str] | None = None,
    raw: bytes | None = None,
    answers: str | None = None,
) -> Explained:
    now = desk.ports.now
    trust = Trust(Judge(Zone(), DOMAIN), BOSS, limits or MailLimits())
    intake = Intake(desk.ports.engine, DOMAIN, desk.ports.clock, desk.ports.limits, trust=trust)
    mail = raw or write_mail(
        sender=who,
        to=to,
        text=text,
        subject="Hours",
        message_id="<explained@phone.example>",
        in_reply_to=answers,
        written_at=now.wall_at,
    )
    for name, value in (headers or {}).items():
        mail = f"{name}: {value}\r\n".encode() + mail
    envelope = Envelope("deliver", (to,), vouch=Vouch(who, method) if vouched else None)
    return Explanation(intake).explain(mail, envelope, now.wall_at)


def steps(found: Explained) -> list[str]:
    """Return the steps without the reasons below them."""
    return [step for step in found.steps if not step.startswith("  ")]


def test_a_request_is_told_with_its_sender_its_place_and_its_words(desk: Desk) -> None:
    found = explained(desk, "We open at nine.")
    assert steps(found) == [
        f"Read: “Hours” from {SCOTT}, 17 letters, 0 files.",
        f"Sender: {SCOTT} is verified (operator).",
        "Place: the lane amelia#scott, a new thread.",
        "Words: We open at nine.",
        "Outcome: queued.",
    ]
    assert [step for step in found.steps if step.startswith("  ")]
    assert (found.lane, found.thread, found.instruction) == ("amelia#scott", "new", "We open at nine.")
    assert (found.decision.sender, found.decision.subject, found.decision.project) == (SCOTT, "Hours", "amelia")
    assert found.decision.judged is not None
    assert desk.ports.engine.overview.jobs() == []


def test_a_reply_is_told_with_the_thread_that_it_goes_on_in(desk: Desk) -> None:
    desk.says("We open at nine.")
    done = desk.ends(DONE, commit="aaa")
    key = desk.ports.engine.reply_keys.current()
    to = key.reply_address(DOMAIN, project="amelia", thread=done.thread, to=SCOTT, now=desk.ports.now.wall_at)
    found = explained(desk, "And at ten on Sundays.", to=to)
    assert steps(found)[2].startswith(f"Place: the lane amelia#scott, thread {done.thread}, found by ")
    assert (found.lane, found.thread) == ("amelia#scott", done.thread)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("status", "Outcome: answered, because the verb status."),
        ("", "Outcome: refused, because the mail has no text. The answer would be “refused_empty”."),
    ],
)
def test_what_becomes_no_job_is_told_with_its_reason_and_its_answer(desk: Desk, text: str, outcome: str) -> None:
    found = explained(desk, text)
    assert steps(found)[-2:] == [f"Words: {text or '(none)'}", outcome]
    assert found.decision.project == "amelia"


def test_a_doubtful_reply_to_a_proposal_is_told_as_a_question(desk: Desk) -> None:
    proposed = desk.proposes()
    key = desk.ports.engine.reply_keys.current()
    to = key.reply_address(DOMAIN, project="amelia", thread=proposed.thread, to=SCOTT, now=desk.ports.now.wall_at)
    found = explained(desk, "Hm", to=to, answers=f"<webordinary.{proposed.id}.answer@{DOMAIN}>")
    assert found.steps[-1] == "Outcome: answered, because it is neither a clear yes nor a clear no."


def test_long_words_are_cut_and_counted(desk: Desk) -> None:
    assert f"Words: {'x' * 600}" in explained(desk, "x" * 600).steps
    assert f"Words: {'x' * 600}… (601 letters)" in explained(desk, "x" * 601).steps


def test_a_mail_that_is_too_large_is_not_even_read(desk: Desk) -> None:
    largest = 25 * 1024 * 1024
    found = explained(desk, "", raw=b"x" * (largest + 1))
    assert found.steps == ("Outcome: refused, because the mail is larger than 25 MB.",)
    assert found.decision.outcome is MailOutcome.REFUSED


def test_a_mail_without_names_is_from_nobody(desk: Desk) -> None:
    found = explained(desk, "", raw=b"To: amelia@edit.example\r\n\r\nHello there\r\n", vouched=False)
    assert found.steps[0] == "Read: “(no subject)” from nobody, 12 letters, 0 files."
    assert any(step.startswith("Sender: nobody is unverified") for step in found.steps)
    assert found.lane is None


def test_an_automatic_mail_belongs_to_no_lane(desk: Desk) -> None:
    found = explained(desk, "I am away.", headers={"Auto-Submitted": "auto-replied"})
    assert found.decision.outcome is MailOutcome.AUTOMATIC
    assert (found.lane, found.thread, found.instruction) == (None, None, "I am away.")
    assert found.decision.sender == SCOTT


def test_an_editor_who_cannot_be_verified_would_be_asked_in_their_lane(desk: Desk) -> None:
    found = explained(desk, "We open at nine.", vouched=False)
    assert found.decision.outcome is MailOutcome.HELD
    assert (found.lane, found.thread, found.instruction) == ("amelia#scott", None, "We open at nine.")


def test_a_stranger_has_no_lane(desk: Desk) -> None:
    found = explained(desk, "We open at nine.", who=STRANGER)
    assert (found.decision.outcome, found.lane, found.decision.sender) == (MailOutcome.STRANGER, None, STRANGER)


def test_a_mail_that_is_known_would_be_repeated(desk: Desk) -> None:
    trust = Trust(Judge(Zone(), DOMAIN), BOSS, MailLimits())
    intake = Intake(desk.ports.engine, DOMAIN, desk.ports.clock, desk.ports.limits, trust=trust)
    raw = write_mail(
        sender=SCOTT,
        to=TO,
        text="Nine.",
        subject="Hours",
        message_id="<1@phone.example>",
        written_at=desk.ports.now.wall_at,
    )
    mail = intake.receive(raw, Envelope("deliver", (TO,), vouch=Vouch(SCOTT, OPERATOR))).mail
    intake.decide(mail)
    found = explained(desk, "", raw=raw)
    assert found.decision.outcome is MailOutcome.REPEATED
    assert found.decision.reason == f"the same mail is already {mail}"


def test_one_mail_too_many_would_be_limited(desk: Desk) -> None:
    limits = replace(MailLimits(), sender_an_hour=0)
    found = explained(desk, "We open at nine.", limits=limits, method="login")
    assert found.decision.outcome is MailOutcome.LIMITED
    assert found.decision.reason == "there were more than 0 mails of this person in an hour"


@pytest.mark.parametrize(
    ("limits", "said", "until"),
    [
        (MailLimits(sender_an_hour=0), "of this person in an hour", "next hour"),
        (MailLimits(project_a_day=0), "for this project in a day", "next day"),
    ],
)
def test_a_limit_holds_until_the_full_hour_or_the_end_of_the_day(
    desk: Desk, limits: MailLimits, said: str, until: str
) -> None:
    desk.ports.clock.advance(timedelta(minutes=37, seconds=12))
    found = explained(desk, "We open at nine.", limits=limits, method="login").decision
    hour = desk.ports.now.wall_at.hour + 1
    assert found.facts == {"until": f"{hour % 24:02}:00" if until == "next hour" else "00:00"}
    assert found.reason == f"there were more than 0 mails {said}"
