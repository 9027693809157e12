"""Bookmarks of mailboxes in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import one
from webordinary.mail.mailboxes import Bookmark

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database


class SqliteMailboxes:
    """One row for each mailbox."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, mailbox: str) -> Bookmark | None:
        with self._database.read() as cursor:
            row = one(cursor, "SELECT validity, uid FROM mailboxes WHERE mailbox = ?", (mailbox,))
        return Bookmark(*row) if row else None

    def remember(self, mailbox: str, bookmark: Bookmark, now: Moment) -> None:
        with self._database.write() as cursor:
            cursor.execute(
                "INSERT INTO mailboxes (mailbox, validity, uid, read_at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (mailbox) DO UPDATE"
                " SET validity = excluded.validity, uid = excluded.uid, read_at = excluded.read_at"
                " WHERE excluded.validity <> mailboxes.validity OR excluded.uid > mailboxes.uid",
                (mailbox, bookmark.validity, bookmark.uid, now.seconds),
            )
