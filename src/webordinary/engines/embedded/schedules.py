"""Schedules in SQLite."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from webordinary.engines.embedded.database import changed, one
from webordinary.engines.embedded.rows import write_entry
from webordinary.engines.stored_text import storable, text_of
from webordinary.jobs.schedules import Schedule, about_schedule

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database


class SqliteSchedules:
    """One row for each moment that is still to come, and for those that are over."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def due(self, now: Moment, *, limit: int = 20) -> Sequence[Schedule]:
        sql = "SELECT body FROM schedules WHERE closed_at IS NULL AND at <= ? ORDER BY at, id LIMIT ?"
        with self._database.read() as cursor:
            return [msgspec.json.decode(row[0], type=Schedule) for row in cursor.execute(sql, (now.seconds, limit))]

    def find(self, schedule: str) -> Schedule | None:
        with self._database.read() as cursor:
            row = one(cursor, "SELECT body, closed_by FROM schedules WHERE id = ?", (schedule,))
        return replace(msgspec.json.decode(row[0], type=Schedule), closed_by=row[1] or "") if row else None

    def all(self, *, project: str | None = None) -> Sequence[Schedule]:
        sql = "SELECT body FROM schedules WHERE closed_at IS NULL AND (?1 IS NULL OR project = ?1) ORDER BY at, id"
        with self._database.read() as cursor:
            return [msgspec.json.decode(row[0], type=Schedule) for row in cursor.execute(sql, (project,))]

    def add(self, schedule: Schedule, now: Moment) -> bool:
        with self._database.write() as cursor:
            return add_schedule(cursor, schedule, now)

    def close(self, schedule: str, by: str, now: Moment) -> bool:
        sql = "UPDATE schedules SET closed_at = ?, closed_by = ? WHERE id = ? AND closed_at IS NULL"
        with self._database.write() as cursor:
            if not changed(cursor, sql, (now.seconds, storable(by), schedule)):
                return False
            row = one(cursor, "SELECT body FROM schedules WHERE id = ?", (schedule,))
            if row is not None:
                write_entry(cursor, about_schedule(msgspec.json.decode(row[0], type=Schedule), by, now))
            return True


def add_schedule(cursor: apsw.Cursor, schedule: Schedule, now: Moment) -> bool:
    """Keep a moment, inside the caller's transaction; False when its id is known."""
    values = (schedule.id, schedule.lane.project, schedule.at.timestamp(), text_of(schedule), now.seconds)
    sql = "INSERT OR IGNORE INTO schedules (id, project, at, body, added_at) VALUES (?, ?, ?, ?, ?)"
    return bool(changed(cursor, sql, values))
