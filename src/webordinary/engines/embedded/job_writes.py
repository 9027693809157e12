"""Writes about jobs, inside the caller's transaction: their rows and their threads."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from operator import itemgetter, ne
from typing import TYPE_CHECKING, Any

from webordinary.engines.embedded.rows import JOB_COLUMNS
from webordinary.engines.stored_text import storable, text_of

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment
    from webordinary.dispatch.job_row import JobRow

_GIVEN = (
    "id, lane, sequence, thread, dedup_key, kind, subject, mail, repeats, about, token, received_at",
    "prepare_by",
)
# What may differ from the row that was read.
_CHANGED = (
    "state, error, commit_id, fence, attempt, interruptions, started_at, attempt_at, deadline, not_before, start_by",
    "patience_shift, cancel, cancel_by, cancel_thread, cancel_fence, cancel_not_before, outcome, summary, finished_at",
    "journal, request",
)
_NAMES = ", ".join(_CHANGED).split(", ")
_before = itemgetter(*(JOB_COLUMNS.split(", ").index(name) for name in _NAMES))
_COLUMNS = ", ".join((*_GIVEN, *_CHANGED))
_INSERT = f"INSERT INTO jobs ({_COLUMNS}) VALUES ({', '.join('?' * len(_COLUMNS.split(',')))})"  # noqa: S608 - constants


def insert_job(cursor: apsw.Cursor, row: JobRow, now: Moment) -> None:
    """Keep a new job and its thread."""
    cursor.execute(
        "INSERT OR IGNORE INTO threads (id, lane, began_at) VALUES (?, ?, ?)", (row.thread, row.lane, now.seconds)
    )
    request = row.request
    if request.message_id:
        values = (storable(request.message_id), row.thread, now.seconds)
        cursor.execute("INSERT OR IGNORE INTO thread_messages (message_id, thread, noted_at) VALUES (?, ?, ?)", values)
    given = (
        row.id,
        row.lane,
        row.sequence,
        row.thread,
        storable(row.dedup_key),
        row.kind.value,
        storable(row.subject),
        row.mail,
        row.repeats,
        row.about,
        row.token,
        row.received_at,
        row.prepare_by,
    )
    cursor.execute(_INSERT, given + _values(row))


def update_job(cursor: apsw.Cursor, row: JobRow, before: tuple[Any, ...]) -> None:
    """Write what is not as it was read; the end of a job answers its token."""
    values, kept = _values(row), _before(before)
    if values != kept:
        differs = tuple(map(ne, values, kept))
        cursor.execute(_update(differs), (*compress(values, differs), row.id))


@lru_cache(maxsize=256)
def _update(differs: tuple[bool, ...]) -> str:
    """Set only what has changed: SQLite writes the indexes and begins the triggers of every column that is set.

    One of them deletes from the index of words, which then takes part in the transaction with its own statements.
    """
    columns = ", ".join(f"{name} = ?" for name in compress(_NAMES, differs))
    return f"UPDATE jobs SET {columns} WHERE id = ?"  # noqa: S608 - constants


def replace_token(cursor: apsw.Cursor, row: JobRow) -> None:
    """Let a job be waited for under another token."""
    cursor.execute("UPDATE jobs SET token = ? WHERE id = ?", (row.token, row.id))


def _values(row: JobRow) -> tuple[Any, ...]:
    """Return what may have changed as it is kept; what nobody has read of it is still the text that was kept."""
    request, journal = row.kept_request, row.kept_journal
    return (
        row.state.value,
        storable(row.error) if row.error else None,
        row.commit,
        row.fence,
        row.attempt,
        row.interruptions,
        row.started_at,
        row.attempt_at,
        row.deadline_at,
        row.not_before,
        row.start_by,
        row.patience_shift,
        row.cancel,
        row.cancel_by,
        row.cancel_thread,
        row.cancel_fence,
        row.cancel_not_before,
        row.outcome.value if row.outcome else None,
        storable(row.summary),
        row.finished_at,
        journal if isinstance(journal, str) else text_of(journal),
        request if isinstance(request, str) else text_of(request),
    )
