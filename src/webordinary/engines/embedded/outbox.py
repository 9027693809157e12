"""The outbox in SQLite, delivered by SMTP or into a maildir."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from webordinary.audit.entry import Entry, EventType
from webordinary.engines.embedded.database import changed, one
from webordinary.engines.embedded.rows import write_entry
from webordinary.engines.stored_text import storable, text_of
from webordinary.errors import Refused
from webordinary.reply.outbox import RESERVED, Letter, delay_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.engines.embedded.mail_transport import MailTransport

_COLUMNS = "key, kind, recipient, words, facts, job, mail, tries, sealed, sealed_as, released_by"
_TAKE = f"""
UPDATE outbox SET due_at = ?, sender = ?, tries = tries + 1
WHERE key IN (SELECT key FROM outbox WHERE state = 'due' AND due_at <= ? ORDER BY due_at LIMIT ?)
RETURNING {_COLUMNS}
"""  # noqa: S608 - a constant
_TAKE_ONE = f"""
UPDATE outbox SET due_at = ?, sender = ?, tries = tries + 1
WHERE key = ? AND state = 'due' AND due_at <= ?
RETURNING {_COLUMNS}
"""  # noqa: S608 - a constant
# The key of the letter that tells the agency of a dead job begins with the job's id.
_ABOUT_DEATH = ".alarm"
# Pictures would make the database, and each of its backups, many times as large.
_LONGEST_SEALED = 100_000


class Files(Protocol):
    """Where long letters lie: where the mails do."""

    def keep_file(self, content: bytes) -> str: ...

    def read_file(self, digest: str) -> bytes: ...


def record_letter(cursor: apsw.Cursor, letter: Letter, now: Moment) -> bool:
    """Keep a letter until it is sent; False when one is known under its key."""
    if letter.key.endswith(_ABOUT_DEATH):
        cursor.execute("UPDATE jobs SET alarmed = 1 WHERE id = ?", (letter.key.removesuffix(_ABOUT_DEATH),))
    return bool(
        changed(
            cursor,
            "INSERT OR IGNORE INTO outbox (key, kind, job, mail, recipient, words, facts, due_at, added_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                storable(letter.key),
                letter.kind,
                letter.job,
                letter.mail,
                storable(letter.to),
                letter.words,
                text_of(letter.facts),
                now.seconds,
                now.seconds,
            ),
        )
    )


class SqliteOutbox:
    """Letters, each recorded once by its key."""

    def __init__(self, database: Database, postman: MailTransport, files: Files) -> None:
        self._database = database
        self._postman = postman
        self._files = files

    def add(self, letter: Letter, now: Moment) -> bool:
        with self._database.write() as cursor:
            return record_letter(cursor, letter, now)

    def take_due(self, sender: str, now: Moment, *, limit: int = 10) -> Sequence[Letter]:
        with self._database.read() as cursor:
            sql = "SELECT 1 FROM outbox WHERE state = 'due' AND due_at <= ? LIMIT 1"
            if one(cursor, sql, (now.seconds,)) is None:
                return ()
        with self._database.write() as cursor:
            reserved = (now + RESERVED).seconds
            rows = cursor.execute(_TAKE, (reserved, sender, now.seconds, limit)).fetchall()
        return [self._letter_from(row) for row in rows]

    def take(self, key: str, sender: str, now: Moment) -> Letter | None:
        with self._database.write() as cursor:
            row = one(cursor, _TAKE_ONE, ((now + RESERVED).seconds, sender, key, now.seconds))
        return self._letter_from(row) if row else None

    def seal(self, letter: Letter, raw: bytes, message_id: str, now: Moment) -> bytes:
        # Kept before the transaction, which must not wait for the disk.
        digest = self._files.keep_file(raw) if len(raw) > _LONGEST_SEALED else None
        with self._database.write() as cursor:
            sql = (
                "UPDATE outbox SET sealed = ?, sealed_as = ?, message_id = ?"
                " WHERE key = ? AND sealed IS NULL AND sealed_as IS NULL"
            )
            cursor.execute(sql, (None if digest else raw, digest, message_id, letter.key))
            _note_message(cursor, letter, message_id, now)
        return self.written(letter.key) or raw

    def written(self, key: str) -> bytes | None:
        with self._database.read() as cursor:
            kept = one(cursor, "SELECT sealed, sealed_as FROM outbox WHERE key = ?", (storable(key),))
        return self._text(*kept) if kept else None

    def find_sent(self, message_id: str) -> Letter | None:
        sql = f"SELECT {_COLUMNS} FROM outbox WHERE message_id = ?"  # noqa: S608 - a constant
        with self._database.read() as cursor:
            row = one(cursor, sql, (storable(message_id),))
        return self._letter_from(row) if row else None

    def deliver(self, letter: Letter, raw: bytes) -> None:
        self._postman.deliver(raw, letter.to)

    def in_doubt(self, now: Moment) -> Sequence[Letter]:  # noqa: ARG002 - as the port has it
        """Say nothing: the same Message-ID may be sent again, which every mail program takes for one mail."""
        return ()

    def mark_sent(self, letter: Letter, now: Moment) -> None:
        # Taken by the server is taken, even if the reservation was over by then: nobody needs to send it again.
        with self._database.write() as cursor:
            sql = "UPDATE outbox SET state = 'sent', sent_at = ?, error = NULL WHERE key = ? AND state = 'due'"
            if changed(cursor, sql, (now.seconds, letter.key)):
                write_entry(cursor, _about(cursor, EventType.ANSWERED, letter, now, letter.words))

    def mark_delayed(
        self, letter: Letter, why: str, now: Moment, *, for_good: bool = False, counts: bool = True
    ) -> bool:
        delay = delay_of(letter, for_good=for_good, counts=counts)
        state = "given up" if delay.is_given_up else "due"
        with self._database.write() as cursor:
            # Each reservation counts one try, so the count tells whether this one is still ours.
            sql = (
                "UPDATE outbox SET state = ?, due_at = ?, error = ?, tries = ?"
                " WHERE key = ? AND state = 'due' AND tries = ?"
            )
            due = (now + delay.wait).seconds
            if not changed(cursor, sql, (state, due, storable(why), delay.tries, letter.key, letter.tries)):
                return False
            what = EventType.ANSWER_GIVEN_UP if delay.is_given_up else EventType.ANSWER_DELAYED
            write_entry(cursor, _about(cursor, what, letter, now, why))
            return delay.is_given_up

    def _letter_from(self, row: tuple[Any, ...]) -> Letter:
        key, kind, to, words, facts, job, mail, tries, sealed, digest, by = row
        told = msgspec.json.decode(facts, type=dict[str, str])
        return Letter(key, kind, to, words, told, job, mail, tries, self._text(sealed, digest), by is not None)

    def _text(self, sealed: bytes | None, digest: str | None) -> bytes | None:
        if digest is None:
            return None if sealed is None else bytes(sealed)
        with suppress(Refused):
            return self._files.read_file(digest)
        # Sent long ago, and no longer kept.
        return None


def _note_message(cursor: apsw.Cursor, letter: Letter, message_id: str, now: Moment) -> None:
    """Remember our own Message-ID, so that a reply to it continues the thread."""
    thread = one(cursor, "SELECT thread FROM jobs WHERE id = ?", (letter.job,))
    if thread is not None:
        sql = "INSERT OR IGNORE INTO thread_messages (message_id, thread, noted_at) VALUES (?, ?, ?)"
        cursor.execute(sql, (message_id.strip("<>"), thread[0], now.seconds))


def _about(cursor: apsw.Cursor, what: EventType, letter: Letter, now: Moment, text: str) -> Entry:
    row = one(cursor, "SELECT lane, thread FROM jobs WHERE id = ?", (letter.job,)) or (None, None)
    facts = {"kind": letter.kind, "tries": str(letter.tries)}
    return Entry(what, now.wall_at, row[0], row[1], letter.job, letter.mail, text=text, facts=facts)
