"""Time, as a value that is handed in: one moment on the wall and on the machine's own boot clock."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

_MINUTE, _HOUR = 60, 3_600


@dataclass(frozen=True, slots=True)
class Moment:
    """One instant, read twice: leases live on the boot clock, everything longer on the wall."""

    wall_at: datetime
    boot: float
    boot_id: str
    # The wall clock as the stores keep it; asked for many times in each transaction.
    seconds: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seconds", self.wall_at.timestamp())

    def __add__(self, duration: timedelta) -> Moment:
        return Moment(self.wall_at + duration, self.boot + duration.total_seconds(), self.boot_id)


class Clock(Protocol):
    """Whatever can say what time it is."""

    def now(self) -> Moment: ...


class SystemClock:
    """The machine's clocks; the boot clock also runs while the machine sleeps and never jumps."""

    def __init__(self) -> None:
        self._boot_id = _read_boot_id()

    def now(self) -> Moment:
        return Moment(datetime.now(UTC), time.clock_gettime(time.CLOCK_BOOTTIME), self._boot_id)


class TurnedClock:
    """The machine's clock with its wall turned forward, for all processes of a demo: how far stands in a file."""

    def __init__(self, file: Path) -> None:
        self._clock = SystemClock()
        self._file = file

    def now(self) -> Moment:
        now = self._clock.now()
        # Leases live on the boot clock and notice nothing, as when somebody slept.
        return Moment(now.wall_at + self.ahead, now.boot, now.boot_id)

    @property
    def ahead(self) -> timedelta:
        """How far the wall is ahead of the machine's."""
        return timedelta(seconds=float(self._file.read_text(encoding="ascii"))) if self._file.exists() else timedelta(0)

    def turn_to(self, at: datetime) -> None:
        """Let it be a moment after this one, and go on from there."""
        fresh = self._file.with_suffix(".new")
        by = at - datetime.now(UTC) + timedelta(seconds=1)
        fresh.write_text(str(by.total_seconds()), encoding="ascii")
        fresh.replace(self._file)


def _read_boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        # Without a boot id a restart cannot be told from a running machine; leases then end by time alone.
        return "unknown-boot"


def say_duration(duration: timedelta) -> str:
    """Return a duration as people say it, with no more figures than anybody wants to know."""
    seconds = round(duration.total_seconds(), None if duration > timedelta(seconds=10) else 1)
    if seconds >= _HOUR and seconds % _HOUR == 0:
        return f"{seconds // _HOUR:g} h"
    if seconds >= 2 * _MINUTE or seconds == _MINUTE:
        return f"{round(seconds / _MINUTE)} min"
    return f"{seconds:g} s"


def from_seconds(seconds: float) -> datetime:
    """Return the wall time that a store kept as seconds."""
    return datetime.fromtimestamp(seconds, UTC)
