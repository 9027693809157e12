"""The way from the commit point to the outcome, and how a new owner settles what the last one left there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .explorer import Step
from .lane_attempt import drop, finish
from .lane_checks import check_push, check_write
from .lane_state import JobState, Place
from .promises import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .lane_rules import Rules
    from .lane_state import Lane, Worker


def push(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Push to live together with the fence ref; the remote knows no leases, only that the ref grows."""
    if worker.fence < lane.remote_fence and rules.guards.push_needs_the_fence:
        yield drop(lane, worker, "push")
        return
    pushed = lane._replace(
        live=(*lane.live, worker.job), remote_fence=max(lane.remote_fence, worker.fence)
    ).with_worker(worker, worker.at(Place.POINTING))
    yield Step(f"{worker}: pushes m{worker.job}", pushed.decided_by(worker), check_push(rules, lane, worker))
    if lane.budget.refusals and lane.is_held_by(worker):
        refused = _back_to_running(lane, worker).spend("refusals")
        yield Step(f"{worker}: the remote refuses m{worker.job}", refused, is_fault=True)


def switch_pointer(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Show the release; one that is an ancestor of what is shown is live already."""
    position = lane.live.index(worker.job) + 1
    after = lane.with_worker(worker, worker.at(Place.FINISHING))
    if position <= lane.pointer:
        yield Step(f"{worker}: m{worker.job} is live already", after)
    elif worker.fence < lane.pointer_fence and rules.guards.pointer_needs_the_fence:
        yield drop(lane, worker, "pointer")
    else:
        breaks = Broken.STALE_FENCE_PUBLISHED if worker.fence < lane.newest else None
        shown = after._replace(pointer=position, pointer_fence=max(lane.pointer_fence, worker.fence))
        yield Step(f"{worker}: pointer to m{worker.job}", shown.decided_by(worker), breaks)


def finish_published(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    return finish(rules, lane, worker, JobState.DONE)


def fence_remote(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Settle, first: from here on the remote refuses every older owner."""
    if not rules.guards.settle_advances_the_fences:
        yield Step(f"{worker}: settles without a fence", lane.with_worker(worker, worker.at(Place.LOOKING)))
    elif worker.fence < lane.remote_fence:
        yield drop(lane, worker, "settling")
    else:
        fenced = lane._replace(remote_fence=worker.fence)
        yield Step(f"{worker}: fences the remote", fenced.with_worker(worker, worker.at(Place.FENCING_POINTER)))


def fence_pointer(_rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Settle, second: the same at the pointer."""
    if worker.fence < lane.pointer_fence:
        yield drop(lane, worker, "settling")
    else:
        fenced = lane._replace(pointer_fence=worker.fence)
        yield Step(f"{worker}: fences the pointer", fenced.with_worker(worker, worker.at(Place.LOOKING)))


def look_at_live(_rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Settle, third: is the recorded commit live? Whoever has looked has decided."""
    is_live = worker.job in lane.live
    looked = lane.with_worker(worker, worker.at(Place.POINTING if is_live else Place.RETURNING))
    seen = "is live" if is_live else "is not live"
    yield Step(f"{worker}: looks, m{worker.job} {seen}", looked.decided_by(worker))


def return_to_running(_rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Settle, last: what is fenced and not live is rebased and passes the commit point again."""
    if lane.is_held_by(worker):
        back = _back_to_running(lane, worker)
        yield Step(f"{worker}: m{worker.job} goes back to running", back, check_write(lane, worker))
    else:
        yield drop(lane, worker, "settling")


def _back_to_running(lane: Lane, worker: Worker) -> Lane:
    running = lane.jobs[worker.job]._replace(state=JobState.RUNNING)
    return lane.with_job(worker.job, running).with_worker(worker, worker.at(Place.WORKING))
