"""The till of one run: the money of a job, written down while it is spent, so that no death can hide it.

The journal names the run before it begins, and what it has cost when it ends; in between the spending knows. An
attempt that finds a run which never ended reads from the spending what it has left.
"""

from __future__ import annotations

import threading
import uuid
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from webordinary.agent.agent import MoneySpent, TokenCount
from webordinary.jobs.journal import Journal, RunOfAgent
from webordinary.jobs.spending import DayLimit, Payer, first_of_next_month

if TYPE_CHECKING:
    from webordinary.agent.agent import Allowance
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.journal import Noted
    from webordinary.jobs.spending import SpendingLedger
    from webordinary.routing.project import Budget


@dataclass(slots=True)
class DayTill:
    """Sets money aside within the day's limits; `before` is what earlier runs of the job have cost."""

    engine: Engine
    clock: Clock
    payer: Payer
    budget: Budget
    before: float
    usd: float = 0.0
    tokens: TokenCount = field(default_factory=TokenCount)
    # The spending takes one write of a run after the other.
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reserve(self, most: float, least: float) -> float:
        limit = DayLimit(self.budget.usd_a_day, self.budget.usd_a_day_each, self.budget.usd_a_month)
        with self._lock:
            granted = self.engine.spending.reserve(self.payer, most, least, limit, self.clock.now())
            self.usd += granted
        if not granted:
            raise self._tightest().spent
        return granted

    def charge(self, reserved: float, spent: float, tokens: TokenCount) -> None:
        with self._lock:
            self.engine.spending.charge(self.payer, reserved, spent, self.clock.now())
            self.usd += spent - reserved
            self.tokens += tokens

    def require_some(self) -> None:
        """Raise MoneySpent when the day or the month has nothing left."""
        if self._has_plainly_some():
            return
        tightest = self._tightest()
        if tightest.left <= 0:
            raise tightest.spent

    def _has_plainly_some(self) -> bool:
        """Tell by one question whether some is left without what was allowed on top, where there is one limit."""
        budget = self.budget
        if budget.usd_a_day_each is not None or budget.usd_a_month is not None:
            return False
        return self.engine.spending.spent(self.payer.lane.project, self.payer.day) < budget.usd_a_day

    def _tightest(self) -> _Limit:
        """Return the limit that is nearest."""
        budget, spending, lane, day = self.budget, self.engine.spending, self.payer.lane, self.payer.day
        allowed, tomorrow = spending.allowed(lane.project, day), day + timedelta(days=1)
        left = budget.usd_a_day + allowed - spending.spent(lane.project, day)
        limits = [_Limit(left, f"{budget.usd_a_day:g} USD a day", tomorrow, allowed)]
        if (each := budget.usd_a_day_each) is not None:
            mine = spending.spent(lane.project, day, user=lane.user)
            limits.append(_Limit(each + allowed - mine, f"{each:g} USD a day", tomorrow, allowed))
        if (whole := budget.usd_a_month) is not None:
            month = spending.month(lane.project, day)
            until = first_of_next_month(day)
            limits.append(_Limit(whole + month.allowed - month.usd, f"{whole:g} USD a month", until, allowed))
        return min(limits)


class _Limit(NamedTuple):
    """What is left of a limit, how it is told, when it begins anew, and what was allowed on top for the day."""

    left: float
    told: str
    until: date
    allowed: float

    @property
    def spent(self) -> MoneySpent:
        span = "month" if self.told.endswith("month") else "day"
        return MoneySpent(f"what may be spent in a {span} is spent", self.told, self.until, self.allowed)


def payer_of(job: Job, day: date) -> Payer:
    """Return a new run of a job."""
    return Payer(job.lane, day, uuid.uuid4().hex)


def noted_at_begin(allowance: Allowance) -> list[Noted]:
    """Return what the journal says before a run: from here on the spending is asked about it."""
    match allowance.till:
        case DayTill(payer=payer, before=before):
            spent = [Journal.spent(before)] if before else []
            return [Journal.open_run(RunOfAgent(payer.day, payer.run)), *spent]
        case _:
            return []


def noted_at_end(allowance: Allowance, journal: Journal) -> list[Noted]:
    """Return what the journal says behind a run; nothing is asked about it any more."""
    match allowance.till:
        case DayTill(before=before, usd=usd, tokens=tokens) if usd:
            counted = (journal.tokens or TokenCount()) + tokens
            return [Journal.spent(before + usd), Journal.open_run(None), Journal.tokens(counted)]
        case _:
            return []


def spent_on(spending: SpendingLedger, job: Job) -> float:
    """Return what the earlier runs of a job have cost, also one whose worker was killed in it."""
    left = job.journal.open_run
    left_behind = spending.spent_by(Payer(job.lane, left.day, left.run)) if left else 0.0
    return (job.journal.spent or 0.0) + left_behind
