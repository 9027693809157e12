"""The sweep and the forgetting stay short, however much there is."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.audit.entry import Entry, EventType
from webordinary.overview import EVERY

if TYPE_CHECKING:
    from pathlib import Path


def test_a_sweep_rings_for_the_lanes_that_wait_longest_and_not_for_all(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    for number in range(201):
        ports.queue(lane=f"amelia#user{number}", thread=f"t{number}")
        ports.clock.advance(timedelta(milliseconds=1))
    ports.clock.advance(ports.limits.ring_again)
    assert ports.engine.lanes.sweep(ports.now) == 200
    (last,) = [view for view in ports.engine.overview.lanes(ports.now, limit=EVERY) if view.lane == "amelia#user200"]
    assert last.rings == 1


def test_all_that_is_too_old_is_forgotten_also_when_it_is_more_than_one_piece(tmp_path: Path) -> None:
    ports = open_embedded_ports(tmp_path)
    for _ in range(1001):
        ports.engine.trail.record(Entry(EventType.STEP, ports.now.wall_at))
    ports.clock.advance(timedelta(days=1))
    assert ports.engine.trail.forget_before(ports.now.wall_at) == 1001
