"""Tallies in SQLite: one row for each thing that was noted."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import one
from webordinary.engines.stored_text import storable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.mail.tallies import TallyLimit

# Longer than any limit looks back.
_KEPT_FOR = timedelta(days=3)


class SqliteTallies:
    """Counts rows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, thing: str, bounds: Sequence[TallyLimit], now: Moment) -> str | None:
        with self._database.write() as cursor:
            return next((bound.tally for bound in bounds if not _has_room(cursor, bound, storable(thing), now)), None)

    def count(self, tally: str) -> int:
        with self._database.read() as cursor:
            return _count(cursor, storable(tally))

    def forget_before(self, now: Moment) -> None:
        with self._database.write() as cursor:
            cursor.execute("DELETE FROM tallies WHERE noted_at < ?", ((now + -_KEPT_FOR).seconds,))


def _has_room(cursor: apsw.Cursor, bound: TallyLimit, thing: str, now: Moment) -> bool:
    tally = storable(bound.tally)
    if one(cursor, "SELECT 1 FROM tallies WHERE tally = ? AND thing = ?", (tally, thing)) is not None:
        return True
    if _count(cursor, tally) >= bound.most:
        return False
    cursor.execute("INSERT INTO tallies (tally, thing, noted_at) VALUES (?, ?, ?)", (tally, thing, now.seconds))
    return True


def _count(cursor: apsw.Cursor, tally: str) -> int:
    row = one(cursor, "SELECT count(*) FROM tallies WHERE tally = ?", (tally,))
    return int(row[0]) if row else 0
