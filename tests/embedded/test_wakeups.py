"""What is special about wakeups on one machine: each worker has its own, under its name."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.engines.embedded.signals import DatagramSignals

if TYPE_CHECKING:
    from pathlib import Path

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
