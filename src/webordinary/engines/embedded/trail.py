"""The trail in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import changed, one
from webordinary.engines.embedded.rows import select_entries, write_entry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from webordinary.audit.entry import Entry
    from webordinary.engines.embedded.database import Database

_PIECE = 1000


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
        return self._select({"number >": after, "job =": job, "lane =": lane}, "number", limit)

    def newest(
        self, *, limit: int, job: str | None = None, lane: str | None = None, before: int | None = None
    ) -> Sequence[Entry]:
        asked = {"number >": 0, "number <": before, "job =": job, "lane =": lane}
        return self._select(asked, "number DESC", limit)[::-1]

    def last_number(self) -> int:
        with self._database.read() as cursor:
            row = one(cursor, "SELECT max(number) FROM trail")
            return row[0] or 0 if row else 0

    def forget_before(self, at: datetime) -> int:
        # From the oldest on; entries stand nearly in the order of their times.
        oldest = "SELECT number FROM trail WHERE number > 0 ORDER BY number LIMIT ?2"
        sql = f"DELETE FROM trail WHERE number IN ({oldest}) AND at < ?1"  # noqa: S608 - constants
        forgotten, piece = 0, _PIECE
        # In pieces, so that nobody who wants to write waits for a month's worth to be deleted.
        while piece == _PIECE:
            with self._database.write() as cursor:
                piece = changed(cursor, sql, (at.timestamp(), _PIECE))
            forgotten += piece
        return forgotten

    def _select(self, wanted: Mapping[str, int | str | None], order: str, limit: int) -> list[Entry]:
        asked = {condition: value for condition, value in wanted.items() if value is not None}
        # Only what is asked for stands in the query, so that a job's entries are found by their index.
        where = " AND ".join(f"{condition} ?" for condition in asked)
        with self._database.read() as cursor:
            return select_entries(cursor, f"{where} ORDER BY {order} LIMIT ?", (*asked.values(), limit))
