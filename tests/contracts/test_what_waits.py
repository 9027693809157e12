"""What every engine promises about what waits for somebody's `ok` or for its moment."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.rigs.embedded_ports import AMELIA
from webordinary.actions.decide import drop, ok_said
from webordinary.actions.known import QUEUES
from webordinary.audit.entry import EventType
from webordinary.jobs.job import Ending, Kind, Outcome, State
from webordinary.jobs.proposals import Proposal, Standing
from webordinary.jobs.schedules import Phase, Schedule
from webordinary.routing.lane import Lane
from webordinary.worker.change.errands import Errands
from webordinary.worker.chores.punctual import Punctual
from webordinary.worker.run import Run

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

SCOTT = Lane("amelia", "scott")
SCOTTS_ADDRESS = "scott@example.org"


def proposal(ports: Ports, job: str, thread: str = "t1", lane: Lane = SCOTT) -> Proposal:
    now = ports.now.wall_at
    return Proposal(
        job,
        thread,
        lane,
        "c0ffee",
        "receipt",
        now,
        now + timedelta(days=2),
        now + timedelta(days=14),
        reason="a page is gone",
    )


def propose(ports: Ports, thread: str = "t1") -> Proposal:
    """Let a job end with a proposal."""
    job = ports.queue(thread=thread, reply_to=SCOTTS_ADDRESS)
    claimed = ports.engine.claims.claim("w1", ports.now)
    assert claimed is not None
    assert claimed.job is not None
    put = proposal(ports, job, thread)
    ending = Ending(State.DONE, Outcome.PROPOSED, template="proposed", proposal=put)
    ports.engine.attempts.finish(claimed.claim, claimed.job, ending, ports.now)
    ports.engine.claims.give_back(claimed.claim, ports.now)
    return put


def schedule(ports: Ports, name: str, after: timedelta, lane: Lane = SCOTT) -> Schedule:
    return Schedule(name, "t1", lane, Phase.REVERT, ports.now.wall_at + after, "c0ffee", "job-1", "scott@example.org")


def test_a_job_ends_together_with_its_proposal(ports: Ports) -> None:
    put = propose(ports)
    assert ports.engine.proposals.find("t1") == put
    assert ports.engine.proposals.all_open() == [put]
    assert ports.engine.proposals.find("t2") is None


def test_a_newer_proposal_of_the_thread_replaces_the_older_one(ports: Ports) -> None:
    old = propose(ports)
    ports.clock.advance(timedelta(seconds=1))
    new = propose(ports)
    other = propose(ports, thread="t2")
    assert ports.engine.proposals.all_open() == [new, other]
    assert not ports.engine.proposals.close(old, Standing.APPROVED, "scott", ports.now)
    assert ports.engine.proposals.find("t1") == new


def test_a_proposal_is_decided_once(ports: Ports) -> None:
    put = propose(ports)
    assert ports.engine.proposals.close(put, Standing.APPROVED, "scott", ports.now)
    assert not ports.engine.proposals.close(put, Standing.EXPIRED, "time", ports.now)
    found = ports.engine.proposals.find("t1")
    assert found == replace(put, standing=Standing.APPROVED, closed_by="scott")
    assert ports.engine.proposals.all_open() == []
    told = [entry for entry in ports.engine.trail.read() if entry.what == EventType.PROPOSAL_CLOSED]
    assert [dict(entry.facts) for entry in told] == [{"standing": "approved", "by": "scott"}]


def test_an_ok_at_a_terminal_waits_in_the_lane_and_is_kept_with_who_said_it(ports: Ports) -> None:
    put = propose(ports)
    said = ok_said(put, "anna", ports.clock)
    ports.engine.lanes.accept(said, ports.now, ready=QUEUES)
    kept = ports.engine.overview.job(said.id)
    assert kept is not None
    assert (kept.lane, kept.thread, kept.about, kept.request.by) == (SCOTT, "t1", f"approve:{put.id}", "anna")


def test_an_ok_at_a_terminal_closes_the_proposal_in_its_speakers_name_and_tells_whoever_asked(ports: Ports) -> None:
    put = propose(ports)
    said = ok_said(put, "anna", ports.clock)
    ports.engine.lanes.accept(said, ports.now, ready=QUEUES)
    nobody: Any = None
    live = Ending(State.DONE, Outcome.PUBLISHED, template="published")
    Errands(ports.engine, nobody, ports.clock).tell_owner(ports.job(said.id), live)
    found = ports.engine.proposals.find("t1")
    assert found == replace(put, standing=Standing.APPROVED, closed_by="anna")
    letters = ports.engine.outbox.take_due("postman", ports.now)
    assert [(each.words, each.to) for each in letters if each.kind == "approved"] == [("published", SCOTTS_ADDRESS)]


def test_whoever_asked_by_mail_is_told_that_the_proposal_was_withdrawn_at_a_terminal(ports: Ports) -> None:
    put = propose(ports)
    assert drop(ports.engine, put, "anna", ports.now)
    assert not drop(ports.engine, put, "anna", ports.now)
    letters = ports.engine.outbox.take_due("postman", ports.now)
    assert [(each.words, each.to) for each in letters if each.kind == "withdrawn"] == [("withdrawn", SCOTTS_ADDRESS)]


@pytest.mark.parametrize(
    ("standing", "words"),
    [
        (Standing.APPROVED, "already_approved"),
        (Standing.EXPIRED, "proposal_expired"),
        (Standing.WITHDRAWN, "nothing_to_approve"),
    ],
)
def test_an_ok_whose_turn_comes_too_late_is_told_what_was_decided(ports: Ports, standing: Standing, words: str) -> None:
    put = propose(ports)
    said = ok_said(put, "anna", ports.clock)
    ports.engine.lanes.accept(said, ports.now, ready=QUEUES)
    claimed = ports.engine.claims.claim("w1", ports.now)
    assert claimed is not None
    assert claimed.job is not None
    ports.engine.proposals.close(put, standing, "maria", ports.now)
    nobody: Any = None
    errands = Errands(ports.engine, nobody, ports.clock)
    run = Run(ports.engine, ports.clock, claimed.claim, claimed.job, AMELIA, nobody, nobody)
    ending = errands.approve(run, put.id)
    assert (ending.outcome, ending.template) == (Outcome.ANSWERED, words)


def test_a_reminder_is_written_once(ports: Ports) -> None:
    put = propose(ports)
    assert ports.engine.proposals.mark_reminded(put, ports.now)
    assert not ports.engine.proposals.mark_reminded(put, ports.now)
    found = ports.engine.proposals.find("t1")
    assert found is not None
    assert found.reminded
    assert not ports.engine.proposals.mark_reminded(found, ports.now)
    assert ports.engine.proposals.close(found, Standing.EXPIRED, "time", ports.now)
    assert not ports.engine.proposals.mark_reminded(put, ports.now)


def test_proposals_of_a_project_are_told_apart(ports: Ports) -> None:
    put = propose(ports)
    assert ports.engine.proposals.all_open(project="amelia") == [put]
    assert ports.engine.proposals.all_open(project="flora") == []


def test_a_moment_comes_when_its_time_has_come_and_goes_once(ports: Ports) -> None:
    soon, later = schedule(ports, "s1", timedelta(hours=1)), schedule(ports, "s2", timedelta(days=9))
    assert ports.engine.schedules.add(later, ports.now)
    assert ports.engine.schedules.add(soon, ports.now)
    assert not ports.engine.schedules.add(soon, ports.now)
    assert ports.engine.schedules.all() == [soon, later]
    assert ports.engine.schedules.due(ports.now) == []
    ports.clock.advance(timedelta(hours=2))
    assert ports.engine.schedules.due(ports.now) == [soon]
    assert ports.engine.schedules.close("s1", "time", ports.now)
    assert not ports.engine.schedules.close("s1", "time", ports.now)
    assert not ports.engine.schedules.close("s3", "time", ports.now)
    assert ports.engine.schedules.due(ports.now) == []
    assert ports.engine.schedules.all(project="amelia") == [later]
    assert ports.engine.schedules.all(project="flora") == []
    assert not ports.engine.schedules.add(soon, ports.now), "what is over is not kept a second time"
    assert ports.engine.schedules.find("s1") == replace(soon, closed_by="time")
    assert ports.engine.schedules.find("s2") == later
    assert ports.engine.schedules.find("s3") is None


def test_a_moment_keeps_its_branch_and_all_that_it_takes_back(ports: Ports) -> None:
    moved = replace(schedule(ports, "s1", timedelta(days=1)), about="c2 c1", branch="timed-job-1")
    assert ports.engine.schedules.add(moved, ports.now)
    found = ports.engine.schedules.find("s1")
    assert found == moved
    assert (found.commits, found.name) == (("c2", "c1"), "timed-job-1")


def test_a_moment_that_has_come_becomes_one_job_whoever_looks(ports: Ports) -> None:
    planned = ports.queue()
    until = ports.now.wall_at + timedelta(days=3)
    soon = replace(schedule(ports, f"{planned}.publish", timedelta(days=1)), phase=Phase.PUBLISH, job=planned)
    ports.engine.schedules.add(replace(soon, until=until), ports.now)
    lookers = [Punctual(ports.engine, ports.clock) for _ in range(2)]
    lookers[0].look()
    assert len(ports.engine.overview.jobs()) == 1
    ports.clock.advance(timedelta(days=9))
    for each in lookers:
        each.look()
    # One that died between the two writes: the next one finds the moment still on the list.
    ports.engine.lanes.accept(lookers[0].job_of(soon, ports.now), ports.now)
    (job, _) = ports.engine.overview.jobs()
    assert (job.kind, job.state, job.about) == (Kind.SCHEDULED, State.QUEUED, f"schedule:{planned}.publish")
    assert job.request.reply_to == "scott@example.org"
    assert ports.engine.schedules.all() == []
    found = ports.engine.schedules.find(soon.id)
    assert found is not None
    assert (found.closed_by, found.until) == ("time", until)


def test_a_job_ends_together_with_its_moments(ports: Ports) -> None:
    ports.queue()
    claimed = ports.engine.claims.claim("w1", ports.now)
    assert claimed is not None
    assert claimed.job is not None
    moments = (schedule(ports, "s1", timedelta(0)), schedule(ports, "s2", timedelta(days=1)))
    ending = Ending(State.DONE, Outcome.SCHEDULED, schedules=moments)
    ports.engine.attempts.finish(claimed.claim, claimed.job, ending, ports.now)
    assert ports.engine.schedules.all() == list(moments)


def test_a_job_knows_what_it_is_about(ports: Ports) -> None:
    job = replace(ports.new_job(), about="c0ffee")
    ports.engine.lanes.accept(job, ports.now)
    assert ports.job(job.id).about == "c0ffee"
