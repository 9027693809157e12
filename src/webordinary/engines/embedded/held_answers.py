"""Held answers in SQLite: letters of the outbox that are due to nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.audit.entry import EventType
from webordinary.clock import from_seconds
from webordinary.engines.embedded.database import changed, one
from webordinary.engines.embedded.rows import write_entry
from webordinary.engines.stored_text import storable, text_of
from webordinary.reply.held_answers import HeldAnswer, about_held
from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database

# Later than any clock: nobody finds it among what is due.
_NEVER = 1e15
_HOLD = (
    "UPDATE outbox SET held_at = ?, due_at = ?, tries = 0, sender = NULL WHERE key = ? AND state = 'due' AND tries = ?"
)
_SELECT = """
SELECT key, outbox.kind, recipient, words, facts, job, outbox.mail, tries, held_at, jobs.lane, jobs.thread
FROM outbox LEFT JOIN jobs ON jobs.id = outbox.job
WHERE held_at IS NOT NULL
"""
_STILL = "WHERE key = ? AND held_at IS NOT NULL AND facts = ?"


class SqliteHeldAnswers:
    """Each write asks whether the answer still waits, and still says what was seen."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def hold(self, letter: Letter, now: Moment) -> bool:
        with self._database.write() as cursor:
            if not changed(cursor, _HOLD, (now.seconds, _NEVER, letter.key, letter.tries)):
                return False
            held = _read(cursor.execute(f"{_SELECT} AND key = ?", (letter.key,)).fetchall()[0])
            write_entry(cursor, about_held(EventType.ANSWER_HELD, held, now, letter.words))
            return True

    def all(self, *, limit: int = 100) -> Sequence[HeldAnswer]:
        with self._database.read() as cursor:
            found = cursor.execute(f"{_SELECT} ORDER BY held_at LIMIT ?", (limit,)).fetchall()
        return [_read(row) for row in found]

    def find(self, job: str) -> HeldAnswer | None:
        with self._database.read() as cursor:
            row = one(cursor, f"{_SELECT} AND job = ? ORDER BY held_at LIMIT 1", (storable(job),))
        return _read(row) if row else None

    def edit(self, held: HeldAnswer, facts: Mapping[str, str], by: str, now: Moment) -> bool:
        sql = f"UPDATE outbox SET facts = ? {_STILL}"  # noqa: S608 - a constant
        return self._change(EventType.ANSWER_EDITED, held, sql, (text_of(facts),), now, by)

    def let_go(self, held: HeldAnswer, by: str, now: Moment) -> bool:
        # Due since it was held: what waits longer in a conversation is sent first.
        sql = f"UPDATE outbox SET due_at = held_at, held_at = NULL, released_by = ? {_STILL}"  # noqa: S608 - a constant
        return self._change(EventType.ANSWER_RELEASED, held, sql, (storable(by),), now, by)

    def take_back(self, held: HeldAnswer, by: str, why: str, now: Moment) -> bool:
        sql = f"UPDATE outbox SET state = 'given up', held_at = NULL, error = ? {_STILL}"  # noqa: S608 - a constant
        return self._change(EventType.ANSWER_TAKEN_BACK, held, sql, (storable(why),), now, by, why)

    def _change(
        self, what: EventType, held: HeldAnswer, sql: str, values: tuple[Any, ...], now: Moment, by: str, why: str = ""
    ) -> bool:
        with self._database.write() as cursor:
            if not changed(cursor, sql, (*values, held.letter.key, text_of(held.letter.facts))):
                return False
            write_entry(cursor, about_held(what, held, now, why, by))
            return True


def _read(row: tuple[Any, ...]) -> HeldAnswer:
    key, kind, to, words, facts, job, mail, tries, held_at, lane, thread = row
    letter = Letter(key, kind, to, words, msgspec.json.decode(facts, type=dict[str, str]), job, mail, tries)
    return HeldAnswer(letter, from_seconds(held_at), lane or "", thread or "")
