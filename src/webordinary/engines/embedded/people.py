"""People in SQLite and in the folder of the mails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.audit.entry import Entry, EventType
from webordinary.clock import from_seconds
from webordinary.engines.embedded.database import one, rows
from webordinary.engines.embedded.rows import write_entry
from webordinary.engines.stored_text import text_of
from webordinary.jobs.people import (
    FORGOTTEN,
    JobTrace,
    MailTrace,
    OpenKind,
    OpenWork,
    PersonOnRecord,
    choose_ids,
    files_in,
    redacted,
    still_open,
)
from webordinary.routing.lane import Lane
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.engines.embedded.inbox import FolderInbox
    from webordinary.jobs.people import Ids

    Row = Mapping[str, Any]


def _is_to(address: str, ids: Ids) -> bool:
    return fold_address(address) == ids.address


def _is_planned_by(row: Row, ids: Ids) -> bool:
    plan = msgspec.json.decode(row["body"])
    return ids.owns(plan.get("thread"), plan.get("job"))


# The key of each table, and which of its rows are about a person.
_TABLES: dict[str, tuple[tuple[str, ...], Callable[[Row, Ids], bool]]] = {
    "mails": (("id",), lambda row, ids: row["id"] in ids.mails),
    "jobs": (("id",), lambda row, ids: row["id"] in ids.jobs),
    "threads": (("id",), lambda row, ids: row["id"] in ids.threads),
    "thread_messages": (("message_id",), lambda row, ids: row["thread"] in ids.threads),
    "outbox": (("key",), lambda row, ids: _is_to(row["recipient"], ids) or ids.owns(row["job"], row["mail"])),
    "proposals": (("thread",), lambda row, ids: ids.owns(row["thread"], row["id"])),
    "schedules": (("id",), _is_planned_by),
    "requests": (("key",), lambda row, ids: row["mail"] in ids.mails or ids.address in fold_address(row["key"])),
    "tallies": (
        ("tally", "thing"),
        lambda row, ids: ids.owns(row["thing"]) or ids.address in fold_address(row["tally"]),
    ),
    "bounces": (("address", "letter"), lambda row, ids: _is_to(row["address"], ids)),
    "trail": (("number",), lambda row, ids: ids.owns(row["job"], row["mail"], row["thread"])),
}
# Where the address may stand in what is kept about others; never their own words.
_REDACTED = {
    "trail": ("text", "facts"),
    "proposals": ("body",),
    "schedules": ("body", "closed_by"),
    "outbox": ("facts",),
    "jobs": ("error", "about"),
    "mails": ("reason", "reasons", "vouch", "verdicts"),
}
_NAMED = (
    "SELECT request || journal FROM jobs",
    "SELECT digest FROM mails",
    "SELECT facts || ifnull(sealed_as, '') FROM outbox",
)
_RECORD = "forgotten "
_WORDS_OF_OTHERS = "SELECT count(*) FROM jobs WHERE instr(lower(subject || request || journal), ?)"


@dataclass(frozen=True, slots=True)
class SqlitePeople:
    """Looks through every table: nobody is forgotten so often that it needs to be quick."""

    database: Database
    inbox: FolderInbox

    def find(self, address: str) -> PersonOnRecord:
        with self.database.read() as cursor:
            return _find(cursor, address)

    def forget(self, address: str, mark: str, by: str, now: Moment) -> PersonOnRecord:
        with self.database.write() as cursor:
            # What is freed is overwritten, and not only when somebody needs the place.
            cursor.execute("PRAGMA secure_delete = ON")
            person = _find(cursor, address)
            if person.open_work:
                raise still_open(person)
            _delete(cursor, person)
            _redact(cursor, person.ids.address)
            shared = _still_named(cursor, person.files)
            facts = {"mark": mark[:16], "by": by, **{kind: str(count) for kind, count in person.counts.items()}}
            record = text_of({"at": now.seconds, **facts})
            cursor.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (_RECORD + mark, record))
            write_entry(cursor, Entry(EventType.PERSON_FORGOTTEN, now.wall_at, facts=facts))
        self.inbox.remove_files(person.files - shared)
        self.database.compact()
        return person

    def forgotten_at(self, mark: str) -> datetime | None:
        with self.database.read() as cursor:
            row = one(cursor, "SELECT value ->> '$.at' FROM meta WHERE key = ?", (_RECORD + mark,))
        return from_seconds(row[0]) if row else None


def _find(cursor: apsw.Cursor, address: str) -> PersonOnRecord:
    ids = choose_ids(address, _mails(cursor), _jobs(cursor))
    found = {
        table: [row for row in _all(cursor, table) if is_theirs(row, ids)] for table, (_, is_theirs) in _TABLES.items()
    }
    texts = [str(value) for table in ("mails", "jobs", "outbox") for row in found[table] for value in row.values()]
    mentions = one(cursor, _WORDS_OF_OTHERS, (ids.address,)) or (0,)
    own = sum(ids.address in fold_address(f"{row['subject']}{row['request']}{row['journal']}") for row in found["jobs"])
    return PersonOnRecord(ids, found, files_in(texts), _open_work(found), max(0, mentions[0] - own))


def _mails(cursor: apsw.Cursor) -> list[MailTrace]:
    sql = "SELECT id, job, thread, ifnull(sender, ''), ifnull(mail_from, ''), author FROM mails"
    return [MailTrace(row[0], (*row[3:5], row[5].partition(" ")[0]), row[1], row[2]) for row in rows(cursor, sql)]


def _jobs(cursor: apsw.Cursor) -> list[JobTrace]:
    sql = "SELECT id, lane, thread, sequence, mail, json_extract(request, '$.reply_to') FROM jobs"
    return [JobTrace(*row) for row in rows(cursor, sql)]


def _all(cursor: apsw.Cursor, table: str) -> list[dict[str, Any]]:
    found = cursor.execute(f"SELECT * FROM {table}")  # noqa: S608 - a constant
    names: list[str] = []
    read = []
    for row in found:
        names = names or [column[0] for column in found.description]
        read.append(dict(zip(names, row, strict=True)))
    return read


def _open_work(found: Mapping[str, list[dict[str, Any]]]) -> tuple[OpenWork, ...]:
    mails = [OpenWork(OpenKind.MAIL, row["id"]) for row in found["mails"] if row["state"] == "received"]
    jobs = [OpenWork(OpenKind.REQUEST, row["id"]) for row in found["jobs"] if row["finished_at"] is None]
    waiting = [OpenWork(OpenKind.PROPOSAL, row["thread"]) for row in found["proposals"] if row["standing"] == "open"]
    planned = [OpenWork(OpenKind.TIMED, row["id"]) for row in found["schedules"] if row["closed_at"] is None]
    return (*mails, *jobs, *waiting, *planned)


def _delete(cursor: apsw.Cursor, person: PersonOnRecord) -> None:
    for table, (key, _) in _TABLES.items():
        where = " AND ".join(f"{column} = ?" for column in key)
        keys = [tuple(row[column] for column in key) for row in person.rows[table]]
        # What happened and when stays in the trail; what was said does not.
        forget = f"UPDATE {table} SET text = '', facts = '{{}}'" if table == "trail" else f"DELETE FROM {table}"  # noqa: S608 - constants
        cursor.executemany(f"{forget} WHERE {where}", keys)
    for lane in person.ids.lanes:
        parsed = Lane.parse(lane)
        cursor.execute(
            "INSERT INTO spending (project, day, user, usd) SELECT project, day, ?, usd FROM spending"
            " WHERE project = ? AND user = ? ON CONFLICT (project, day, user) DO UPDATE SET usd = usd + excluded.usd",
            (FORGOTTEN, parsed.project, parsed.user),
        )
        cursor.execute("DELETE FROM spending WHERE project = ? AND user = ?", (parsed.project, parsed.user))


def _redact(cursor: apsw.Cursor, address: str) -> None:
    for table, columns in _REDACTED.items():
        for column in columns:
            sql = f"SELECT rowid_or_key, {column} FROM {table} WHERE instr(lower({column}), ?)"  # noqa: S608 - constants
            key = "number" if table == "trail" else _TABLES[table][0][0]
            mentioned = rows(cursor, sql.replace("rowid_or_key", key), (address,))
            change = f"UPDATE {table} SET {column} = ? WHERE {key} = ?"  # noqa: S608 - constants
            cursor.executemany(change, [(redacted(text, address), name) for name, text in mentioned])
    # A letter to somebody else that was sent, such as a digest: only that it was sent is kept.
    sealed = "UPDATE outbox SET sealed = NULL WHERE state != 'due' AND instr(lower(CAST(sealed AS TEXT)), ?)"
    cursor.execute(sealed, (address,))


def _still_named(cursor: apsw.Cursor, files: frozenset[str]) -> frozenset[str]:
    """Return those of these files that what stays names as well: the same photo of somebody else."""
    texts = (str(row[0]) for sql in _NAMED for row in cursor.execute(sql))
    return files_in(texts) & files
