"""What every engine promises about the lists that pages show: filters, pages, counts and what waits."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import DONE, take
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.mail.inbox import Decision, Envelope
from webordinary.mail.outcomes import MailOutcome
from webordinary.overview.filters import Count, JobsAsked, LeftAsked, MailsAsked

if TYPE_CHECKING:
    from datetime import datetime

    from tests.rigs.ports import Ports
    from webordinary.overview import MailView
    from webordinary.overview.filters import FoundPage

ASKED = replace(DONE, outcome=Outcome.ASKED)


@pytest.fixture
def moments(ports: Ports) -> dict[str, datetime]:
    """Queue five jobs an hour apart in two projects, and return when each came."""
    at = {}
    for number in range(5):
        lane = "shop#jane" if number % 2 else "bakery#scott"
        job = ports.queue(lane=lane, thread=f"t{number}", reply_to=f"{lane.partition('#')[2]}@example.org")
        at[job] = ports.now.wall_at
        ports.clock.advance(timedelta(hours=1))
    return at


def jobs(ports: Ports, asked: JobsAsked, after: str | None = None, limit: int = 100) -> list[str]:
    return [job.id for job in ports.engine.overview.find_jobs(asked, after=after, limit=limit).items]


def end(ports: Ports, ending: Ending = DONE) -> str:
    claim, job = take(ports)
    ports.engine.attempts.finish(claim, job, ending, ports.now)
    ports.engine.claims.give_back(claim, ports.now)
    return job.id


def test_jobs_are_found_by_project_lane_and_sender(ports: Ports, moments: dict[str, datetime]) -> None:
    first, second, third, fourth, fifth = moments
    assert jobs(ports, JobsAsked()) == [fifth, fourth, third, second, first]
    assert jobs(ports, JobsAsked(projects=("shop",))) == [fourth, second]
    assert jobs(ports, JobsAsked(projects=("shop", "bakery", "nowhere"))) == [fifth, fourth, third, second, first]
    assert jobs(ports, JobsAsked(projects=())) == []
    assert jobs(ports, JobsAsked(lane="bakery#scott")) == [fifth, third, first]
    assert jobs(ports, JobsAsked(lane="bakery#scott", projects=("shop",))) == []
    assert jobs(ports, JobsAsked(sender="JANE@")) == [fourth, second]


def test_jobs_are_found_by_their_time(ports: Ports, moments: dict[str, datetime]) -> None:
    first, second, third, fourth, fifth = moments
    assert jobs(ports, JobsAsked(since=moments[third])) == [fifth, fourth, third]
    assert jobs(ports, JobsAsked(until=moments[third])) == [second, first]
    assert jobs(ports, JobsAsked(since=moments[second], until=moments[fourth], projects=("bakery",))) == [third]


def test_jobs_are_found_by_state_and_outcome(ports: Ports, moments: dict[str, datetime]) -> None:
    failed = end(ports, type(DONE)(State.FAILED, error="no"))
    done = end(ports)
    assert jobs(ports, JobsAsked(state=State.FAILED)) == [failed]
    assert jobs(ports, JobsAsked(outcome=DONE.outcome)) == [done]
    waiting = [job for job in reversed(moments) if job not in {failed, done}]
    assert jobs(ports, JobsAsked(state=State.QUEUED)) == waiting
    assert jobs(ports, JobsAsked(state=State.QUEUED, projects=("nowhere",))) == []


@pytest.mark.parametrize("asked", [JobsAsked(), JobsAsked(state=State.QUEUED), JobsAsked(projects=("shop", "bakery"))])
def test_pages_of_jobs_follow_each_other(ports: Ports, moments: dict[str, datetime], asked: JobsAsked) -> None:
    seen: list[str] = []
    page = ports.engine.overview.find_jobs(asked, limit=2)
    while True:
        seen += [job.id for job in page.items]
        if page.after is None:
            break
        page = ports.engine.overview.find_jobs(asked, after=page.after, limit=2)
    assert seen == list(reversed(moments))


def decided(ports: Ports, sender: str, decision: Decision) -> str:
    envelope = Envelope(door="smtp", mail_from=sender, recipients=("edit@example.com",), transport_key=f"key-{sender}")
    mail = ports.engine.inbox.keep(b"Dear all", envelope, ports.now).mail
    ports.engine.inbox.decide(mail, decision, ports.now)
    ports.clock.advance(timedelta(hours=1))
    return mail


def test_mails_are_found_by_project_outcome_sender_and_time(ports: Ports) -> None:
    held = decided(ports, "jane@example.org", Decision(MailOutcome.HELD, "who?", project="shop"))
    middle = ports.now.wall_at
    forged = decided(ports, "evil@example.net", Decision(MailOutcome.QUARANTINED, "forged", project="shop"))
    strange = decided(ports, "anna@example.com", Decision(MailOutcome.STRANGER, "unknown"))

    def mails(asked: MailsAsked) -> list[str]:
        found: FoundPage[MailView] = ports.engine.overview.find_mails(asked)
        return [mail.id for mail in found.items]

    assert mails(MailsAsked()) == [strange, forged, held]
    assert mails(MailsAsked(projects=("shop",))) == [forged, held]
    assert mails(MailsAsked(outcomes=(MailOutcome.HELD, MailOutcome.QUARANTINED))) == [forged, held]
    assert mails(MailsAsked(projects=("shop",), outcomes=(MailOutcome.HELD,))) == [held]
    assert mails(MailsAsked(sender="example.com")) == [strange]
    assert mails(MailsAsked(until=middle)) == [held]
    assert mails(MailsAsked(since=middle)) == [strange, forged]
    page = ports.engine.overview.find_mails(MailsAsked(), limit=2)
    assert page.after == forged


def test_a_question_waits_until_the_thread_goes_on(ports: Ports) -> None:
    ports.queue(lane="shop#jane", thread="t1")
    ports.queue(lane="shop#scott", thread="t2")
    asked = {end(ports, ASKED), end(ports, ASKED)}
    waiting = ports.engine.overview.unanswered(LeftAsked())
    assert {job.id for job in waiting.items} == asked
    assert waiting.after is None
    ports.clock.advance(timedelta(minutes=1))
    ports.queue(lane="shop#jane", thread="t1")
    assert [job.thread for job in ports.engine.overview.unanswered(LeftAsked()).items] == ["t2"]
    end(ports)
    assert [job.thread for job in ports.engine.overview.unanswered(LeftAsked()).items] == ["t2"]


def test_lanes_that_wait_for_a_worker_say_since_when(ports: Ports) -> None:
    ports.queue(lane="shop#jane")
    since = ports.now.wall_at
    ports.clock.advance(timedelta(minutes=1))
    ports.queue(lane="shop#scott")
    waiting = ports.engine.overview.unclaimed(ports.now)
    assert [lane.lane for lane in waiting] == ["shop#jane", "shop#scott"]
    assert waiting[0].free_since == since
    take(ports)
    assert [lane.lane for lane in ports.engine.overview.unclaimed(ports.now)] == ["shop#scott"]


def test_jobs_are_counted_by_state_and_project(ports: Ports, moments: dict[str, datetime]) -> None:
    assert len(moments) == len({end(ports), end(ports)}) + 3
    overview = ports.engine.overview
    assert overview.counts().of(State.QUEUED) == Count(3)
    assert overview.counts().of(State.QUEUED, State.DONE) == Count(5)
    of_shop = overview.counts(projects=("shop",))
    assert of_shop.of(*State) == Count(2)
    assert overview.counts(projects=()).of(*State) == Count(0)


def test_a_dead_job_is_left_until_somebody_tries_it_again(ports: Ports) -> None:
    ports.queue(lane="shop#jane", thread="t1")
    first = end(ports, Ending(State.DEAD, error="no"))
    ports.clock.advance(timedelta(hours=1))
    since = ports.now.wall_at
    ports.queue(lane="bakery#scott", thread="t2")
    second = end(ports, Ending(State.DEAD, error="no"))

    def left(asked: LeftAsked) -> list[str]:
        return [job.id for job in ports.engine.overview.buried(asked).items]

    assert left(LeftAsked()) == [second, first]
    assert left(LeftAsked(since=since)) == [second]
    assert left(LeftAsked(projects=("shop",))) == [first]
    assert left(LeftAsked(projects=())) == []
    page = ports.engine.overview.buried(LeftAsked(), limit=1)
    assert [job.id for job in ports.engine.overview.buried(LeftAsked(), after=page.after, limit=1).items] == [first]
    ports.engine.lanes.redrive(first, "amy", ports.now)
    assert left(LeftAsked()) == [second]


def test_projects_that_fail_in_a_row_are_known_before_they_are_paused(ports: Ports) -> None:
    for number in range(2):
        ports.queue(lane="shop#jane", thread=f"t{number}")
        end(ports, Ending(State.FAILED, error="no", blames_project=True))
        failing = [(each.project, each.failures) for each in ports.engine.overview.failing()]
        assert failing == ([("shop", 2)] if number else [])
