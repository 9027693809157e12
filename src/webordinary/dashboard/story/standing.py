"""The truth about where a job stands: who has it, until when, and which moment comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dashboard.story.for_clients import lane_for
from webordinary.jobs.job import Outcome, State
from webordinary.jobs.proposals import Standing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.overview import LaneView


@dataclass(frozen=True, slots=True)
class StandingFact:
    """One thing that is true of a job now; `at` is a moment that belongs to it."""

    text: str
    at: datetime | None = None
    for_agency: bool = False


def where_it_stands(engine: Engine, job: Job, now: Moment, *, to_agency: bool = True) -> list[StandingFact]:
    """Return what is known of a job at this moment, the most important first."""
    lane = engine.overview.lane(job.lane.key, now) if job.state.is_live else None
    if lane is not None:
        return [*_alive(engine, job, lane_for(lane, to_agency=to_agency))]
    return [*_over(engine, job)]


def _alive(engine: Engine, job: Job, lane: LaneView) -> Iterator[StandingFact]:
    if lane.paused:
        yield StandingFact(f"The project is paused: {lane.paused}")
    if job.state in {State.RUNNING, State.COMMITTING}:
        yield from _in_work(engine, job, lane)
    elif job.state is State.PREPARING:
        yield StandingFact("Its files are being prepared.")
    else:
        others = [each for each in engine.overview.live(job.lane.key) if each.sequence < job.sequence]
        waits = f"It waits behind {len(others)} of its lane." if others else "It is the next of its lane."
        yield StandingFact(f"It was set aside for a newer mail. {waits}" if job.state is State.PARKED else waits)
        if lane.owner is None and not lane.paused:
            yield StandingFact("No worker has the lane yet.", for_agency=True)
    if job.deadline_at is not None:
        yield StandingFact("If it has not ended by then, it is given up:", job.deadline_at)


def _in_work(engine: Engine, job: Job, lane: LaneView) -> Iterator[StandingFact]:
    if job.state is State.COMMITTING:
        yield StandingFact("It is going live at this moment; it can no longer be stopped.")
    else:
        yield StandingFact(f"It is being worked on (attempt {job.attempt}), since", job.started_at)
    if lane.owner is None:
        yield StandingFact("Its worker is gone; another one takes over.", for_agency=True)
        return
    yield StandingFact(f"{lane.owner} has the lane (fence {lane.fence}), until", lane.lease_until, for_agency=True)
    for worker in engine.overview.workers():
        if worker.worker == lane.owner:
            yield StandingFact("Its worker was last heard of at", worker.seen_at, for_agency=True)


def _over(engine: Engine, job: Job) -> Iterator[StandingFact]:
    if job.error:
        yield StandingFact(job.error)
    if job.outcome is Outcome.PROPOSED:
        yield from _proposed(engine, job)
    if job.outcome is Outcome.ASKED and (asked := job.journal.question) is not None:
        yield StandingFact(f"It waits for the answer to a question: {asked.text}")
    if job.outcome is Outcome.SCHEDULED:
        for each in engine.schedules.all():
            if each.job == job.id:
                yield StandingFact(f"Planned: {each.phase.value}, on", each.at)
    if job.state is State.DEAD:
        yield StandingFact("Nobody works on it any more until it is redriven.")


def _proposed(engine: Engine, job: Job) -> Iterator[StandingFact]:
    proposal = engine.proposals.find(job.thread)
    if proposal is None or proposal.id != job.id:
        yield StandingFact("A newer proposal of the thread has replaced it.")
    elif proposal.standing is Standing.OPEN:
        who = "the agency" if proposal.for_agency else "whoever may approve here"
        yield StandingFact(f"It waits for the ok of {who}, and is dropped at", proposal.expires_at)
        if not proposal.reminded:
            yield StandingFact("A reminder goes out at", proposal.remind_at)
    else:
        by = f" by {proposal.closed_by}" if proposal.closed_by else ""
        yield StandingFact(f"The proposal is {proposal.standing.value}{by}.")
