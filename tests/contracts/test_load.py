"""What every engine promises about how much waits and runs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.contracts.test_lanes import DONE, take
from webordinary.overview import LoadView

if TYPE_CHECKING:
    from tests.rigs.ports import Ports

_MINUTE = timedelta(minutes=1)


def test_where_nothing_ever_happened_nothing_waits(ports: Ports) -> None:
    assert ports.engine.overview.load(ports.now) == LoadView(0, timedelta(), 0, 0, timedelta())


def test_lanes_and_jobs_wait_until_somebody_takes_them(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    ports.queue(lane="amelia#scott")
    ports.clock.advance(_MINUTE)
    ports.queue(lane="amelia#maria")
    ports.clock.advance(_MINUTE)
    load = ports.engine.overview.load(ports.now)
    assert (load.lanes_waiting, load.jobs_waiting, load.jobs_running) == (2, 3, 0)
    assert (load.longest_lane, load.longest_job) == (2 * _MINUTE, 2 * _MINUTE)
    claim, job = take(ports)
    assert claim.lane.user == "scott"
    load = ports.engine.overview.load(ports.now)
    assert (load.lanes_waiting, load.jobs_waiting, load.jobs_running) == (1, 2, 1)
    assert (load.longest_lane, load.longest_job) == (_MINUTE, 2 * _MINUTE)
    ports.engine.attempts.finish(claim, job, DONE, ports.now)
    assert ports.engine.overview.load(ports.now).jobs_running == 0


def test_a_lane_whose_owner_is_gone_waits_again(ports: Ports) -> None:
    ports.queue(lane="amelia#scott")
    take(ports)
    ports.clock.advance(timedelta(hours=1))
    load = ports.engine.overview.load(ports.now)
    assert load.lanes_waiting == 1
    assert timedelta() < load.longest_lane < timedelta(hours=1)
