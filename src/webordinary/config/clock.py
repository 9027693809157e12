"""What time it is for an installation: its configuration says whether the clock can be turned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.clock import SystemClock, TurnedClock

if TYPE_CHECKING:
    from webordinary.clock import Clock
    from webordinary.config import Config


def clock_of(config: Config) -> Clock:
    """Return the machine's clock; that of a demo can be turned forward."""
    return TurnedClock(config.data / "clock") if config.demo else SystemClock()
