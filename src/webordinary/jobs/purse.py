"""The purse: what agents have spent, counted for each project and each lane, day by day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import date

    from webordinary.clock import Moment
    from webordinary.routing.lane import Lane


class Purse(Protocol):
    """Adds up and never takes away; a day is one of the project's own time zone, and its name is given."""

    def spend(self, lane: Lane, day: date, usd: float, now: Moment) -> None:
        """Add to what the lane and its project have spent on this day."""

    def spent(self, project: str, day: date, *, user: str | None = None) -> float:
        """Return what the project has spent on this day, or one user's part of it."""
