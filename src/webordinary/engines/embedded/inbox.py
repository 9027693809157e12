"""The inbox: raw mails as files by content hash, written and synced before their row."""

from __future__ import annotations

import hashlib
import math
import os
import secrets
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.audit.entry import Entry, EventType
from webordinary.clock import from_seconds
from webordinary.engines.embedded.database import changed, one, rows, write_durably
from webordinary.engines.embedded.documents import forget_words
from webordinary.engines.embedded.faults import disk_errors
from webordinary.engines.embedded.outbox import record_letter
from webordinary.engines.embedded.rows import write_entry
from webordinary.engines.stored_text import storable, text_of
from webordinary.errors import Refused
from webordinary.jobs.people import files_in
from webordinary.mail.author import author_of
from webordinary.mail.inbox import Decision, Envelope, Kept, KeptMail
from webordinary.mail.outcomes import ENTRY_OF
from webordinary.mail.sender import Vouch
from webordinary.reply.outbox import answer_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.mail.tallies import TallyLimit

_COLUMNS = """
id, received_at, door, recipients, mail_from, peer, vouch, transport_key, helo, user, authserv_id, verdicts,
tries, state, author, not_before
"""
# A flood in one person's name must not keep a mail of theirs from being decided.
_MOST_OLDER = 50


