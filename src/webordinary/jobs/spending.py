"""Spending: what agents have spent, counted for each project, each user and each run, day by day.

What an answer of a model may cost at most is set aside before it is asked for, and replaced by what it has cost: jobs
that run at the same time cannot spend the same dollar, and a worker that is killed has left its bill.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    """What a project may spend in a day; each of its users, and all of it in a month, if there are such limits."""

    usd: float
    usd_each: float | None = None
    usd_a_month: float | None = None


@dataclass(frozen=True, slots=True)
class Concluded:
    """What a job has cost, and how it ended: its outcome, else its state."""

    job: str
    project: str
    day: date
    outcome: str
    usd: float


@dataclass(frozen=True, slots=True)
class OutcomeCost:
    """How many jobs ended alike, and what they have cost together."""

    jobs: int = 0
    usd: float = 0.0


@dataclass(frozen=True, slots=True)
class MonthSpending:
    """What a project has spent in a month, what was allowed on top of its limits, and what came of it."""

    usd: float = 0.0
    allowed: float = 0.0
    outcomes: Mapping[str, OutcomeCost] = field(default_factory=dict)

    @property
    def open(self) -> float:
        """What has come to no end yet, or to none that could be written down."""
        return max(0.0, self.usd - sum(cost.usd for cost in self.outcomes.values()))


def first_of_next_month(day: date) -> date:
    """Return the day on which a month's money is whole again."""
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1)


class SpendingLedger(Protocol):
    """What is reserved counts as spent until it is charged; what a dead worker has reserved stays spent."""

    def reserve(self, payer: Payer, most: float, least: float, limit: DayLimit, now: Moment) -> float:
        """Set aside `most`, or what the day has left if that is `least` at least; 0 when it is not."""

    def charge(self, payer: Payer, reserved: float, spent: float, now: Moment) -> None:
        """Replace what was set aside by what was spent, which may be more."""

    def spent(self, project: str, day: date, *, user: str | None = None) -> float:
        """Return what the project has spent on this day, or one user's part of it."""

    def spent_by(self, payer: Payer) -> float:
        """Return what one run has spent."""

    def conclude(self, concluded: Concluded, now: Moment) -> None:
        """Count what an ended job has cost for its outcome; of several words about a job of one day the last counts."""

    def allow(self, project: str, day: date, usd: float, now: Moment) -> None:
        """Let the project spend so much more on this day, over all of its limits for the day and the month."""

    def allowed(self, project: str, day: date) -> float:
        """Return what the project may spend on this day on top of its limits."""

    def month(self, project: str, day: date) -> MonthSpending:
        """Return what the project has spent in the month of this day."""
