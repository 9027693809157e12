"""The trail in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import changed, one
from webordinary.engines.embedded.rows import select_entries, write_entry

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from webordinary.audit.entry import Entry
    from webordinary.engines.embedded.database import Database


class SqliteTrail:
    """Entries by number, which only grows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, entry: Entry) -> None:
        with self._database.write() as cursor:
            write_entry(cursor, entry)

    def read(
        self, *, after: int = 0, limit: int = 1000, job: str | None = None, lane: str | None = None
    ) -> Sequence[Entry]:
        with self._database.read() as cursor:
            where = "number > ?1 AND (?2 IS NULL OR job = ?2) AND (?3 IS NULL OR lane = ?3) ORDER BY number LIMIT ?4"
            return select_entries(cursor, where, (after, job, lane, limit))

    def last_number(self) -> int:
        with self._database.read() as cursor:
            row = one(cursor, "SELECT max(number) FROM trail")
            return row[0] or 0 if row else 0

    def forget_before(self, at: datetime) -> int:
        with self._database.write() as cursor:
            return changed(cursor, "DELETE FROM trail WHERE at < ?", (at.timestamp(),))
