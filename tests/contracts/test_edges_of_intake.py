"""The edges of the intake: what a late word may end, what makes two mails one request, what a refusal tells."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_admission import BAKERY, BOSS, DOMAIN, ELSEWHERE, SCOTT, Office
from tests.contracts.test_explain import explained
from tests.contracts.test_one_word import DONE, MARIA, Desk
from tests.contracts.test_stopping import plans, standing
from tests.rigs.embedded_ports import AMELIA
from webordinary.errors import Refused
from webordinary.intake import Intake, NewRequest
from webordinary.intake.explain import Explanation
from webordinary.intake.new_job import ask_for, dedup_key, roll_back
from webordinary.intake.trust import MailLimits, Trust
from webordinary.jobs.about import rollback_to
from webordinary.jobs.figures import VERDICT
from webordinary.jobs.job import Kind
from webordinary.jobs.proposals import Standing
from webordinary.mail.identity.judge import Judge
from webordinary.mail.inbox import Envelope
from webordinary.mail.message import Attachment
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.parse import parse_message
from webordinary.mail.sender import OPERATOR, Sender, Verdict, Vouch
from webordinary.routing.lane import Lane
from webordinary.testing.dns import Zone
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job
    from webordinary.mail.inbox import Decision

pytestmark = [pytest.mark.one_engine, pytest.mark.above_the_store]


@pytest.fixture
def desk(ports: Ports) -> Desk:
    return Desk(ports)


@pytest.fixture
def office(ports: Ports) -> Office:
    return Office(ports)


def laid_aside(desk: Desk, text: str, to: Job, who: str = MARIA) -> str:
    """Take in a reply of somebody that is not decided yet."""
    key, now = desk.ports.engine.reply_keys.current(), desk.ports.now.wall_at
    address = key.reply_address(DOMAIN, project="amelia", thread=to.thread, to=who, now=now)
    raw = write_mail(
        sender=who, to=address, text=text, subject="Re: x", message_id="<late@phone.example>", written_at=now
    )
    kept = intake_of(desk).receive(raw, Envelope("deliver", (address,), vouch=Vouch(who, OPERATOR)))
    desk.ports.clock.advance(timedelta(seconds=1))
    return kept.mail


def intake_of(desk: Desk) -> Intake:
    trust = Trust(Judge(Zone(), DOMAIN), BOSS, MailLimits(thread_a_day=100))
    return Intake(desk.ports.engine, DOMAIN, desk.ports.clock, desk.ports.limits, trust=trust)


def planned_jobs(desk: Desk) -> list[str]:
    return [plan.job for plan in desk.ports.engine.schedules.all()]


def test_a_stop_that_came_before_a_plan_was_asked_for_leaves_it(desk: Desk) -> None:
    first = plans(desk)
    stop = laid_aside(desk, "stop", first)
    later = plans(desk, to=first, subject="Open late")
    intake_of(desk).decide(stop)
    assert planned_jobs(desk) == [later.id]


def test_a_stop_that_came_before_a_proposal_was_asked_for_leaves_it(desk: Desk) -> None:
    desk.says("We open at nine.")
    first = desk.ends(DONE, commit="aaa")
    stop = laid_aside(desk, "stop", first)
    later = desk.proposes(to=first)
    intake_of(desk).decide(stop)
    assert standing(desk, later) is Standing.OPEN


def test_a_stop_on_the_mail_of_a_proposal_that_is_over_ends_what_still_waits(desk: Desk) -> None:
    proposed = desk.proposes()
    planned = plans(desk, to=proposed)
    desk.says("stop", to=proposed)
    assert (standing(desk, proposed), planned_jobs(desk)) == (Standing.WITHDRAWN, [planned.id])
    desk.says("stop", to=proposed)
    assert planned_jobs(desk) == []


def test_who_may_only_approve_is_told_of_which_site(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    project = replace(AMELIA, rules=replace(AMELIA.rules, approvers=("chef@example.org",)))
    known = type(office.ports.engine.projects)
    monkeypatch.setattr(known, "all", lambda _: (project,))
    monkeypatch.setattr(known, "find", lambda _, name: project if name == "amelia" else None)
    office.send(message_id="<first@phone.example>")
    asks = office.send("We open at ten.", sender="chef@example.org", in_reply_to="<first@phone.example>")
    assert (asks.answer, asks.facts) == ("not_an_editor", {"site": AMELIA.name})


def test_a_repeated_mail_is_told_with_its_sender_and_its_job(office: Office) -> None:
    first = office.send(message_id="<1@x>")
    again = office.send(message_id="<1@x>", text="We open at nine. ")
    assert (again.outcome, again.sender, again.project, again.job) == ("repeated", SCOTT, "amelia", first.job)
    assert again.judged is not None
    assert again.judged.verdict is Verdict.VERIFIED


def test_a_request_that_another_mail_has_made_is_a_repetition(office: Office) -> None:
    wanted = office.intake.read(office.receive())
    assert isinstance(wanted, NewRequest)
    first = office.intake.accept(wanted)
    other = replace(wanted, job=replace(wanted.job, id="job-0000000000ff", mail="mail-2", thread="other"))
    again = office.intake.accept(other)
    assert (first.outcome, first.thread) == (MailOutcome.QUEUED, wanted.job.thread)
    assert (again.outcome, again.job, again.thread) == (MailOutcome.REPEATED, first.job, None)
    assert str(first.job) in again.reason
    told = [entry.facts[VERDICT] for entry in office.ports.engine.trail.read(job=first.job) if VERDICT in entry.facts]
    assert told == ["verified"]


def test_a_mail_that_can_never_be_read_is_refused_with_the_reason(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = office.receive()

    def refuse(*_: object) -> bytes:
        raise Refused("it is gone")

    monkeypatch.setattr(type(office.ports.engine.inbox), "read", refuse)
    found = office.intake.read_or_refuse(mail)
    assert not isinstance(found, NewRequest)
    assert found is not None
    assert (found.outcome, found.reason) == (MailOutcome.REFUSED, "it is gone")
    (known,) = office.ports.engine.overview.mails()
    assert known.outcome == MailOutcome.REFUSED


def test_a_mail_that_is_not_taken_is_told_with_the_thread_of_its_envelope(desk: Desk) -> None:
    desk.says("We open at nine.")
    done = desk.ends(DONE, commit="aaa")
    key, now = desk.ports.engine.reply_keys.current(), desk.ports.now.wall_at
    address = key.reply_address(DOMAIN, project="amelia", thread=done.thread, to=SCOTT, now=now)
    raw = write_mail(sender=SCOTT, to=BAKERY, text="And at ten.", subject="Hours", message_id="<1@x>", written_at=now)
    found = explained(desk, "", to=address, raw=raw, vouched=False)
    assert (found.decision.outcome, found.thread, found.lane) == (MailOutcome.HELD, done.thread, "amelia#scott")


def test_mails_without_an_id_are_one_request_only_with_the_same_files() -> None:
    message = replace(
        parse_message(b"From: scott@example.org\r\nSubject: Photo\r\n\r\nPut it there.\r\n"), message_id=None
    )
    sender = Sender(SCOTT, Verdict.VERIFIED, "spf", "", proves_id=False)
    editor = AMELIA.editors[0]
    keys = {
        dedup_key(AMELIA, editor, replace(message, attachments=files), sender)
        for files in ((), (Attachment("a.jpg", "image/jpeg", b"1"),), (Attachment("a.jpg", "image/jpeg", b"2"),))
    }
    assert len(keys) == 3
    assert dedup_key(AMELIA, editor, message, replace(sender, mark="signed")) == f"mail:amelia:{editor.address}:signed"
    with_id = replace(message, message_id="1@x")
    assert dedup_key(AMELIA, editor, with_id, replace(sender, proves_id=True)) == f"mail:amelia:{editor.address}:1@x"
    assert dedup_key(AMELIA, editor, with_id, sender) == dedup_key(AMELIA, editor, message, sender)


def test_what_is_asked_for_without_a_mail_is_a_job_of_its_editor(ports: Ports) -> None:
    editor = AMELIA.editors[0]
    job = ask_for(AMELIA, editor, f"\n{'We open at nine. ' * 9}\nThanks", ports.clock)
    assert (job.lane, job.kind, job.received_at) == (Lane("amelia", editor.user), Kind.ASKED, ports.now.wall_at)
    assert (job.subject, job.dedup_key) == (("We open at nine. " * 9)[:80], f"asked:{job.id}")
    assert job.request.text.endswith("Thanks")
    assert (job.mail, job.about) == (None, None)
    assert ask_for(AMELIA, editor, " \n", ports.clock).subject == ""


def test_going_back_to_a_release_is_a_job_of_the_first_editor(ports: Ports) -> None:
    commit = "0123456789abcdef"
    job = roll_back(AMELIA, commit, "anna", ports.clock)
    assert (job.lane, job.kind, job.received_at) == (Lane("amelia", "scott"), Kind.VERB, ports.now.wall_at)
    assert (job.subject, job.about) == ("Roll back to 0123456789ab, asked for by anna", rollback_to(commit))
    assert (job.dedup_key, job.request.text) == (f"rollback:{job.id}", "")
    with pytest.raises(Refused, match="has no editor"):
        roll_back(replace(AMELIA, editors=()), commit, "anna", ports.clock)


def test_a_yes_to_a_question_is_explained_as_the_confirmation_that_it_would_be(office: Office) -> None:
    held = office.hold()
    to = office.confirm_address(held)

    def explain(text: str) -> Decision:
        now = office.ports.now.wall_at
        raw = write_mail(sender=SCOTT, to=to, text=text, message_id="<yes@phone.example>", written_at=now)
        return Explanation(office.intake).explain(raw, Envelope("smtp", (to,), SCOTT, ELSEWHERE), now).decision

    told = explain("yes")
    assert (told.outcome, told.reason) == (MailOutcome.CONFIRMED, f"it confirms {held}")
    assert (told.sender, told.project) == (SCOTT, "amelia")
    assert explain("What is this about?").outcome is MailOutcome.ANSWERED
    office.send("yes", to=to, peer=ELSEWHERE)
    told = explain("yes")
    assert (told.outcome, told.reason) == (MailOutcome.ANSWERED, f"it confirms {held}, which is over")
