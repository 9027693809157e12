"""Retention in SQLite: a walk through each table, a few rows in each transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from webordinary.engines.embedded.database import rows
from webordinary.jobs.retention import NEWEST_OF_A_LANE, Pruned
from webordinary.reply.outbox import WELCOME

if TYPE_CHECKING:
    from collections.abc import Mapping

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.jobs.retention import Lifetimes

# A transaction of so many rows takes a few milliseconds.
_AT_ONCE = 100


class _Kind(NamedTuple):
    """One table: which rows come next and which of them may go, and what goes with each.

    `look` gives the key, whether the row may go, and whether this row and all after it are too young.
    """

    look: str
    forget: tuple[str, ...]
    # What is less than every key.
    before_all: str | int = ""


_NO_JOB = "NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = {table}.job)"
_KINDS = (
    _Kind(
        f"""
SELECT rowid, finished_at < :jobs
  AND sequence < (SELECT next_sequence FROM lanes WHERE lanes.lane = jobs.lane) - {NEWEST_OF_A_LANE}
  AND NOT EXISTS (SELECT 1 FROM proposals WHERE proposals.thread = jobs.thread AND standing = 'open')
  AND id NOT IN (SELECT ifnull(job, '') FROM outbox WHERE held_at IS NOT NULL)
  AND id NOT IN (SELECT ifnull(json_extract(body, '$.job'), '') FROM schedules WHERE closed_at IS NULL),
  received_at >= :jobs
FROM jobs WHERE rowid > :after ORDER BY rowid LIMIT :most
""",  # noqa: S608 - a constant
        ("DELETE FROM jobs WHERE rowid = ?",),
        0,
    ),
    _Kind(
        """
SELECT id, began_at < :jobs
  AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.thread = threads.id AND finished_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM jobs
                  WHERE jobs.lane = threads.lane AND jobs.thread = threads.id AND finished_at IS NULL),
  0
FROM threads WHERE id > :after ORDER BY id LIMIT :most
""",
        ("DELETE FROM proposals WHERE thread = ?", "DELETE FROM threads WHERE id = ?"),
    ),
    _Kind(
        """
SELECT message_id, noted_at < :jobs AND NOT EXISTS (SELECT 1 FROM threads WHERE id = thread_messages.thread), 0
FROM thread_messages WHERE message_id > :after ORDER BY message_id LIMIT :most
""",
        ("DELETE FROM thread_messages WHERE message_id = ?",),
    ),
    _Kind(
        f"""
SELECT rowid, received_at < :jobs AND state = 'decided' AND {_NO_JOB.format(table="mails")}, received_at >= :jobs
FROM mails WHERE rowid > :after ORDER BY rowid LIMIT :most
""",  # noqa: S608 - a constant
        ("DELETE FROM mails WHERE rowid = ?",),
        0,
    ),
    # A welcome is remembered for ever, with its words: they say which sites the person was told of.
    _Kind(
        f"""
SELECT rowid, added_at < :jobs AND state != 'due' AND kind != '{WELCOME}' AND {_NO_JOB.format(table="outbox")},
  added_at >= :jobs
FROM outbox WHERE rowid > :after ORDER BY rowid LIMIT :most
""",  # noqa: S608 - a constant
        ("DELETE FROM outbox WHERE rowid = ?",),
        0,
    ),
    _Kind(
        f"""
SELECT rowid, added_at < :letters AND state != 'due' AND kind != '{WELCOME}'
  AND (sealed IS NOT NULL OR sealed_as IS NOT NULL OR facts != '{{}}'), added_at >= :letters
FROM outbox WHERE rowid > :after ORDER BY rowid LIMIT :most
""",  # noqa: S608 - a constant
        ("UPDATE outbox SET sealed = NULL, sealed_as = NULL, facts = '{}' WHERE rowid = ?",),
        0,
    ),
    _Kind(
        "SELECT key, claimed_at < :request_keys, 0 FROM requests WHERE key > :after ORDER BY key LIMIT :most",
        ("DELETE FROM requests WHERE key = ?",),
    ),
    _Kind(
        """
SELECT id, closed_at IS NOT NULL AND closed_at < :jobs AND NOT EXISTS (SELECT 1 FROM jobs
  WHERE jobs.id = json_extract(body, '$.job')), 0
FROM schedules WHERE id > :after ORDER BY id LIMIT :most
""",
        ("DELETE FROM schedules WHERE id = ?",),
    ),
    _Kind(
        "SELECT bounced_at, bounced_at < :jobs, bounced_at >= :jobs FROM bounces"
        " WHERE bounced_at > :after ORDER BY bounced_at LIMIT :most",
        ("DELETE FROM bounces WHERE bounced_at = ?",),
        0,
    ),
    _Kind(
        "SELECT day, day < :day, day >= :day FROM spending WHERE day > :after GROUP BY day ORDER BY day LIMIT :most",
        (
            "DELETE FROM spending WHERE day = ?",
            "DELETE FROM spending_of_outcomes WHERE day = ?",
            "DELETE FROM spending_allowed WHERE day = ?",
        ),
    ),
)


@dataclass(slots=True)
class SqliteRetention:
    """Remembers how far it has come; a process that begins anew looks at everything once more, which is harmless."""

    database: Database
    _kind: int = 0
    _after: Any = None

    def prune(self, kept_for: Lifetimes, now: Moment) -> Pruned:
        kind = _KINDS[self._kind]
        values = (
            _bounds(kept_for, now)
            | {"most": _AT_ONCE}
            | {"after": kind.before_all if self._after is None else self._after}
        )
        with self.database.read() as cursor:
            found = rows(cursor, kind.look, values)
        removed = 0
        if any(gone for _, gone, _ in found):
            with self.database.write() as cursor:
                # Looked at again: a mail that came in between may have continued a conversation.
                removed = _remove(cursor, kind, values)
        is_last = len(found) < _AT_ONCE or bool(found[-1][2])
        self._after = None if is_last else found[-1][0]
        self._kind = (self._kind + is_last) % len(_KINDS)
        return Pruned(removed, is_last and self._kind == 0)


def _bounds(kept_for: Lifetimes, now: Moment) -> dict[str, Any]:
    """Return the moments before which each kind is too old."""
    return {
        "jobs": (now + -kept_for.jobs).seconds,
        "letters": (now + -kept_for.letters).seconds,
        "request_keys": (now + -kept_for.request_keys).seconds,
        "day": (now.wall_at - kept_for.jobs).date().isoformat(),
    }


def _remove(cursor: apsw.Cursor, kind: _Kind, values: Mapping[str, Any]) -> int:
    gone = [(key,) for key, may_go, _ in rows(cursor, kind.look, dict(values)) if may_go]
    for statement in kind.forget:
        cursor.executemany(statement, gone)
    return len(gone)
