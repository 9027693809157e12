"""What a transaction does to a job, whoever runs it: start, set aside, give up, end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .lane_checks import check_outcome, check_park, check_start
from .lane_state import NOTHING, PERSON, JobState, Place, Worker

if TYPE_CHECKING:
    from .lane_rules import Rules
    from .lane_state import Lane
    from .promises import Broken


class Change(NamedTuple):
    """The lane after a part of a transaction, and the promise that this part broke."""

    lane: Lane
    breaks: Broken | None = None


def end(lane: Lane, number: int, outcome: JobState) -> Change:
    """Give the job its one outcome."""
    job = lane.jobs[number].uncancelled()._replace(state=outcome, is_backing_off=False)
    running = NOTHING if lane.running == number else lane.running
    ended = lane.with_job(number, job)._replace(pending=lane.pending - 1, running=running)
    return Change(ended, check_outcome(lane, number, outcome))


def set_aside(rules: Rules, lane: Lane, number: int) -> Change:
    """Do what the cancel asks for: an interrupt parks the job, a person's stop ends it."""
    if lane.jobs[number].cancelled_by == PERSON and rules.guards.stop_ends_the_job:
        return end(lane, number, JobState.STOPPED)
    return _park(rules, lane, number)


def _park(rules: Rules, lane: Lane, number: int) -> Change:
    job = lane.jobs[number]
    parked = job._replace(state=JobState.PARKED, interruptions=job.interruptions + 1)
    if rules.guards.park_clears_the_cancel:
        parked = parked.uncancelled()
    aside = lane.with_job(number, parked)._replace(running=NOTHING)
    if job.cancelled_by >= 0:
        thread = rules.threads[job.cancelled_by]
        remembers = rules.guards.park_remembers_the_interrupter
        aside = aside._replace(owed=thread, interrupter=thread if remembers else "")
    return Change(aside, check_park(rules, lane, number))


def queue_again(rules: Rules, lane: Lane, number: int, *, sets_aside: bool, backs_off: bool) -> Change:
    """Put a running job back into the queue; one with a cancel is set aside instead."""
    job = lane.jobs[number]
    if job.cancelled_by != NOTHING and sets_aside:
        return set_aside(rules, lane, number)
    queued = job._replace(state=JobState.QUEUED, is_backing_off=backs_off)
    return Change(lane.with_job(number, queued)._replace(running=NOTHING))


def start_head(rules: Rules, lane: Lane, worker: Worker, fence: int) -> Change:
    """Start the head for this worker; if it cannot start, the worker owns the lane and waits."""
    head = rules.startable_head(rules.tidy(lane))
    if head == NOTHING:
        return Change(lane.with_worker(worker, Worker(fence, Place.IDLE)))
    started = lane.with_job(head, lane.jobs[head]._replace(state=JobState.RUNNING))
    started = started.with_worker(worker, Worker(fence, Place.WORKING, head))
    return Change(started._replace(running=head, owed=""), check_start(rules, rules.tidy(lane), head))
