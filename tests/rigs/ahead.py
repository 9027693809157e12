"""A clock that a test moves ahead, for all processes of its rig: how far stands in a file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from webordinary.clock import Moment, SystemClock

if TYPE_CHECKING:
    from pathlib import Path

AHEAD = "TESTS_AHEAD"


class Ahead:
    """The machine's clock; only the wall is moved, as for somebody who slept."""

    def __init__(self, file: Path) -> None:
        self._clock = SystemClock()
        self._file = file

    def now(self) -> Moment:
        now = self._clock.now()
        return Moment(now.wall_at + self._by, now.boot, now.boot_id)

    def move_to(self, at: datetime) -> None:
        """Let it be a moment after this one, and go on from there."""
        fresh = self._file.with_suffix(".new")
        by = at - datetime.now(UTC) + timedelta(seconds=1)
        fresh.write_text(str(by.total_seconds()), encoding="ascii")
        fresh.replace(self._file)

    @property
    def _by(self) -> timedelta:
        return timedelta(seconds=float(self._file.read_text(encoding="ascii"))) if self._file.exists() else timedelta(0)
