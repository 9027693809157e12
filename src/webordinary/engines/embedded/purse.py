"""The purse in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import one

if TYPE_CHECKING:
    from datetime import date

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.routing.lane import Lane


class SqlitePurse:
    """One row for each lane and day."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def spend(self, lane: Lane, day: date, usd: float, now: Moment) -> None:  # noqa: ARG002 - nothing here grows old by itself
        sql = (
            "INSERT INTO spending (project, day, user, usd) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (project, day, user) DO UPDATE SET usd = usd + excluded.usd"
        )
        with self._database.write() as cursor:
            cursor.execute(sql, (lane.project, day.isoformat(), lane.user, usd))

    def spent(self, project: str, day: date, *, user: str | None = None) -> float:
        sql = (
            "SELECT coalesce(sum(usd), 0.0) FROM spending WHERE project = ?1 AND day = ?2 AND (?3 IS NULL OR user = ?3)"
        )
        with self._database.read() as cursor:
            row = one(cursor, sql, (project, day.isoformat(), user))
        return float(row[0]) if row else 0.0
