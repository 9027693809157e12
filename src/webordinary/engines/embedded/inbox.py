"""The inbox: raw mails as files by content hash, written and synced before their row."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import replace
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

_COLUMNS = "id, received_at, door, recipients, mail_from, peer, vouch, transport_key, helo, user, authserv_id, verdicts"
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
        key = storable(envelope.delivery_key(digest))
        mail = f"mail-{secrets.token_hex(6)}"
        with self._database.write() as cursor:
            known = one(cursor, "SELECT id FROM mails WHERE transport_key = ?", (key,))
            if known is not None:
                return Kept(known[0], fresh=False)
            _insert(cursor, (mail, digest, now.seconds), replace(envelope, transport_key=key))
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
        try:
            return self._path(digest).read_bytes()
        except FileNotFoundError:
            raise Refused(f"the file {digest[:12]} is no longer kept") from None

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest


def _insert(cursor: apsw.Cursor, known: tuple[str, str, float], envelope: Envelope) -> None:
    cursor.execute(
        "INSERT INTO mails (id, digest, received_at, transport_key, door, peer, mail_from, recipients, vouch, helo,"
        " user, authserv_id, verdicts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *known,
            envelope.transport_key,
            envelope.door,
            envelope.peer,
            _storable(envelope.mail_from),
            text_of(envelope.recipients),
            text_of(envelope.vouch) if envelope.vouch else None,
            _storable(envelope.helo),
            _storable(envelope.user),
            _storable(envelope.authserv_id),
            text_of(envelope.verdicts),
        ),
    )


def _storable(text: str | None) -> str | None:
    return None if text is None else storable(text)


def _mail_from(row: tuple[Any, ...]) -> KeptMail:
    mail, received, door, recipients, mail_from, peer, vouch, key, helo, user, authserv_id, verdicts = row
    envelope = Envelope(
        door=door,
        recipients=tuple(msgspec.json.decode(recipients, type=list[str])),
        mail_from=mail_from,
        peer=peer,
        vouch=msgspec.json.decode(vouch, type=Vouch) if vouch else None,
        transport_key=key,
        helo=helo,
        user=user,
        authserv_id=authserv_id,
        verdicts=msgspec.json.decode(verdicts, type=dict[str, str]),
    )
    return KeptMail(mail, envelope, from_seconds(received))


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
