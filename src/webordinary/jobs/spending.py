"""Spending: what agents have spent, counted for each project, each user and each run, day by day.

What an answer of a model may cost at most is set aside before it is asked for, and replaced by what it has cost: jobs
that run at the same time cannot spend the same dollar, and a worker that is killed has left its bill.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import date

    from webordinary.clock import Moment
    from webordinary.routing.lane import Lane


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays: one run of an agent for a lane; the day is one of the project's own time zone."""

    lane: Lane
    day: date
    run: str


@dataclass(frozen=True, slots=True)
class DayLimit:
    """What a project may spend in a day, and each of its users if there is such a limit."""

    usd: float
    usd_each: float | None = None


class SpendingLedger(Protocol):
    """Whatever is set aside counts as spent until it is settled; what a dead worker has set aside stays spent."""

    def reserve(self, payer: Payer, most: float, least: float, limit: DayLimit, now: Moment) -> float:
        """Set aside `most`, or what the day has left if that is `least` at least; 0 when it is not."""

    def settle(self, payer: Payer, reserved: float, spent: float, now: Moment) -> None:
        """Replace what was set aside by what was spent, which may be more."""

    def spent(self, project: str, day: date, *, user: str | None = None) -> float:
        """Return what the project has spent on this day, or one user's part of it."""

    def spent_by(self, payer: Payer) -> float:
        """Return what one run has spent."""
