"""A plan: what each number of workers would mean for an agency's own traffic, and which number is enough."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING

from webordinary.serve.pool import DAY, Day, Traffic, draw_mails, find_need, hours_on_demand, live_through

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Plan:
    """The same day again and again with another number of workers, beside a worker of its own for each lane."""

    traffic: Traffic
    within: timedelta
    days: tuple[Day, ...]
    need: Day
    dedicated_hours: float
    on_demand_hours: float

    def saved_percent(self, day: Day) -> float:
        """How many worker-hours fewer than with a worker for each lane that is always there."""
        return (1 - day.worker_hours / self.dedicated_hours) * 100

    def saved_on_demand_percent(self, day: Day) -> float:
        """The same against workers that are there only from a lane's mail until its idle time is over."""
        return (1 - day.worker_hours / self.on_demand_hours) * 100 if self.on_demand_hours else 0.0

    def facts(self) -> dict[str, object]:
        """Return everything as plain numbers, durations in seconds."""
        return {
            "traffic": asdict(self.traffic),
            "mails": self.need.mails,
            "work_hours": round(self.need.busy.total_seconds() / 3600, 1),
            "dedicated_worker_hours": round(self.dedicated_hours, 1),
            "on_demand_worker_hours": round(self.on_demand_hours, 1),
            "within_s": self.within.total_seconds(),
            "needed_workers": self.need.workers,
            "needed": self._facts_of(self.need),
            "days": [self._facts_of(day) for day in self.days],
        }

    def _facts_of(self, day: Day) -> dict[str, float]:
        return {
            "workers": day.workers,
            "waiting_p50_s": round(day.waited_p50.total_seconds(), 1),
            "waiting_p95_s": round(day.waited_p95.total_seconds(), 1),
            "waiting_longest_s": round(day.waited_longest.total_seconds(), 1),
            "later_than_alone_p95_s": round(day.later_p95.total_seconds(), 1),
            "busy_percent": round(day.busy_percent, 1),
            "worker_hours": round(day.worker_hours, 1),
            "saved_percent": round(self.saved_percent(day), 1),
            "saved_on_demand_percent": round(self.saved_on_demand_percent(day), 1),
        }


def plan_workers(traffic: Traffic, counts: Iterable[int], within: timedelta) -> Plan:
    """Live through one day with each number of workers, and look for the smallest number that is enough."""
    mails = draw_mails(traffic)

    @cache
    def live(workers: int) -> Day:
        return live_through(mails, workers)

    return Plan(
        traffic=traffic,
        within=within,
        days=tuple(live(workers) for workers in counts),
        need=find_need(live, within, at_most=max(traffic.lanes, 1)),
        dedicated_hours=traffic.lanes * DAY.total_seconds() / 3600,
        on_demand_hours=hours_on_demand(mails),
    )
