"""Spending, kept in SQLite."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import one, rows
from webordinary.jobs.spending import MonthSpending, OutcomeCost, first_of_next_month

if TYPE_CHECKING:
    from datetime import date

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.jobs.spending import Concluded, DayLimit, Payer

# A job that was begun so long ago is over.
_KEPT = timedelta(days=40)
_SPENT = "SELECT coalesce(sum(usd), 0.0) FROM spending WHERE project = ?1 AND day = ?2 AND (?3 IS NULL OR user = ?3)"
_ADD = """
INSERT INTO spending (project, day, user, usd) VALUES (?, ?, ?, ?)
ON CONFLICT (project, day, user) DO UPDATE SET usd = usd + excluded.usd
"""
_ADD_TO_RUN = """
INSERT INTO spending_of_runs (day, run, usd) VALUES (?, ?, ?)
ON CONFLICT (day, run) DO UPDATE SET usd = usd + excluded.usd
"""
_ADD_TO_OUTCOME = """
INSERT INTO spending_of_outcomes (project, day, outcome, jobs, usd) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (project, day, outcome) DO UPDATE SET jobs = jobs + excluded.jobs, usd = usd + excluded.usd
"""
_ALLOW = """
INSERT INTO spending_allowed (project, day, usd) VALUES (?, ?, ?)
ON CONFLICT (project, day) DO UPDATE SET usd = usd + excluded.usd
"""
_IN_MONTH = "project = ? AND day >= ? AND day < ?"


class SqliteSpending:
    """One row for each lane and day, and one for each run."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def reserve(self, payer: Payer, most: float, least: float, limit: DayLimit, now: Moment) -> float:  # noqa: ARG002 - nothing here grows old by itself
        with self._database.write() as cursor:
            granted = min(most, _left(cursor, payer, limit))
            if granted < least or granted <= 0:
                return 0.0
            _add(cursor, payer, granted)
            return granted

    def charge(self, payer: Payer, reserved: float, spent: float, now: Moment) -> None:  # noqa: ARG002 - as above
        with self._database.write() as cursor:
            _add(cursor, payer, spent - reserved)
            cursor.execute("DELETE FROM spending_of_runs WHERE day < ?", ((payer.day - _KEPT).isoformat(),))

    def spent(self, project: str, day: date, *, user: str | None = None) -> float:
        with self._database.read() as cursor:
            return _spent(cursor, project, day, user)

    def spent_by(self, payer: Payer) -> float:
        sql = "SELECT usd FROM spending_of_runs WHERE day = ? AND run = ?"
        with self._database.read() as cursor:
            row = one(cursor, sql, (payer.day.isoformat(), payer.run))
        return float(row[0]) if row else 0.0

    def conclude(self, concluded: Concluded, now: Moment) -> None:  # noqa: ARG002 - as above
        day = concluded.day.isoformat()
        with self._database.write() as cursor:
            before = one(
                cursor, "SELECT outcome, usd FROM spending_of_jobs WHERE day = ? AND job = ?", (day, concluded.job)
            )
            if before is not None:
                cursor.execute(_ADD_TO_OUTCOME, (concluded.project, day, before[0], -1, -before[1]))
            cursor.execute(_ADD_TO_OUTCOME, (concluded.project, day, concluded.outcome, 1, concluded.usd))
            cursor.execute(
                "INSERT OR REPLACE INTO spending_of_jobs (day, job, outcome, usd) VALUES (?, ?, ?, ?)",
                (day, concluded.job, concluded.outcome, concluded.usd),
            )
            cursor.execute("DELETE FROM spending_of_jobs WHERE day < ?", ((concluded.day - _KEPT).isoformat(),))

    def allow(self, project: str, day: date, usd: float, now: Moment) -> None:  # noqa: ARG002 - as above
        with self._database.write() as cursor:
            cursor.execute(_ALLOW, (project, day.isoformat(), usd))

    def allowed(self, project: str, day: date) -> float:
        with self._database.read() as cursor:
            return _allowed(cursor, project, day)

    def month(self, project: str, day: date) -> MonthSpending:
        with self._database.read() as cursor:
            return _month(cursor, project, day)


def _left(cursor: apsw.Cursor, payer: Payer, limit: DayLimit) -> float:
    project, day = payer.lane.project, payer.day
    allowed = _allowed(cursor, project, day)
    left = limit.usd + allowed - _spent(cursor, project, day, None)
    if limit.usd_each is not None:
        left = min(left, limit.usd_each + allowed - _spent(cursor, project, day, payer.lane.user))
    if limit.usd_a_month is not None:
        month = _month(cursor, project, day)
        left = min(left, limit.usd_a_month + month.allowed - month.usd)
    return left


def _allowed(cursor: apsw.Cursor, project: str, day: date) -> float:
    row = one(cursor, "SELECT usd FROM spending_allowed WHERE project = ? AND day = ?", (project, day.isoformat()))
    return float(row[0]) if row else 0.0


def _month(cursor: apsw.Cursor, project: str, day: date) -> MonthSpending:
    span = (project, day.replace(day=1).isoformat(), first_of_next_month(day).isoformat())
    sums = [
        one(cursor, f"SELECT coalesce(sum(usd), 0.0) FROM {table} WHERE {_IN_MONTH}", span)  # noqa: S608 - constants
        for table in ("spending", "spending_allowed")
    ]
    found = rows(cursor, f"SELECT outcome, jobs, usd FROM spending_of_outcomes WHERE {_IN_MONTH}", span)  # noqa: S608 - a constant
    outcomes: dict[str, OutcomeCost] = {}
    for outcome, jobs, usd in found:
        known = outcomes.get(outcome, OutcomeCost())
        outcomes[outcome] = OutcomeCost(known.jobs + jobs, known.usd + usd)
    spent, allowed = (float(row[0]) if row else 0.0 for row in sums)
    return MonthSpending(spent, allowed, {name: cost for name, cost in outcomes.items() if cost.jobs})


def _spent(cursor: apsw.Cursor, project: str, day: date, user: str | None) -> float:
    row = one(cursor, _SPENT, (project, day.isoformat(), user))
    return float(row[0]) if row else 0.0


def _add(cursor: apsw.Cursor, payer: Payer, usd: float) -> None:
    cursor.execute(_ADD, (payer.lane.project, payer.day.isoformat(), payer.lane.user, usd))
    cursor.execute(_ADD_TO_RUN, (payer.day.isoformat(), payer.run, usd))
