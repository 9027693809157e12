"""What the owner of a lane does up to the commit point, and how it gives a job or the lane up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .explorer import Step
from .lane_bells import ring
from .lane_checks import check_write
from .lane_jobs import end, queue_again, set_aside, start_head
from .lane_state import FREE_WORKER, HOLDING, NOTHING, JobState, Place, Worker
from .promises import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .lane_rules import Rules
    from .lane_state import Lane


def drop(lane: Lane, worker: Worker, what: str) -> Step[Lane]:
    """Let a worker that was refused forget the lane and change nothing more."""
    return Step(f"{worker}: {what} refused, drops the lane", lane.with_worker(worker, FREE_WORKER))


def idle(worker: Worker) -> Worker:
    return Worker(worker.fence, Place.IDLE)


def beat(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Renew the lease; the answer is what tells a worker to go on, to stop its job, or to drop the lane."""
    if not lane.is_held_by(worker):
        yield from _beat_without_fence(rules, lane, worker)
    elif lane.is_lapsed and rules.guards.beat_needs_an_unlapsed_lease:
        yield drop(lane, worker, "beat")
    elif lane.is_lapsed:
        yield Step(f"{worker}: renews its lapsed lease", lane._replace(is_lapsed=False))
    elif worker.job != NOTHING and lane.jobs[worker.job].state not in HOLDING:
        yield Step(f"{worker}: learns that m{worker.job} was ended", lane.with_worker(worker, idle(worker)))
    elif worker.place is Place.WORKING:
        yield from _hear_cancel(rules, lane, worker)


def _beat_without_fence(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    if rules.guards.beat_needs_the_fence:
        yield drop(lane, worker, "beat")
    elif _is_worked_on_by_another(lane, worker):
        yield Step(f"{worker}: beat renews a foreign lease", lane, Broken.STALE_WORKER_GOES_ON)


def _is_worked_on_by_another(lane: Lane, worker: Worker) -> bool:
    return any(
        lane.is_held_by(other) and not other.is_paused and other.place is not Place.IDLE
        for other in lane.workers
        if other != worker
    )


def _hear_cancel(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    job = lane.jobs[worker.job]
    stopping = lane.with_worker(worker, worker.at(Place.STOPPING))
    is_meant = job.cancel_fence == worker.fence or not rules.guards.beat_tells_only_cancels_of_its_fence
    if job.cancelled_by != NOTHING and is_meant:
        yield Step(f"{worker}: hears that m{worker.job} is cancelled", stopping)
    if lane.loose_cancel:
        by, target, fence = lane.loose_cancel
        hit = stopping.with_job(worker.job, job._replace(cancelled_by=by, cancel_fence=worker.fence))
        breaks = None if (target, fence) == (worker.job, worker.fence) else Broken.WRONG_JOB_CANCELLED
        label = f"{worker}: hears that its lane is cancelled, stops m{worker.job}"
        yield Step(label, hit._replace(loose_cancel=()), breaks)


def start(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Start the next head; a finish that does so in its own transaction is this without a gap between."""
    if not lane.is_held_by(worker) and rules.guards.start_needs_the_fence:
        yield drop(lane, worker, "start")
        return
    may_start = lane.running == NOTHING or not rules.guards.start_needs_nothing_running
    if may_start and rules.startable_head(lane) != NOTHING:
        started, breaks = start_head(rules, lane, worker, worker.fence)
        yield Step(f"{worker}: starts the head", started, breaks or check_write(lane, worker))


def release(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Give up an idle lane, unless a job came in the meantime."""
    if not lane.is_held_by(worker) and rules.guards.release_needs_the_fence:
        yield drop(lane, worker, "release")
    elif lane.pending == 0 or not rules.guards.release_needs_an_empty_lane:
        freed = lane.without_owner().with_worker(worker, FREE_WORKER)
        yield Step(f"{worker}: releases the lane", freed, check_write(lane, worker))


def give_back(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Yield or drain: the job goes back unfinished and somebody else is rung."""
    if not lane.budget.give_backs:
        return
    if not lane.is_held_by(worker) and rules.guards.give_back_needs_the_fence:
        yield drop(lane, worker, "give back")
        return
    back, breaks = lane, None
    if worker.place is Place.WORKING:
        if lane.jobs[worker.job].state is not JobState.RUNNING:
            return
        sets_aside = rules.guards.give_back_parks_the_cancelled
        back, breaks = queue_again(rules, lane, worker.job, sets_aside=sets_aside, backs_off=False)
    freed = back.without_owner().with_worker(worker, FREE_WORKER).spend("give_backs")
    for rung in ring(rules, freed) if rules.guards.give_back_rings else (freed,):
        yield Step(f"{worker}: gives the lane back", rung, breaks or check_write(lane, worker), is_fault=True)


def retry(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Put the job back for a later attempt; it keeps its place and the owner keeps the lane."""
    is_running = lane.jobs[worker.job].state is JobState.RUNNING
    if lane.budget.retries and lane.is_held_by(worker) and is_running:
        sets_aside = rules.guards.retry_parks_the_cancelled
        back, breaks = queue_again(rules, lane, worker.job, sets_aside=sets_aside, backs_off=True)
        after = back.with_worker(worker, idle(worker)).spend("retries")
        yield Step(f"{worker}: will try m{worker.job} again later", after, breaks, is_fault=True)


def fail(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Finish a job that cannot succeed."""
    if lane.budget.failures:
        for step in finish(rules, lane, worker, JobState.FAILED):
            yield step._replace(state=step.state.spend("failures"), is_fault=True)


def finish(rules: Rules, lane: Lane, worker: Worker, outcome: JobState) -> Iterator[Step[Lane]]:
    """Tell the outcome, once, under the current fence, of a job that still runs or commits."""
    is_open = lane.jobs[worker.job].state in HOLDING
    if not lane.is_held_by(worker) and rules.guards.finish_needs_the_fence:
        yield drop(lane, worker, "finish")
    elif is_open or not rules.guards.finish_needs_a_running_job:
        ended, breaks = end(lane, worker.job, outcome)
        after = ended.with_worker(worker, idle(worker)).decided_by(worker)
        label = f"{worker}: finishes m{worker.job}, {outcome}"
        yield Step(label, after, breaks or check_write(lane, worker))
    else:
        yield Step(f"{worker}: finds m{worker.job} ended", lane.with_worker(worker, idle(worker)))


def park(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Set the stopped job aside, as its cancel asks."""
    if not lane.is_held_by(worker) and rules.guards.park_needs_the_fence:
        yield drop(lane, worker, "park")
    elif lane.jobs[worker.job].state is JobState.RUNNING:
        aside, breaks = set_aside(rules, lane, worker.job)
        after = aside.with_worker(worker, idle(worker))
        yield Step(f"{worker}: sets m{worker.job} aside", after, breaks or check_write(lane, worker))


def pass_commit_point(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Go past the point where an interrupt is too late, right before live changes."""
    job = lane.jobs[worker.job]
    if not lane.is_held_by(worker) and rules.guards.commit_point_needs_the_fence:
        yield drop(lane, worker, "commit point")
        return
    is_cancelled = job.cancelled_by != NOTHING
    if job.state is JobState.RUNNING and not (is_cancelled and rules.guards.commit_point_needs_no_cancel):
        committing = lane.with_job(worker.job, job._replace(state=JobState.COMMITTING))
        after = committing.with_worker(worker, worker.at(Place.PUSHING))
        breaks = Broken.COMMITTED_DESPITE_CANCEL if is_cancelled else None
        yield Step(f"{worker}: commit point of m{worker.job}", after, breaks or check_write(lane, worker))
