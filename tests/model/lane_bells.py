"""How work is announced to free workers, and how a free worker goes to wait without missing a bell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .explorer import Step
from .lane_claim import claim
from .lane_rules import Doorbell
from .lane_state import FREE_WORKER, NOTHING, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .lane_rules import Rules
    from .lane_state import Lane, Worker


def ring(rules: Rules, lane: Lane) -> Iterator[Lane]:
    """Ring for a lane; its live owner needs no bell here, because a refused release makes it look."""
    if rules.doorbell is Doorbell.LOOK or lane.has_live_owner:
        yield lane
    elif rules.doorbell is Doorbell.QUEUE:
        yield lane._replace(bell=True)
    else:
        listeners = [worker for worker in dict.fromkeys(lane.workers) if _has_idle_flag(rules, worker)]
        for worker in listeners:
            yield lane.with_worker(worker, worker._replace(is_rung=True))
        if not listeners:
            yield lane


def ring_again(rules: Rules, lane: Lane) -> Iterator[Step[Lane]]:
    """Sweep: ring for a ready lane that nobody owns, whatever became of its first bell."""
    if rules.sweeps_ready_lanes and not lane.is_owned and rules.startable_head(lane) != NOTHING:
        for rung in ring(rules, lane):
            if rung != lane:
                yield Step("sweep: rings for the ready lane", rung)


def lose_bell(_rules: Rules, lane: Lane) -> Iterator[Step[Lane]]:
    if not lane.budget.lost_bells:
        return
    if lane.bell:
        yield Step("the bell is lost", lane._replace(bell=False).spend("lost_bells"), is_fault=True)
    for worker in dict.fromkeys(lane.workers):
        if worker.is_rung:
            deaf = lane.with_worker(worker, worker._replace(is_rung=False)).spend("lost_bells")
            yield Step("a datagram is lost", deaf, is_fault=True)


def _has_idle_flag(rules: Rules, worker: Worker) -> bool:
    if worker.place is Place.SETTING_UP:
        return rules.guards.idle_flag_precedes_the_look
    return worker.place is Place.WAITING


def be_free(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    """Look for a lane, as often as the doorbell lets a free worker look."""
    if lane.is_lapsed or rules.doorbell is Doorbell.LOOK:
        # A lapsed lease is found by the sweep's timer, so it never depends on a bell.
        yield from claim(rules, lane, worker)
    if rules.doorbell is Doorbell.QUEUE and lane.bell:
        yield from _look(rules, lane, worker, Place.FREE)
    if rules.doorbell is Doorbell.DATAGRAM:
        yield from _go_to_wait(rules, lane, worker)


def _go_to_wait(rules: Rules, lane: Lane, worker: Worker) -> Iterator[Step[Lane]]:
    if worker.place is Place.WAITING:
        if worker.is_rung:
            yield Step("a waiting worker hears its bell", lane.with_worker(worker, FREE_WORKER))
        return
    following = Place.SETTING_UP if worker.place is Place.FREE else Place.WAITING
    looks_now = (worker.place is Place.SETTING_UP) == rules.guards.idle_flag_precedes_the_look
    if looks_now:
        yield from _look(rules, lane, worker, following)
    else:
        yield Step("a free worker commits its idle flag", lane.with_worker(worker, worker.at(following)))


def _look(rules: Rules, lane: Lane, worker: Worker, following: Place) -> Iterator[Step[Lane]]:
    if rules.is_claimable(lane):
        yield from claim(rules, lane, worker)
    else:
        label = "a free worker looks and finds nothing to claim"
        yield Step(label, lane._replace(bell=False).with_worker(worker, worker.at(following)))
