"""A clock that only moves when a test says so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from webordinary.clock import Moment

_BEGINNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class ManualClock:
    """Monday morning, until it is moved."""

    def __init__(self) -> None:
        self._now = Moment(_BEGINNING, 1000.0, "first-boot")

    def now(self) -> Moment:
        return self._now

    def advance(self, by: timedelta) -> Moment:
        """Let time pass on both clocks."""
        self._now += by
        return self._now

    def jump(self, by: timedelta) -> Moment:
        """Move only the wall clock, as an operator or a time server does."""
        self._now = Moment(self._now.wall_at + by, self._now.boot, self._now.boot_id)
        return self._now

    def reboot(self) -> Moment:
        """Begin a new boot: leases of the old one mean nothing any more."""
        self._now = Moment(self._now.wall_at, 10.0, f"{self._now.boot_id}-again")
        return self._now
