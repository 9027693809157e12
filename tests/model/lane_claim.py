"""The claim: one transaction that takes a lane, settles what its last owner left, and starts the head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .explorer import Step
from .lane_jobs import set_aside, start_head
from .lane_state import NOTHING, JobState, Place, Worker
from .promises import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .lane_rules import Rules
    from .lane_state import Lane


def claim(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Take a lane that is ready or lapsed, under the next fence."""
    if not rules.is_claimable(lane):
        return
    is_takeover = lane.is_owned
    fence = lane.fence if is_takeover and not rules.guards.takeover_advances_the_fence else lane.fence + 1
    is_theft = lane.has_live_owner and any(_renews(lane, other) for other in lane.workers)
    taken = lane._replace(fence=fence, is_owned=True, is_lapsed=False, bell=False)
    step = _take_up(rules, taken, worker)
    yield step._replace(breaks=Broken.TAKEN_FROM_THE_LIVING) if is_theft else step


def _renews(lane: Lane, worker: Worker) -> bool:
    return lane.is_held_by(worker) and not worker.is_paused


def _take_up(rules: Rules, lane: Lane, worker: Worker) -> Step[Lane]:
    number, claim_label = lane.running, f"a free worker claims @{lane.fence}"
    if number == NOTHING:
        started, breaks = start_head(rules, lane, worker, lane.fence)
        return Step(f"{claim_label}, starts the head", started, breaks)
    if lane.jobs[number].state is JobState.COMMITTING:
        return _take_over_committing(rules, lane, worker)
    if lane.jobs[number].cancelled_by != NOTHING and rules.guards.claim_parks_the_cancelled:
        aside, breaks = set_aside(rules, lane, number)
        started, start_breaks = start_head(rules, aside, worker, lane.fence)
        label = f"{claim_label}, sets m{number} aside, starts the head"
        return Step(label, started, breaks or start_breaks)
    restarted = lane.with_worker(worker, Worker(lane.fence, Place.WORKING, number))
    return Step(f"{claim_label}, starts m{number} again", restarted)


def _take_over_committing(rules: Rules, lane: Lane, worker: Worker) -> Step[Lane]:
    number, label = lane.running, f"a free worker claims @{lane.fence}"
    if rules.guards.claim_settles_the_committing:
        settling = lane.with_worker(worker, Worker(lane.fence, Place.FENCING_REMOTE, number))
        return Step(f"{label}, must settle m{number}", settling)
    again = lane.with_job(number, lane.jobs[number]._replace(state=JobState.RUNNING))
    rerun = again.with_worker(worker, Worker(lane.fence, Place.WORKING, number))
    return Step(f"{label}, runs the committing m{number} again", rerun)
