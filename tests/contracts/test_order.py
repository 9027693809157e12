"""On every engine the mails of one person are decided in the order of their arrival, whoever decides them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.pictures import photo
from webordinary.errors import TryAgain
from webordinary.intake import Intake
from webordinary.jobs.job import State
from webordinary.mail.inbox import Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import Vouch
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job

SCOTT, MARIA = "scott@example.org", "maria@example.org"
TO = "amelia@edit.example.com"
ASKED = "<asked@phone.example.org>"
TRUSTED = Vouch(None, "trusted local submission")
PHOTO = ("oven.jpg", "image/jpeg", photo())


class Post:
    """People write to Amelia's bakery; nothing is decided before the test says so."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self.intake = Intake(ports.engine, "edit.example.com", ports.clock, ports.limits)

    def brings(self, text: str, *, sender: str = SCOTT, mail_from: str = SCOTT, files: int = 0) -> str:
        """Take a mail in; `stop` answers what was asked for."""
        is_stop = text == "stop"
        raw = write_mail(
            sender=sender,
            to=TO,
            text=text,
            message_id=None if is_stop else ASKED,
            in_reply_to=ASKED if is_stop else None,
            files=(PHOTO,) * files,
        )
        mail = self.intake.receive(raw, Envelope("smtp", (TO,), mail_from, vouch=TRUSTED)).mail
        self.ports.clock.advance(timedelta(milliseconds=1))
        return mail

    def breaks(self, mail: str, problem: Exception, broken: pytest.MonkeyPatch) -> None:
        """Let nobody read one mail from now on."""
        inbox, read = self.ports.engine.inbox, self.ports.engine.inbox.read

        def break_or_read(each: str) -> bytes:
            if each == mail:
                raise problem
            return read(each)

        broken.setattr(type(inbox), "read", lambda _, each: break_or_read(each))

    def outcome(self, mail: str) -> MailOutcome | None:
        view = self.ports.engine.overview.mail(mail)
        assert view is not None
        return view.outcome

    def jobs(self) -> list[Job]:
        return list(self.ports.engine.overview.jobs())


@pytest.fixture
def post(ports: Ports) -> Post:
    return Post(ports)


@pytest.mark.parametrize("files", [0, 1])
def test_a_stop_ends_what_was_asked_for_before_it_also_if_nobody_had_looked_at_that_yet(post: Post, files: int) -> None:
    asked, stop = post.brings("We open at nine.", files=files), post.brings("stop")
    decision = post.intake.decide(stop)
    assert decision is not None
    assert (decision.outcome, decision.answer) == (MailOutcome.ANSWERED, None)
    assert [job.state for job in post.jobs()] == [State.STOPPED]
    post.intake.decide(asked)
    assert post.outcome(asked) == MailOutcome.QUEUED
    assert [job.state for job in post.jobs()] == [State.STOPPED]


def test_reading_a_mail_decides_those_before_it_too(post: Post) -> None:
    asked, stop = post.brings("We open at nine."), post.brings("stop")
    post.intake.read(stop)
    assert (post.outcome(asked), post.outcome(stop)) == (MailOutcome.QUEUED, MailOutcome.ANSWERED)
    assert [job.state for job in post.jobs()] == [State.STOPPED]


def test_files_are_prepared_behind_the_decision_by_whoever_is_told_to(post: Post) -> None:
    later: list[Callable[[], object]] = []
    intake = replace(post.intake, aside=later.append)
    asked = post.brings("We open at nine.", files=1)
    decision = intake.decide(asked)
    (job,) = post.jobs()
    assert decision is not None
    assert (decision.outcome, decision.job, job.state) == (MailOutcome.QUEUED, job.id, State.PREPARING)
    second = intake.decide(post.brings("And we close at six.", sender=MARIA, mail_from=MARIA))
    assert second is not None
    (prepare,) = later
    prepare()
    assert (post.ports.job(job.id).state, post.outcome(asked)) == (State.QUEUED, MailOutcome.QUEUED)
    assert len(post.ports.job(job.id).request.attachments) == 1


