"""What a site has spent, as the agency reads it: this month and today, for each outcome, against its budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

    from webordinary.engine import Engine
    from webordinary.jobs.spending import MonthSpending
    from webordinary.routing.project import Budget, Project


@dataclass(frozen=True, slots=True)
class SiteSpending:
    """One project's money, on a day of its own time zone."""

    project: str
    day: date
    budget: Budget
    today: float
    allowed_today: float
    month: MonthSpending

    def record(self) -> dict[str, object]:
        """Return it for programs."""
        costs = self.month.outcomes.items()
        return {
            "month": f"{self.day:%Y-%m}",
            "usd": round(self.month.usd, 6),
            "usd_a_month": self.budget.usd_a_month,
            "outcomes": {name: {"jobs": cost.jobs, "usd": round(cost.usd, 6)} for name, cost in sorted(costs)},
            "open_usd": round(self.month.open, 6),
            "day": self.day.isoformat(),
            "usd_today": round(self.today, 6),
            "usd_a_day": self.budget.usd_a_day,
            "allowed_today": round(self.allowed_today, 6),
            "when_spent": self.budget.when_spent.value,
        }


def spending_of(engine: Engine, project: Project, at: datetime) -> SiteSpending:
    """Return what a project has spent until now."""
    day, ledger = at.astimezone(ZoneInfo(project.rules.timezone)).date(), engine.spending
    today, allowed = ledger.spent(project.id, day), ledger.allowed(project.id, day)
    return SiteSpending(project.id, day, project.rules.budget, today, allowed, ledger.month(project.id, day))


def spending_of_all(engine: Engine, at: datetime) -> Iterator[SiteSpending]:
    """Yield what each project has spent until now."""
    return (spending_of(engine, project, at) for project in engine.projects.all())


def told_spending(spending: SiteSpending) -> str:
    """Tell one project's month in a line."""
    month, whole = spending.month, spending.budget.usd_a_month
    parts = [f"{name} {cost.usd:.2f}" for name, cost in sorted(month.outcomes.items())]
    parts += [f"open {month.open:.2f}"] if round(month.open, 2) else []
    limit = f" of {whole:g}" if whole is not None else ""
    return f"{spending.project}: {month.usd:.2f}{limit} USD" + (f" ({', '.join(parts)})" if parts else "")
