"""Writes about jobs, inside the caller's transaction: their rows and their threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.engines.stored_text import storable, text_of

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment
    from webordinary.dispatch.job_row import JobRow

_GIVEN = (
    "id, lane, sequence, thread, dedup_key, kind, subject, request, mail, repeats, about, token, received_at",
    "prepare_by",
)
_CHANGED = (
    "state, error, commit_id, fence, attempt, interruptions, started_at, attempt_at, deadline, not_before, start_by",
    "patience_shift, cancel, cancel_by, cancel_thread, cancel_fence, cancel_not_before",
)
# Only now it leaves the indexes of live jobs, which need not be touched before.
_ENDED = ("outcome, summary, finished_at",)


def _names(*columns: str) -> tuple[str, str]:
    names = ", ".join(columns)
    return names, ", ".join("?" * (names.count(",") + 1))


_INSERT = "INSERT INTO jobs ({}) VALUES ({})".format(*_names(*_GIVEN, *_CHANGED))  # noqa: S608 - constants
_UPDATE = "UPDATE jobs SET ({}) = ({}) WHERE id = ?".format(*_names(*_CHANGED))  # noqa: S608 - constants
_END = "UPDATE jobs SET ({}) = ({}) WHERE id = ?".format(*_names(*_CHANGED, *_ENDED))  # noqa: S608 - constants


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
        row.kind,
        storable(row.subject),
        text_of(request),
        row.mail,
        row.repeats,
        row.about,
        row.token,
        row.received_at,
        row.prepare_by,
    )
    cursor.execute(_INSERT, given + _changed(row))


def update_job(cursor: apsw.Cursor, row: JobRow) -> None:
    """Write what has changed of a live job; what nobody has read of it has not changed."""
    cursor.execute(_UPDATE, (*_changed(row), row.id))
    if not isinstance(row.kept_journal, str):
        cursor.execute("UPDATE jobs SET journal = ? WHERE id = ?", (text_of(row.kept_journal), row.id))
    if not isinstance(row.kept_request, str):
        cursor.execute("UPDATE jobs SET request = ? WHERE id = ?", (text_of(row.kept_request), row.id))


def end_job(cursor: apsw.Cursor, row: JobRow) -> None:
    """Write a job that is over, which answers its token."""
    cursor.execute(_END, (*_changed(row), row.outcome, storable(row.summary), row.finished_at, row.id))


def replace_token(cursor: apsw.Cursor, row: JobRow) -> None:
    """Let a job be waited for under another token."""
    cursor.execute("UPDATE jobs SET token = ? WHERE id = ?", (row.token, row.id))


def _changed(row: JobRow) -> tuple[Any, ...]:
    return (
        row.state,
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
    )
