"""What reaches a lane from outside: new jobs, interrupts, a person's stop, and the passing of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .explorer import Step
from .lane_bells import ring
from .lane_jobs import end
from .lane_state import MAX_INTERRUPTIONS, NOTHING, PERSON, UNSTARTED, Job, JobState
from .promises import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .lane_rules import Rules
    from .lane_state import Lane


def accept(rules: Rules, lane: Lane) -> Iterator[Step[Lane]]:
    """Take the next mail in: its place in the lane is fixed here, before its attachments are ready."""
    for number, job in enumerate(lane.jobs):
        if job.state is JobState.UNBORN:
            accepted = lane.with_job(number, Job(JobState.PREPARING))
            yield Step(f"accept {rules.name(number)}", accepted._replace(pending=lane.pending + 1))
            return


def enqueue(rules: Rules, lane: Lane) -> Iterator[Step[Lane]]:
    """Make a prepared job ready, interrupt what must make room for it, then ring."""
    for number, job in enumerate(lane.jobs):
        if job.state is not JobState.PREPARING:
            continue
        if not rules.guards.ring_follows_the_commit and not job.is_announced:
            announced = lane.with_job(number, job._replace(is_announced=True))
            for rung in ring(rules, announced):
                yield Step(f"rings for {rules.name(number)}, which is not committed yet", rung)
            continue
        queued = lane.with_job(number, Job(JobState.QUEUED))
        after, breaks = _interrupt(rules, queued, number)
        cancels = after.jobs != queued.jobs or after.loose_cancel != queued.loose_cancel
        label = f"enqueue {rules.name(number)}" + (f", cancels m{lane.running}@{lane.fence}" * cancels)
        for rung in ring(rules, after) if not job.is_announced else (after,):
            yield Step(label, rung, breaks)


def _interrupt(rules: Rules, lane: Lane, by: int) -> tuple[Lane, Broken | None]:
    target = lane.running
    if target == NOTHING or not _may_interrupt(rules, lane, by):
        return lane, None
    is_useful = _would_start(rules, lane, by)
    if not is_useful and rules.guards.interrupt_needs_a_startable_job:
        return lane, None
    if not rules.guards.interrupt_names_the_job:
        return lane._replace(loose_cancel=(by, target, lane.fence)), None
    cancelled = lane.jobs[target]._replace(cancelled_by=by, cancel_fence=lane.fence)
    return lane.with_job(target, cancelled), None if is_useful else Broken.CANCELLED_FOR_NOTHING


def _may_interrupt(rules: Rules, lane: Lane, by: int) -> bool:
    target = lane.jobs[lane.running]
    if target.state is not JobState.RUNNING:
        return False
    if rules.threads[by] == rules.threads[lane.running] and rules.guards.interrupt_needs_another_thread:
        return False
    if target.interruptions >= MAX_INTERRUPTIONS and rules.guards.interrupt_at_most_twice:
        return False
    if target.cancelled_by == PERSON:
        return not rules.guards.interrupt_never_replaces_a_stop
    return target.cancelled_by == NOTHING or not rules.guards.interrupt_never_replaces_an_interrupt


def _would_start(rules: Rules, lane: Lane, by: int) -> bool:
    """Say whether a job of the interrupter's thread would run if the running job made room now."""
    parked = lane.with_job(lane.running, lane.jobs[lane.running]._replace(state=JobState.PARKED))
    head = rules.startable_head(parked._replace(interrupter=rules.threads[by]))
    return head != NOTHING and rules.threads[head] == rules.threads[by]


def stop(rules: Rules, lane: Lane) -> Iterator[Step[Lane]]:
    """Let a person stop a job: at once while it waits, by a cancel while it runs, never once it commits."""
    if not lane.budget.stops:
        return
    for number, job in enumerate(lane.jobs):
        name = rules.name(number)
        if job.state in UNSTARTED:
            stopped, breaks = end(lane, number, JobState.STOPPED)
            yield Step(f"a person stops {name}, {job.state}", stopped.spend("stops"), breaks, is_fault=True)
        elif job.state is JobState.RUNNING:
            promised = job._replace(cancelled_by=PERSON, cancel_fence=lane.fence, stop_promised=True)
            asked = lane.with_job(number, promised).spend("stops")
            yield Step(f"a person stops {name}, running@{lane.fence}", asked, is_fault=True)


def sweep(rules: Rules, lane: Lane) -> Iterator[Step[Lane]]:
    """Fail what has waited or run too long; a committing job is settled and never failed by time."""
    if not lane.budget.deadlines:
        return
    for number, job in enumerate(lane.jobs):
        is_committing = job.state is JobState.COMMITTING and not rules.guards.deadline_spares_the_committing
        if job.state in UNSTARTED or job.state is JobState.RUNNING or is_committing:
            failed, breaks = end(lane, number, JobState.FAILED)
            label = f"sweep: {rules.name(number)}, {job.state}, is out of time"
            yield Step(label, failed.spend("deadlines"), breaks, is_fault=True)


def wait_out_the_backoff(rules: Rules, lane: Lane) -> Iterator[Step[Lane]]:
    for number, job in enumerate(lane.jobs):
        if job.is_backing_off:
            due = lane.with_job(number, job._replace(is_backing_off=False))
            yield Step(f"{rules.name(number)} may be tried again", due)


def lapse(_rules: Rules, lane: Lane) -> Iterator[Step[Lane]]:
    """Let a lease run out that no living worker renews."""
    is_renewed = any(worker.fence == lane.fence and not worker.is_paused for worker in lane.workers)
    if lane.has_live_owner and not is_renewed:
        yield Step(f"the lease @{lane.fence} lapses", lane._replace(is_lapsed=True))
