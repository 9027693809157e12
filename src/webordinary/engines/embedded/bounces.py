"""What came back, in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import Entry, EventType
from webordinary.clock import from_seconds
from webordinary.engines.embedded.database import changed
from webordinary.engines.embedded.rows import write_entry
from webordinary.engines.stored_text import storable
from webordinary.reply.bounces import Bounce
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database

_COLUMNS = "letter, address, for_good, reason, bounced_at"


class SqliteBounces:
    """One row for each letter that came back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, bounce: Bounce) -> bool:
        address = storable(fold_address(bounce.address))
        with self._database.write() as cursor:
            fresh = changed(
                cursor,
                f"INSERT OR IGNORE INTO bounces ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",  # noqa: S608 - a constant
                (bounce.letter, address, bounce.is_for_good, storable(bounce.reason), bounce.bounced_at.timestamp()),
            )
            if fresh:
                facts = {name: storable(value) for name, value in bounce.facts.items()}
                write_entry(cursor, Entry(EventType.MAIL_BOUNCED, bounce.bounced_at, text=bounce.reason, facts=facts))
            return bool(fresh)

    def of(self, address: str) -> Sequence[Bounce]:
        sql = f"SELECT {_COLUMNS} FROM bounces WHERE address = ?"  # noqa: S608 - a constant
        with self._database.read() as cursor:
            found = [_bounce_from(row) for row in cursor.execute(sql, (storable(fold_address(address)),))]
        return sorted(found, key=lambda bounce: (bounce.bounced_at, bounce.letter))

    def all(self, *, limit: int = 100) -> Sequence[Bounce]:
        sql = f"SELECT {_COLUMNS} FROM bounces WHERE bounced_at > 0 ORDER BY bounced_at DESC LIMIT ?"  # noqa: S608 - a constant
        with self._database.read() as cursor:
            return [_bounce_from(row) for row in cursor.execute(sql, (limit,))]

    def clear(self, address: str, by: str, now: Moment) -> int:
        address = storable(fold_address(address))
        with self._database.write() as cursor:
            cleared = changed(cursor, "DELETE FROM bounces WHERE address = ?", (address,))
            if cleared:
                facts = {"address": address, "by": by}
                write_entry(cursor, Entry(EventType.BOUNCES_CLEARED, now.wall_at, facts=facts))
            return cleared


def _bounce_from(row: tuple[Any, ...]) -> Bounce:
    letter, address, for_good, reason, bounced_at = row
    return Bounce(letter, address, bool(for_good), reason, from_seconds(bounced_at))
