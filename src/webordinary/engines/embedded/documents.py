"""What the search reads of each table, and of the files beside them; no token of a mail, or it could be guessed."""

from __future__ import annotations

from contextlib import suppress
from email import message_from_bytes, policy
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import msgspec

from webordinary.engines.embedded.database import one, rows
from webordinary.engines.stored_text import storable, text_of
from webordinary.errors import WebOrdinaryError
from webordinary.jobs.job import Request
from webordinary.mail.mime.bounded import SMALL, read_mail
from webordinary.mail.tokens import hide_tokens
from webordinary.overview.search import SearchKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from webordinary.engines.embedded.database import Database
    from webordinary.engines.embedded.inbox import FolderInbox

# A longer text is found by its first part.
_LONGEST = 200_000


class Document(NamedTuple):
    """What can be found of one row."""

    at: float
    title: str
    words: str
    job: str | None
    project: str | None
    person: str | None


class _Source(Protocol):
    """One table whose rows can be found."""

    # The number and the key of each row up to a number, the newest first; and the moment of a row.
    older: str
    moment: str
    # The file beside a row, if it has one.
    file: str

    def read(self, cursor: apsw.Cursor, name: str) -> Document | None:
        """Return what the row itself says; None when there is no such row."""

    def words_of_file(self, database: Database, inbox: FolderInbox, name: str) -> str | None:
        """Return what stands in a file beside it."""


class _Requests:
    older = "SELECT rowid, id FROM jobs WHERE rowid <= ? ORDER BY rowid DESC LIMIT ?"
    moment = "SELECT received_at FROM jobs WHERE rowid <= ? ORDER BY rowid DESC LIMIT 1"
    file = "SELECT NULL FROM jobs WHERE id = ?"

    def read(self, cursor: apsw.Cursor, name: str) -> Document | None:
        row = one(cursor, "SELECT received_at, subject, request, summary, error, lane FROM jobs WHERE id = ?", (name,))
        if row is None:
            return None
        at, subject, stored, summary, error, lane = row
        request = msgspec.json.decode(stored, type=Request)
        files = " ".join(each.name for each in request.attachments)
        words = hide_tokens("\n".join((request.text, summary, error or "", files, request.cut)))[:_LONGEST]
        return Document(at, subject, words, name, lane.partition("#")[0], request.reply_to or request.by or None)

    def words_of_file(self, database: Database, inbox: FolderInbox, name: str) -> str | None:  # noqa: ARG002 - as the others
        return None


class _Answers:
    older = "SELECT rowid, key FROM outbox WHERE rowid <= ? ORDER BY rowid DESC LIMIT ?"
    moment = "SELECT added_at FROM outbox WHERE rowid <= ? ORDER BY rowid DESC LIMIT 1"
    file = "SELECT sealed_as FROM outbox WHERE key = ?"

    def read(self, cursor: apsw.Cursor, name: str) -> Document | None:
        sql = (
            "SELECT added_at, outbox.job, recipient, lane, jobs.subject, words, sealed, sealed_as"
            " FROM outbox LEFT JOIN jobs ON jobs.id = outbox.job WHERE key = ?"
        )
        row = one(cursor, sql, (name,))
        if row is None or (row[6] is None and row[7] is None):
            return None
        at, job, recipient, lane, subject, kind, *_ = row
        return Document(at, subject or kind, "", job, lane.partition("#")[0] if lane else None, recipient)

    def words_of_file(self, database: Database, inbox: FolderInbox, name: str) -> str | None:
        """Return the answer as it was sent, with its receipt; its bytes never change."""
        with database.read() as cursor:
            row = one(cursor, "SELECT sealed, sealed_as FROM outbox WHERE key = ?", (name,))
        if row is None:
            return None
        raw = bytes(row[0]) if row[0] is not None else b""
        if row[1] is not None:
            with suppress(WebOrdinaryError):
                raw = inbox.read_file(row[1])
        return _text_of_letter(raw)


class _Mails:
    older = "SELECT rowid, id FROM mails WHERE rowid <= ? ORDER BY rowid DESC LIMIT ?"
    moment = "SELECT received_at FROM mails WHERE rowid <= ? ORDER BY rowid DESC LIMIT 1"
    file = "SELECT digest FROM mails WHERE id = ?"

    def read(self, cursor: apsw.Cursor, name: str) -> Document | None:
        sql = "SELECT received_at, subject, reason, project, coalesce(sender, mail_from), job FROM mails WHERE id = ?"
        row = one(cursor, sql, (name,))
        # What became a job is found as a request.
        if row is None or row[5] is not None:
            return None
        at, subject, reason, project, person, _ = row
        return Document(at, subject, reason or "", None, project, person)

    def words_of_file(self, database: Database, inbox: FolderInbox, name: str) -> str | None:
        """Return what a mail says that became no job; of a long one only its subject is found."""
        with database.read() as cursor:
            row = one(cursor, "SELECT digest, job FROM mails WHERE id = ?", (name,))
        if row is None or row[1] is not None:
            return None
        with suppress(WebOrdinaryError, ValueError):
            raw = inbox.read_file(row[0])
            return hide_tokens(storable(read_mail(raw).text))[:_LONGEST] if len(raw) <= SMALL else None
        return None


def forget_words(database: Database, files: Sequence[str]) -> None:
    """Take what stood in these files out of the index; what their rows say is read again."""
    with database.write() as cursor:
        for kind, sql in _NAMING.items():
            for (name,) in rows(cursor, sql, (text_of(files),)):
                cursor.execute("DELETE FROM search_docs WHERE kind = ? AND id = ?", (kind, name))
                cursor.execute("INSERT OR IGNORE INTO search_due (kind, id) VALUES (?, ?)", (kind, name))


def _text_of_letter(raw: bytes) -> str:
    """Return what one of our own letters says as plain text."""
    with suppress(LookupError, ValueError):
        body = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
        return hide_tokens(storable(str(body.get_content())))[:_LONGEST] if body is not None else ""
    return ""


_NAMING = MappingProxyType(
    {
        SearchKind.ANSWER: "SELECT key FROM outbox WHERE sealed_as IN (SELECT value FROM json_each(?))",
        SearchKind.MAIL: "SELECT id FROM mails WHERE job IS NULL AND digest IN (SELECT value FROM json_each(?))",
    }
)
DOCUMENTS: Final[MappingProxyType[SearchKind, _Source]] = MappingProxyType(
    {SearchKind.REQUEST: _Requests(), SearchKind.ANSWER: _Answers(), SearchKind.MAIL: _Mails()}
)
