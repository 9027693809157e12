"""What every engine promises when other lanes wait: a turn is one job, also for a real worker."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_lanes import DONE, take
from webordinary.audit.entry import EventType
from webordinary.errors import LostOwnership
from webordinary.jobs.job import State
from webordinary.worker.attempt import Attempt
from webordinary.worker.loop import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Ending, Job
    from webordinary.ownership.claim import Claim, Claimed, Next
    from webordinary.worker.heartbeat import AttemptControl


def end(ports: Ports, claim: Claim, job: Job) -> Next:
    return ports.engine.attempts.finish(claim, job, DONE, ports.now, give_way=True)


def change_lanes(ports: Ports, claim: Claim, job: Job) -> Claimed | None:
    """End the job and go where the store says, or where a worker would go by itself."""
    after = end(ports, claim, job)
    assert after.others_wait
    assert after.job is None
    if after.claimed is None:
        ports.engine.claims.give_back(claim, ports.now)
        return ports.engine.claims.claim(claim.worker, ports.now)
    return after.claimed


def test_a_worker_that_gives_way_owns_the_other_lane_and_only_that(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    left = ports.queue(lane="amelia#scott")
    claim, job = take(ports)
    other = ports.queue(lane="amelia#maria")
    claimed = change_lanes(ports, claim, job)
    assert claimed is not None
    assert claimed.job is not None
    assert (claimed.job.id, claimed.job.state, claimed.claim.lane.user) == (other, State.RUNNING, "maria")
    assert ports.job(left).state == State.QUEUED
    with pytest.raises(LostOwnership):
        ports.engine.claims.start(claim, ports.now)
    assert take(ports, "w2")[1].id == left


def test_the_trail_tells_of_giving_way_in_its_order(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    claim, job = take(ports)
    ports.queue(lane="amelia#maria")
    before = ports.engine.trail.last_number()
    change_lanes(ports, claim, job)
    told = [(entry.what, entry.lane) for entry in ports.engine.trail.read(after=before)]
    assert told == [
        (EventType.JOB_DONE, "amelia#scott"),
        (EventType.LANE_GIVEN_BACK, "amelia#scott"),
        (EventType.LANE_CLAIMED, "amelia#maria"),
        (EventType.JOB_STARTED, "amelia#maria"),
    ]


def test_a_worker_stays_in_its_lane_while_nobody_else_waits(ports: Ports) -> None:
    ports.queue()
    second = ports.queue()
    claim, job = take(ports)
    after = end(ports, claim, job)
    assert after.job is not None
    assert (after.job.id, after.others_wait, after.claimed) == (second, False, None)


def test_giving_way_also_helps_a_lane_whose_owner_died(ports: Ports) -> None:
    ports.queue(lane="amelia#maria")
    take(ports, "dead")
    for _ in range(2):
        ports.queue(lane="amelia#scott")
    claim, job = take(ports, "w1")
    ports.engine.claims.lapse("dead", ports.now)
    after = end(ports, claim, job)
    assert after.others_wait
    if after.claimed is not None:
        assert after.claimed.claim.lane.user == "maria"


def test_a_lane_that_gave_way_is_rung_for_when_somebody_is_free(ports: Ports) -> None:
    for lane in ("amelia#scott", "amelia#scott", "amelia#maria"):
        ports.queue(lane=lane)
        ports.clock.advance(timedelta(seconds=1))
    claim, job = take(ports, "busy")
    ports.engine.claims.wait_for_work("free", ports.now)
    listener = ports.engine.signals.listen("free")
    change_lanes(ports, claim, job)
    assert listener.wait(timedelta(seconds=60))
    listener.close()


@dataclass(slots=True)
class _Notes:
    """An edit of one second that only remembers in which lanes it worked, and says when that was enough."""

    ports: Ports
    enough: int
    stop: Callable[[], None] = lambda: None
    lanes: list[str] = field(default_factory=list)

    def run(self, claim: Claim, _job: Job, _pulse: AttemptControl) -> Ending:
        self.ports.clock.advance(timedelta(seconds=1))
        self.lanes.append(claim.lane.user)
        if len(self.lanes) == self.enough:
            self.stop()
        return DONE


@pytest.mark.one_engine
def test_one_worker_serves_lanes_in_turn_however_much_waits_in_each(ports: Ports) -> None:
    for user in ("scott", "maria", "tom"):
        for _ in range(3):
            ports.queue(lane=f"amelia#{user}")
        ports.clock.advance(timedelta(seconds=1))
    notes = _Notes(ports, enough=9)
    attempt = Attempt(ports.engine, notes, ports.clock, ports.limits, lambda: None)
    worker = Worker("w1", ports.engine, attempt, ports.clock, ports.limits)
    notes.stop = worker.drain
    worker.run()
    assert notes.lanes == ["scott", "maria", "tom"] * 3