_NEEDED = (
    "SELECT request || journal FROM jobs WHERE finished_at IS NULL",
    "SELECT request || journal FROM jobs WHERE id IN (SELECT id FROM proposals WHERE standing = 'open')",
    """
    SELECT request || journal FROM jobs
    WHERE id IN (SELECT json_extract(body, '$.job') FROM schedules WHERE closed_at IS NULL)
    """,
    # A question waits for its answer for as long as its job is kept.
    "SELECT request || journal FROM jobs WHERE outcome = 'asked'",
    "SELECT digest FROM mails WHERE state = 'received'",
    "SELECT digest FROM mails WHERE outcome = 'held'",
    "SELECT facts || ifnull(sealed_as, '') FROM outbox WHERE state = 'due'",
)
_INDEXES = """
SELECT lane, received_at, CASE WHEN finished_at IS NOT NULL THEN json_extract(journal, '$.index') END,
  json_extract(journal, '$.commit_live') = commit_id
FROM jobs ORDER BY rowid DESC
"""


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
            known_by = replace(envelope, transport_key=key)
            _insert(cursor, (mail, digest, now.seconds, storable(author_of(raw, envelope))), known_by)
            facts = {"door": envelope.door, "bytes": str(len(raw))}
            write_entry(cursor, Entry(EventType.MAIL_RECEIVED, now.wall_at, mail=mail, facts=facts))
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
            f"SELECT {_COLUMNS} FROM mails WHERE state = 'received' AND received_at <= ?1"  # noqa: S608 - a constant
            " AND not_before <= ?1 ORDER BY received_at LIMIT 20"
        )
        with self._database.read() as cursor:
            return [_mail_from(row) for row in cursor.execute(sql, (before.timestamp(),))]

    def older(self, kept: KeptMail) -> Sequence[KeptMail]:
        sql = (
            f"SELECT {_COLUMNS} FROM mails WHERE author = ? AND state = 'received' AND job IS NULL"  # noqa: S608 - a constant
            " AND rowid < (SELECT rowid FROM mails WHERE id = ?) ORDER BY rowid LIMIT ?"
        )
        if not kept.author:
            return []
        with self._database.read() as cursor:
            return [_mail_from(row) for row in cursor.execute(sql, (kept.author, kept.id, _MOST_OLDER))]

    def place(self, mail: str, job: str) -> None:
        with self._database.write() as cursor:
            cursor.execute("UPDATE mails SET job = ? WHERE id = ? AND state = 'received'", (job, mail))

    def put_off(self, mail: str, until: datetime, *, is_try: bool = True) -> None:
        with self._database.write() as cursor:
            sql = "UPDATE mails SET tries = tries + ?, not_before = ? WHERE id = ? AND state = 'received'"
            cursor.execute(sql, (int(is_try), until.timestamp(), mail))

    def take_key(self, key: str, mail: str, now: Moment) -> str:
        with self._database.write() as cursor:
            sql = "INSERT OR IGNORE INTO requests (key, mail, claimed_at) VALUES (?, ?, ?)"
            cursor.execute(sql, (storable(key), mail, now.seconds))
            row = one(cursor, "SELECT mail FROM requests WHERE key = ?", (storable(key),))
        return str(row[0]) if row else mail

    def take_counted_key(self, key: str, mail: str, tallies: Sequence[TallyLimit], now: Moment) -> bool:
        """One after the other is as quick here."""
        del key, mail, tallies, now
        return False

    def key_holder(self, key: str) -> str | None:
        with self._database.read() as cursor:
            row = one(cursor, "SELECT mail FROM requests WHERE key = ?", (storable(key),))
        return str(row[0]) if row else None

    def vouch_for(self, mail: str, vouch: Vouch, now: Moment) -> bool:
        with self._database.write() as cursor:
            # Not held any more: a second confirmation finds nothing to release.
            sql = (
                "UPDATE mails SET state = 'received', outcome = NULL, vouch = ?, tries = 0, not_before = 0"
                " WHERE id = ? AND outcome = 'held'"
            )
            if not changed(cursor, sql, (text_of(vouch), mail)):
                return False
            facts = {"method": vouch.method, "sender": vouch.address or ""}
            write_entry(cursor, Entry(EventType.MAIL_RELEASED, now.wall_at, mail=mail, facts=facts))
            return True

    def turn_away(self, mail: str, reason: str, now: Moment) -> bool:
        with self._database.write() as cursor:
            sql = "UPDATE mails SET outcome = 'refused', reason = ? WHERE id = ? AND outcome = 'held'"
            if not changed(cursor, sql, (storable(reason), mail)):
                return False
            write_entry(cursor, Entry(EventType.MAIL_TURNED_AWAY, now.wall_at, mail=mail, text=reason))
            return True

    def decide(self, mail: str, decision: Decision, now: Moment) -> bool:
        with self._database.write() as cursor:
            decided = changed(
                cursor,
                "UPDATE mails SET state = 'decided', outcome = ?, reason = ?, sender = ?, subject = ?, job = ?,"
                " thread = ?, decided_at = ?, project = ?, verdict = ?, method = ?, reasons = ?"
                " WHERE id = ? AND state = 'received'",
                (
                    decision.outcome.value,
                    storable(decision.reason),
                    storable(decision.sender) if decision.sender else None,
                    storable(decision.subject),
                    decision.job,
                    decision.thread,
                    now.seconds,
                    decision.project,
                    decision.judged.verdict.value if decision.judged else None,
                    decision.judged.method if decision.judged else None,
                    text_of(decision.judged.reasons if decision.judged else ()),
                    mail,
                ),
            )
            what = ENTRY_OF.get(decision.outcome)
            if decided and what is not None:
                facts = decision.entry_facts
                write_entry(cursor, Entry(what, now.wall_at, mail=mail, text=decision.reason, facts=facts))
            if decided and decision.answer and decision.sender:
                record_letter(cursor, answer_to(mail, decision), now)
            return bool(decided)

    def keep_file(self, content: bytes) -> str:
        self._database.require_space()
        digest = hashlib.sha256(content).hexdigest()
        path = self._path(digest)
        with disk_errors(self._folder):
            _keep(path, content)
        return digest

    def read_file(self, digest: str) -> bytes:
        try:
            return self._path(digest).read_bytes()
        except FileNotFoundError:
            raise Refused(f"the file {digest[:12]} is no longer kept") from None

    def has_file(self, digest: str) -> bool:
        return self._path(digest).exists()

    def forget_before(self, before: datetime) -> int:
        needed, superseded = self._needed(), self._superseded(before)
        old = [path for path in self._folder.glob("??/*") if path.name not in needed]
        gone = [path.name for path in old if _forget(path, None if path.name in superseded else before.timestamp())]
        if gone:
            forget_words(self._database, gone)
        return len(gone)

    def _needed(self) -> frozenset[str]:
        """Return the files that may still be asked for: by what lives or waits, and by letters that were not sent."""
        with self._database.read() as cursor:
            texts = [str(row[0]) for sql in _NEEDED for row in rows(cursor, sql)]
        return files_in(texts)

    def _superseded(self, before: datetime) -> set[str]:
        """Return the indexes of built sites that nobody compares with any more: a later job of the project is live."""
        live: dict[str, str] = {}
        indexes: set[str] = set()
        with self._database.read() as cursor:
            # By the rows' own order and no further than files reach, so that not the whole past is read.
            for lane, received_at, index, is_live in cursor.execute(_INDEXES):
                if received_at < before.timestamp():
                    break
                if index:
                    indexes.add(index)
                    if is_live:
                        live.setdefault(lane.partition("#")[0], index)
        return indexes - set(live.values())

    def remove_files(self, digests: Iterable[str]) -> None:
        """Remove these files whatever their age."""
        for digest in digests:
            self._path(digest).unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest


def _keep(path: Path, content: bytes) -> None:
    """Write a file that is not there yet; one that is there is as good as new."""
    with suppress(FileNotFoundError):
        os.utime(path)
        return
    write_durably(path, content)


def _forget(path: Path, before: float | None) -> bool:
    """Remove a file that nobody has kept since then; who keeps it at this very moment wins."""
    kept_at = path.stat().st_mtime
    if before is None:
        before = math.nextafter(kept_at, math.inf)
    if kept_at >= before:
        return False
    aside = path.with_suffix(".forgotten")
    path.rename(aside)
    if aside.stat().st_mtime >= before:
        aside.rename(path)
        return False
    aside.unlink()
    return True


def _insert(cursor: apsw.Cursor, known: tuple[str, str, float, str], envelope: Envelope) -> None:
    cursor.execute(
        "INSERT INTO mails (id, digest, received_at, author, transport_key, door, peer, mail_from, recipients, vouch,"
        " helo, user, authserv_id, verdicts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
    mail, received, door, recipients, mail_from, peer, vouch, key, helo, user, authserv_id, verdicts, *known = row
    tries, state, author, due = known
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
    return KeptMail(mail, envelope, from_seconds(received), tries, state == "decided", author, from_seconds(due))
