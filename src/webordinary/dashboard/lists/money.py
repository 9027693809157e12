"""Money beside its limit, as every row of a list shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.jobs.job import Job
    from webordinary.routing.project import Project

_NEARLY = 0.8


@dataclass(frozen=True, slots=True)
class Money:
    """What was spent, and of how much; without a limit nothing is too much."""

    usd: float
    limit: float | None = None

    @property
    def words(self) -> str:
        return f"{self.usd:.2f}" + (f" of {self.limit:g} USD" if self.limit is not None else " USD")

    @property
    def part(self) -> int:
        """How much of the limit is spent, in percent, for a bar."""
        return 0 if not self.limit else min(100, round(100 * self.usd / self.limit))

    @property
    def warning(self) -> str:
        """What the eye should not miss, in words."""
        if self.limit is None or not self.usd:
            return ""
        if self.usd >= self.limit:
            return "all spent"
        return "nearly spent" if self.usd >= _NEARLY * self.limit else ""


def money_of(job: Job | None, projects: dict[str, Project]) -> Money:
    """Return what a job has cost of what one job of its project may cost."""
    if job is None:
        return Money(0.0)
    project = projects.get(job.lane.project)
    return Money(job.journal.usd or 0.0, project.rules.budget.usd if project else None)
