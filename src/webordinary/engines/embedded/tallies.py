"""Tallies in SQLite: one row for each thing that was noted."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import one
from webordinary.engines.embedded.rows import storable

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database

# Longer than any limit looks back.
_KEPT_FOR = timedelta(days=3)


class SqliteTallies:
    """Counts rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, tally: str, thing: str, now: Moment, *, most: int) -> int:
        tally, thing = storable(tally), storable(thing)
        with self._database.write() as cursor:
            known = one(cursor, "SELECT 1 FROM tallies WHERE tally = ? AND thing = ?", (tally, thing))
            count = _count(cursor, tally)
            if known is not None:
                return count
            if count < most:
                sql = "INSERT INTO tallies (tally, thing, noted_at) VALUES (?, ?, ?)"
                cursor.execute(sql, (tally, thing, now.seconds))
            return count + 1

    def count(self, tally: str) -> int:
        with self._database.read() as cursor:
            return _count(cursor, storable(tally))

    def forget_before(self, now: Moment) -> None:
        with self._database.write() as cursor:
            cursor.execute("DELETE FROM tallies WHERE noted_at < ?", ((now + -_KEPT_FOR).seconds,))


def _count(cursor: apsw.Cursor, tally: str) -> int:
    row = one(cursor, "SELECT count(*) FROM tallies WHERE tally = ?", (tally,))
    return int(row[0]) if row else 0
