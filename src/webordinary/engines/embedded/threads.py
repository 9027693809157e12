"""Threads in SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import one
from webordinary.engines.stored_text import storable
from webordinary.routing.lane import Lane
from webordinary.routing.threads import Thread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.engines.embedded.database import Database


class SqliteThreads:
    """Conversations by their id and by the Message-IDs that were written in them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, thread: str) -> Thread | None:
        with self._database.read() as cursor:
            row = one(cursor, "SELECT id, lane, session FROM threads WHERE id = ?", (thread,))
        return Thread(row[0], Lane.parse(row[1]), row[2]) if row else None

    def find_by_messages(self, message_ids: Sequence[str]) -> Thread | None:
        for message_id in reversed(message_ids):
            with self._database.read() as cursor:
                row = one(cursor, "SELECT thread FROM thread_messages WHERE message_id = ?", (storable(message_id),))
            if row is not None:
                return self.find(row[0])
        return None

    def begin_session(self, thread: str, session: str, *, is_first: bool = False) -> str:
        del is_first
        with self._database.write() as cursor:
            begun = "UPDATE threads SET session = coalesce(session, ?) WHERE id = ? RETURNING session"
            row = one(cursor, begun, (session, thread))
        return str(row[0]) if row else session
