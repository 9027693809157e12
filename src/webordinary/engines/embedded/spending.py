"""Spending, kept in SQLite."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import one

if TYPE_CHECKING:
    from datetime import date

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.jobs.spending import DayLimit, Payer

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

    def settle(self, payer: Payer, reserved: float, spent: float, now: Moment) -> None:  # noqa: ARG002 - as above
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


def _left(cursor: apsw.Cursor, payer: Payer, limit: DayLimit) -> float:
    left = limit.usd - _spent(cursor, payer.lane.project, payer.day, None)
    if limit.usd_each is None:
        return left
    return min(left, limit.usd_each - _spent(cursor, payer.lane.project, payer.day, payer.lane.user))


def _spent(cursor: apsw.Cursor, project: str, day: date, user: str | None) -> float:
    row = one(cursor, _SPENT, (project, day.isoformat(), user))
    return float(row[0]) if row else 0.0


def _add(cursor: apsw.Cursor, payer: Payer, usd: float) -> None:
    cursor.execute(_ADD, (payer.lane.project, payer.day.isoformat(), payer.lane.user, usd))
    cursor.execute(_ADD_TO_RUN, (payer.day.isoformat(), payer.run, usd))
