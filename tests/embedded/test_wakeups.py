"""What is special about wakeups on one machine: each worker has its own, under its name."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.engines.embedded.signals import DatagramSignals
from webordinary.engines.embedded.store import SqliteStore
from webordinary.ownership.claims import LostClaim

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.clock import Moment
    from webordinary.dispatch.lane import LaneRow

LONG = timedelta(seconds=60)


def test_a_bell_that_rings_while_nobody_waits_is_heard_at_the_next_wait(tmp_path: Path) -> None:
    signals = DatagramSignals(tmp_path)
    listener = signals.listen("w1")
    signals.wake(["w1"])
    signals.wake(["w1"])
    assert listener.wait(LONG)
    assert not listener.wait(timedelta(0))
    listener.close()


def test_ringing_somebody_who_is_gone_rings_the_next(tmp_path: Path) -> None:
    signals = DatagramSignals(tmp_path)
    listener = signals.listen("here")
    signals.wake(["gone", "here"])
    assert listener.wait(LONG)
    listener.close()
    signals.wake(["gone", "here"])


def test_a_worker_that_was_too_slow_for_a_lane_is_still_called_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = open_embedded_ports(tmp_path)
    claims = ports.engine.claims
    ports.queue()
    claims.wait_for_work("slow", ports.now)
    look = SqliteStore.free_lanes

    def look_too_early(store: SqliteStore, now: Moment, *, besides: str = "") -> list[LaneRow]:
        seen = look(store, now, besides=besides)
        monkeypatch.setattr(SqliteStore, "free_lanes", look)
        assert claims.claim("quick", now) is not None
        return seen

    monkeypatch.setattr(SqliteStore, "free_lanes", look_too_early)
    with pytest.raises(LostClaim):
        claims.claim("slow", ports.now)
    listener = ports.engine.signals.listen("slow")
    ports.queue(lane="amelia#jane")
    assert listener.wait(LONG)
    listener.close()
