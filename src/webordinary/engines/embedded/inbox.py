"""The inbox: raw mails as files by content hash, written and synced before their row."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.audit.entry import Entry, What
from webordinary.clock import from_seconds
from webordinary.engines.embedded.database import changed, one, write_durably
from webordinary.engines.embedded.faults import disk_errors
from webordinary.engines.embedded.rows import storable, text_of, write_entry
from webordinary.errors import Refused
from webordinary.mail.inbox import Decision, Envelope, Kept, KeptMail
from webordinary.mail.sender import Vouch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database

_COLUMNS = "id, door, recipients, mail_from, peer, vouch, transport_key, received_at"
_ENTRY_OF = {
    "held": What.MAIL_HELD,
    "refused": What.MAIL_REFUSED,
    "automatic": What.MAIL_AUTOMATIC,
    "repeated": What.MAIL_REPEATED,
}


class FolderInbox:
    """Mails in the data folder, their state in the database."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder

    def keep(self, raw: bytes, envelope: Envelope, now: Moment) -> Kept:
        digest = self.keep_file(raw)
        key = envelope.transport_key or _delivery_key(envelope, digest)
        mail = f"mail-{secrets.token_hex(6)}"
        with self._database.write() as cursor:
            known = one(cursor, "SELECT id FROM mails WHERE transport_key = ?", (key,))
            if known is not None:
                return Kept(known[0], fresh=False)
            cursor.execute(
                "INSERT INTO mails (id, digest, transport_key, door, peer, mail_from, recipients, vouch, received_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    mail,
                    digest,
                    key,
                    envelope.door,
                    envelope.peer,
                    storable(envelope.mail_from) if envelope.mail_from else envelope.mail_from,
                    text_of(envelope.recipients),
                    text_of(envelope.vouch) if envelope.vouch else None,
                    now.seconds,
                ),
            )
            facts = {"door": envelope.door, "bytes": str(len(raw))}
            write_entry(cursor, Entry(What.MAIL_RECEIVED, now.wall_at, mail=mail, facts=facts))
        return Kept(mail, fresh=True)

    def read(self, mail: str) -> bytes:
        with self._database.read() as cursor:
            row = one(cursor, "SELECT digest FROM mails WHERE id = ?", (mail,))
        if row is None:
            raise Refused(f"there is no mail {mail}")
        return self.read_file(row[0])

    def find(self, mail: str) -> KeptMail | None:
        with self._database.read() as cursor:
            row = one(cursor, f"SELECT {_COLUMNS} FROM mails WHERE id = ?", (mail,))  # noqa: S608 - a constant
        return _mail_from(row) if row else None

    def undecided(self, before: datetime) -> Sequence[KeptMail]:
        sql = (
            f"SELECT {_COLUMNS} FROM mails WHERE state = 'received' AND received_at <= ?"  # noqa: S608 - a constant
            " ORDER BY received_at LIMIT 20"
        )
        with self._database.read() as cursor:
            return [_mail_from(row) for row in cursor.execute(sql, (before.timestamp(),))]

    def decide(self, mail: str, decision: Decision, now: Moment) -> bool:
        with self._database.write() as cursor:
            decided = changed(
                cursor,
                "UPDATE mails SET state = 'decided', outcome = ?, reason = ?, sender = ?, subject = ?, job = ?,"
                " thread = ?, decided_at = ? WHERE id = ? AND state = 'received'",
                (
                    decision.outcome,
                    storable(decision.reason),
                    storable(decision.sender) if decision.sender else None,
                    storable(decision.subject),
                    decision.job,
                    decision.thread,
                    now.seconds,
                    mail,
                ),
            )
            what = _ENTRY_OF.get(decision.outcome)
            if decided and what is not None:
                facts = {"sender": decision.sender or ""}
                write_entry(cursor, Entry(what, now.wall_at, mail=mail, text=decision.reason, facts=facts))
            if decided and decision.answer and decision.sender:
                _add_refusal(cursor, mail, decision, now)
            return bool(decided)

    def keep_file(self, content: bytes) -> str:
        self._database.require_space()
        digest = hashlib.sha256(content).hexdigest()
        path = self._path(digest)
        with disk_errors(self._folder):
            if not path.exists():
                write_durably(path, content)
        return digest

    def read_file(self, digest: str) -> bytes:
        return self._path(digest).read_bytes()

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest


def _delivery_key(envelope: Envelope, digest: str) -> str:
    """Tell one delivery from another: the same bytes for the same people through the same door are one.

    An operator who vouches for a mail that was held before delivers it anew.
    """
    vouched = f"{envelope.vouch.method}={envelope.vouch.address}" if envelope.vouch else ""
    return f"{envelope.door}:{digest}:{','.join(sorted(envelope.recipients))}:{vouched}"


def _mail_from(row: tuple[Any, ...]) -> KeptMail:
    envelope = Envelope(
        door=row[1],
        recipients=tuple(msgspec.json.decode(row[2], type=list[str])),
        mail_from=row[3],
        peer=row[4],
        vouch=msgspec.json.decode(row[5], type=Vouch) if row[5] else None,
        transport_key=row[6],
    )
    return KeptMail(row[0], envelope, from_seconds(row[7]))


def _add_refusal(cursor: apsw.Cursor, mail: str, decision: Decision, now: Moment) -> None:
    cursor.execute(
        "INSERT OR IGNORE INTO outbox (key, kind, mail, recipient, words, facts, due_at, added_at)"
        " VALUES (?, 'answer', ?, ?, ?, ?, ?, ?)",
        (
            f"{mail}.answer",
            mail,
            storable(decision.sender or ""),
            decision.answer,
            text_of({"project": decision.project or "", **decision.facts}),
            now.seconds,
            now.seconds,
        ),
    )
