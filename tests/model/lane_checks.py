"""The checks of one lane: each looks at a change about to happen and names the promise it would break."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lane_state import HOLDING, LIVE, MAX_INTERRUPTIONS, NOTHING, PERSON, TERMINAL, JobState
from .promises import Broken

if TYPE_CHECKING:
    from .lane_rules import Rules
    from .lane_state import Lane, Worker


def check_state(lane: Lane) -> Broken | None:
    """Judge what must hold between any two transactions."""
    holding = sum(job.state in HOLDING for job in lane.jobs)
    if holding > 1:
        return Broken.TWO_RUN
    if holding and not lane.is_owned:
        return Broken.RUNS_WITHOUT_OWNER
    if lane.pending != sum(job.state in LIVE for job in lane.jobs):
        return Broken.PENDING_WRONG
    first, second = lane.workers
    if first.fence and first.fence == second.fence:
        return Broken.FENCE_REPEATED
    return None


def check_write(lane: Lane, worker: Worker) -> Broken | None:
    """Judge a worker's transaction on the lane: only the current fence commits."""
    return None if lane.is_held_by(worker) else Broken.STALE_FENCE_WROTE


def check_start(rules: Rules, lane: Lane, number: int) -> Broken | None:
    thread = rules.threads[number]
    if any(lane.jobs[n].state in LIVE for n in range(number) if rules.threads[n] == thread):
        return Broken.STARTED_OUT_OF_ORDER
    if lane.owed not in ("", thread):
        return Broken.INTERRUPTER_NOT_NEXT
    return None


def check_park(rules: Rules, lane: Lane, number: int) -> Broken | None:
    job = lane.jobs[number]
    if job.state is not JobState.RUNNING or job.cancelled_by == NOTHING:
        return Broken.CANCELLED_WITHOUT_CANCEL
    if job.cancelled_by != PERSON and rules.threads[job.cancelled_by] == rules.threads[number]:
        return Broken.CANCELLED_BY_OWN_THREAD
    if job.interruptions >= MAX_INTERRUPTIONS:
        return Broken.INTERRUPTED_TOO_OFTEN
    return None


def check_push(rules: Rules, lane: Lane, worker: Worker) -> Broken | None:
    number, state = worker.job, lane.jobs[worker.job].state
    if number in lane.live:
        return Broken.PUBLISHED_TWICE
    if state in TERMINAL:
        return Broken.PUBLISHED_AFTER_END
    if state is not JobState.COMMITTING:
        return Broken.PUBLISHED_OUTSIDE_COMMIT_POINT
    if worker.fence < lane.newest:
        return Broken.STALE_FENCE_PUBLISHED
    return _check_order_of_effects(rules, lane, number)


def _check_order_of_effects(rules: Rules, lane: Lane, number: int) -> Broken | None:
    mine = [n for n in range(len(lane.jobs)) if rules.threads[n] == rules.threads[number]]
    is_early = any(n < number and lane.jobs[n].state in LIVE for n in mine)
    is_late = any(n > number and n in lane.live for n in mine)
    return Broken.PUBLISHED_OUT_OF_ORDER if is_early or is_late else None


def check_outcome(lane: Lane, number: int, outcome: JobState) -> Broken | None:
    job = lane.jobs[number]
    if job.state in TERMINAL:
        return Broken.SECOND_OUTCOME
    if outcome is not JobState.DONE:
        return Broken.LIVE_BUT_DENIED if number in lane.live else None
    if number not in lane.live[: lane.pointer]:
        return Broken.DONE_BUT_NOT_LIVE
    return Broken.PUBLISHED_DESPITE_STOP if job.stop_promised else None
