"""The model of one lane: two workers, three or four jobs, and whatever a budget lets go wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .explorer import Step
from .lane_attempt import beat, fail, give_back, park, pass_commit_point, release, retry, start
from .lane_bells import be_free, lose_bell, ring_again
from .lane_checks import check_state
from .lane_intake import accept, enqueue, lapse, stop, sweep, wait_out_the_backoff
from .lane_publish import (
    fence_pointer,
    fence_remote,
    finish_published,
    look_at_live,
    push,
    return_to_running,
    switch_pointer,
)
from .lane_state import FREE_WORKER, NO_FAULTS, TERMINAL, WITHOUT_LANE, Budget, Job, Lane, Place, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .lane_rules import Rules

    Operation = Callable[[Rules, Lane, Worker], Iterator[Step[Lane]]]

FROM_OUTSIDE = (accept, enqueue, stop, sweep, wait_out_the_backoff, lapse, ring_again, lose_bell)

OPERATIONS: dict[Place, tuple[Operation, ...]] = {
    Place.FREE: (be_free,),
    Place.SETTING_UP: (be_free,),
    Place.WAITING: (be_free,),
    Place.IDLE: (beat, start, release, give_back),
    Place.WORKING: (beat, pass_commit_point, fail, retry, give_back),
    Place.STOPPING: (beat, park),
    Place.PUSHING: (beat, push),
    Place.POINTING: (beat, switch_pointer),
    Place.FINISHING: (beat, finish_published),
    Place.FENCING_REMOTE: (beat, fence_remote),
    Place.FENCING_POINTER: (beat, fence_pointer),
    Place.LOOKING: (beat, look_at_live),
    Place.RETURNING: (beat, return_to_running),
}


@dataclass(frozen=True, slots=True)
class LaneModel:
    """The dispatch protocol under some rules and a budget of faults."""

    rules: Rules
    budget: Budget = NO_FAULTS

    def start(self) -> Lane:
        return Lane(jobs=(Job(),) * len(self.rules.threads), budget=self.budget)

    def steps(self, lane: Lane) -> Iterator[Step[Lane]]:
        for step in self._untidy_steps(lane):
            yield step._replace(state=self.rules.tidy(step.state))

    def _untidy_steps(self, lane: Lane) -> Iterator[Step[Lane]]:
        for event in FROM_OUTSIDE:
            yield from event(self.rules, lane)
        for worker in dict.fromkeys(lane.workers):
            if worker.is_paused:
                yield Step(f"{worker} wakes up", lane.with_worker(worker, worker._replace(is_paused=False)))
                continue
            if worker.place not in WITHOUT_LANE:
                yield from _faults(lane, worker)
            for operation in OPERATIONS[worker.place]:
                yield from operation(self.rules, lane, worker)

    def broken(self, lane: Lane) -> str | None:
        return check_state(lane)

    def is_end(self, lane: Lane) -> bool:
        return all(job.state in TERMINAL for job in lane.jobs)


def _faults(lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    if lane.budget.crashes:
        # A new process takes its place: it knows nothing and is nobody.
        crashed = lane.with_worker(worker, FREE_WORKER).spend("crashes")
        yield Step(f"{worker} crashes while {worker.place}", crashed, is_fault=True)
    if lane.budget.pauses:
        paused = lane.with_worker(worker, worker._replace(is_paused=True)).spend("pauses")
        yield Step(f"{worker} falls asleep while {worker.place}", paused, is_fault=True)
