"""What every engine promises about whose turn it is among lanes: nobody who waits is passed over for ever."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.contracts.test_lanes import take
from webordinary.jobs.job import Kind

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

SECOND = timedelta(seconds=1)


def test_a_lane_waits_from_the_moment_on_at_which_its_head_may_start(ports: Ports) -> None:
    ports.queue(lane="amelia#maria")
    claim, job = take(ports, "w1")
    ports.engine.attempts.retry(claim, job, "away", timedelta(seconds=20), ports.now)
    ports.engine.claims.give_back(claim, ports.now)
    ports.clock.advance(timedelta(seconds=10))
    ports.queue(lane="amelia#scott")
    ports.clock.advance(timedelta(seconds=11))
    assert [take(ports, worker)[0].lane.user for worker in ("w1", "w2")] == ["scott", "maria"]


def test_a_verb_ends_the_wait_of_a_lane_whose_head_backs_off(ports: Ports) -> None:
    ports.queue(lane="amelia#maria", thread="a")
    claim, job = take(ports, "w1")
    ports.engine.attempts.retry(claim, job, "away", timedelta(hours=1), ports.now)
    ports.engine.claims.give_back(claim, ports.now)
    ports.clock.advance(SECOND)
    verb = ports.queue(lane="amelia#maria", thread="b", kind=Kind.VERB)
    ports.clock.advance(SECOND)
    ports.queue(lane="amelia#scott")
    ports.clock.advance(SECOND)
    assert take(ports, "w1")[1].id == verb


def test_a_lane_that_waited_when_the_clock_was_set_back_keeps_its_turn(ports: Ports) -> None:
    ports.queue(lane="amelia#maria")
    ports.clock.jump(timedelta(days=-1))
    ports.engine.lanes.sweep(ports.now)
    ports.clock.advance(SECOND)
    ports.queue(lane="amelia#scott")
    ports.clock.advance(SECOND)
    assert [take(ports, worker)[0].lane.user for worker in ("w1", "w2")] == ["maria", "scott"]


def test_nobody_is_called_for_a_paused_lane_whose_owner_died(ports: Ports) -> None:
    ports.queue()
    take(ports, "dead")
    ports.engine.lanes.pause("amelia", "not now", ports.now)
    ports.engine.claims.lapse("dead", ports.now)
    listener = ports.engine.signals.listen("free")
    ports.engine.claims.wait_for_work("free", ports.now)
    while listener.wait(timedelta(0)):
        """Whoever died was told of."""
    ports.clock.advance(ports.limits.ring_again)
    ports.engine.lanes.sweep(ports.now)
    assert not listener.wait(timedelta(0))
    ports.engine.lanes.resume("amelia", "scott", ports.now)
    assert listener.wait(timedelta(seconds=30))
    listener.close()