def test_files_that_nobody_came_to_prepare_are_prepared_by_the_sweep(post: Post) -> None:
    asked = post.brings("We open at nine.", files=1)
    replace(post.intake, aside=lambda _: None).decide(asked)
    post.ports.clock.advance(post.ports.limits.undecided_after)
    assert post.intake.decide_forgotten() == 1
    (job,) = post.jobs()
    assert (job.state, len(job.request.attachments), post.outcome(asked)) == (State.QUEUED, 1, MailOutcome.QUEUED)


def test_a_mail_waits_for_an_older_one_that_was_put_off_and_not_for_ever(post: Post) -> None:
    asked = post.brings("We open at nine.")
    post.ports.engine.inbox.put_off(asked, post.ports.now.wall_at + timedelta(hours=1))
    stop = post.brings("stop")
    decision = post.intake.decide(stop)
    assert decision is not None
    assert (decision.outcome, decision.reason) == (
        MailOutcome.UNDECIDED,
        f"it waits for {asked}, which its author wrote before it",
    )
    assert post.outcome(stop) is None
    waiting = post.ports.engine.inbox.find(stop)
    assert waiting is not None
    assert waiting.due_at == waiting.received_at + post.ports.limits.overtake_after
    post.ports.clock.advance(post.ports.limits.overtake_after + post.ports.limits.undecided_after)
    assert post.intake.decide_forgotten() == 1
    assert (post.outcome(asked), post.outcome(stop)) == (None, MailOutcome.ANSWERED)


def test_a_mail_that_waited_is_decided_behind_the_older_one(post: Post) -> None:
    asked = post.brings("We open at nine.")
    post.ports.engine.inbox.put_off(asked, post.ports.now.wall_at + timedelta(minutes=2))
    stop = post.brings("stop")
    post.intake.decide(stop)
    first, second = (post.ports.engine.inbox.find(each) for each in (asked, stop))
    assert first is not None
    assert second is not None
    assert second.due_at == first.due_at
    post.ports.clock.advance(timedelta(minutes=3))
    post.intake.decide_forgotten()
    assert (post.outcome(asked), post.outcome(stop)) == (MailOutcome.QUEUED, MailOutcome.ANSWERED)
    assert [job.state for job in post.jobs()] == [State.STOPPED]


def test_a_mail_that_can_never_be_decided_holds_its_author_up_for_minutes_only(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    poisoned, asked = post.brings("Poison."), post.brings("stop")
    post.breaks(poisoned, TryAgain("the disk cannot be read"), monkeypatch)
    assert getattr(post.intake.decide(asked), "outcome", None) == MailOutcome.UNDECIDED
    post.ports.clock.advance(post.ports.limits.overtake_after)
    assert getattr(post.intake.decide(asked), "outcome", None) == MailOutcome.ANSWERED
    assert post.outcome(poisoned) is None


def test_a_mail_that_breaks_its_reader_is_held_and_holds_nobody_up(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    poisoned, asked = post.brings("Poison."), post.brings("stop")
    post.breaks(poisoned, ZeroDivisionError("a bug of ours"), monkeypatch)
    post.intake.decide(asked)
    assert (post.outcome(poisoned), post.outcome(asked)) == (MailOutcome.HELD, MailOutcome.ANSWERED)


def test_nobody_waits_for_another_persons_mail_nor_for_one_that_was_forged_elsewhere(post: Post) -> None:
    for mail in (post.brings("Hello.", sender=MARIA), post.brings("Hello.", mail_from="scott@elsewhere.example")):
        post.ports.engine.inbox.put_off(mail, post.ports.now.wall_at + timedelta(hours=1))
    decision = post.intake.decide(post.brings("We open at nine."))
    assert decision is not None
    assert decision.outcome == MailOutcome.QUEUED


def test_requests_of_one_person_stand_in_the_lane_as_they_came(post: Post) -> None:
    texts = [f"We open at {hour} o'clock." for hour in range(1, 6)]
    for text in texts:
        raw = write_mail(sender=SCOTT, to=TO, text=text)
        last = post.intake.receive(raw, Envelope("smtp", (TO,), SCOTT, vouch=TRUSTED)).mail
        post.ports.clock.advance(timedelta(milliseconds=1))
    post.intake.decide(last)
    assert [job.request.text for job in sorted(post.jobs(), key=lambda job: job.sequence)] == texts
