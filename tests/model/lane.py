"""The model of one lane: the code of dispatch, two workers, a few jobs, and whatever a budget lets go wrong."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from .explorer import Step
from .lane_checks import check_state
from .lane_publish import fence_pointer, fence_remote, look_at_live, push, reopen, switch_pointer
from .lane_rules import Delivery
from .lane_state import FREE_WORKER, NO_FAULTS, TERMINAL, WITHOUT_LANE, Budget, Place, Worker, World
from .lane_steps import (
    accept,
    beat,
    claim,
    enqueue,
    enqueue_again,
    fail,
    finish_published,
    give_back,
    lapse,
    lose_wakeup,
    park,
    pass_commit_point,
    release,
    release_by_hand,
    retry,
    ring_again,
    start,
    stop,
    sweep,
    wait_out_the_backoff,
)
from .memory_store import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .lane_rules import Rules

    Operation = Callable[[Rules, World, Worker], Iterator[Step[World]]]

FROM_OUTSIDE = (
    accept,
    enqueue,
    enqueue_again,
    stop,
    release_by_hand,
    sweep,
    wait_out_the_backoff,
    lapse,
    ring_again,
    lose_wakeup,
)
_retry = partial(retry, wait=timedelta(seconds=60))


def be_free(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    """Look for a lane, as often as the wakeup lets a free worker look."""
    lane = world.row
    if (lane.owner is not None and lane.lease_until <= NOW.seconds) or rules.wakeup is Delivery.LOOK:
        # A lapsed lease is found by the sweep's timer, so it never depends on a wakeup.
        yield from claim(rules, world, worker)
    if rules.wakeup is Delivery.QUEUE and world.wakeup:
        yield from _look(rules, world._replace(wakeup=False), worker, Place.FREE)
        if world.budget.repeated_wakeups:
            for step in _look(rules, world.spend("repeated_wakeups"), worker, Place.FREE):
                yield step._replace(is_fault=True)
    if rules.wakeup is Delivery.DATAGRAM:
        yield from _go_to_wait(rules, world, worker)


def _go_to_wait(rules: Rules, world: World, worker: Worker) -> Iterator[Step[World]]:
    if worker.place is Place.WAITING:
        if worker.is_rung:
            yield Step("a waiting worker hears its wakeup", world.with_worker(worker, FREE_WORKER))
        return
    following = Place.SETTING_UP if worker.place is Place.FREE else Place.WAITING
    looks_now = (worker.place is Place.SETTING_UP) != rules.looks_before_the_idle_flag
    if looks_now:
        yield from _look(rules, world, worker, following)
    else:
        yield Step("a free worker commits its idle flag", world.with_worker(worker, worker.at(following)))


def _look(rules: Rules, world: World, worker: Worker, following: Place) -> Iterator[Step[World]]:
    claims = list(claim(rules, world, worker))
    yield from claims
    if not claims:
        yield Step("a free worker looks and finds nothing to claim", world.with_worker(worker, worker.at(following)))


OPERATIONS: dict[Place, tuple[Operation, ...]] = {
    Place.FREE: (be_free,),
    Place.SETTING_UP: (be_free,),
    Place.WAITING: (be_free,),
    Place.IDLE: (beat, start, release, give_back),
    Place.WORKING: (beat, pass_commit_point, fail, _retry, give_back),
    Place.STOPPING: (beat, park),
    Place.PUSHING: (beat, push, give_back),
    Place.POINTING: (beat, switch_pointer),
    Place.FINISHING: (beat, finish_published, give_back),
    Place.FENCING_REMOTE: (beat, fence_remote),
    Place.FENCING_POINTER: (beat, fence_pointer),
    Place.LOOKING: (beat, look_at_live),
    Place.RETURNING: (beat, reopen),
}


@dataclass(frozen=True, slots=True)
class LaneModel:
    """One situation: who mails, how wakeups wake, and what may go wrong how often."""

    rules: Rules
    budget: Budget = NO_FAULTS

    def start(self) -> World:
        return World(self.budget)

    def steps(self, world: World) -> Iterator[Step[World]]:
        for step in self._untidy_steps(world):
            yield step._replace(state=self.rules.tidy(step.state))

    def _untidy_steps(self, world: World) -> Iterator[Step[World]]:
        for event in FROM_OUTSIDE:
            yield from event(self.rules, world)
        for worker in dict.fromkeys(world.workers):
            if worker.is_paused:
                yield Step(f"{worker} wakes up", world.with_worker(worker, worker._replace(is_paused=False)))
                continue
            if worker.place not in WITHOUT_LANE:
                yield from _faults(world, worker)
            for operation in OPERATIONS[worker.place]:
                yield from operation(self.rules, world, worker)

    def broken(self, world: World) -> str | None:
        return check_state(self.rules, world)

    def is_end(self, world: World) -> bool:
        return len(world.jobs) == len(self.rules.threads) and all(job.state in TERMINAL for job in world.jobs)


def _faults(world: World, worker: Worker) -> Iterator[Step[World]]:
    if world.budget.crashes:
        # A new process takes its place: it knows nothing and is nobody.
        crashed = world.with_worker(worker, FREE_WORKER).spend("crashes")
        yield Step(f"{worker} crashes while {worker.place}", crashed, is_fault=True)
    if world.budget.pauses:
        paused = world.with_worker(worker, worker._replace(is_paused=True)).spend("pauses")
        yield Step(f"{worker} falls asleep while {worker.place}", paused, is_fault=True)
