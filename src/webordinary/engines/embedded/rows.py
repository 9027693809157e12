"""Rows of the file as values of the domain, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.audit.entry import Entry, EventType
from webordinary.clock import from_seconds
from webordinary.dispatch.job_row import JobRow
from webordinary.engines.stored_text import storable, text_of
from webordinary.jobs.job import Kind, Outcome, State

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

# In the order of the fields of JobRow.
JOB_COLUMNS = (
    "id, lane, thread, sequence, kind, state, subject, request, received_at, dedup_key, prepare_by, start_by, fence,"
    " attempt, interruptions, outcome, summary, error, commit_id, mail, repeats, about, token, started_at, finished_at,"
    " deadline, journal, patience_shift, not_before, attempt_at, cancel, cancel_by, cancel_thread, cancel_fence,"
    " cancel_not_before"
)
_KIND, _STATE, _OUTCOME = 4, 5, 15
# Looking a value up takes a fifth of the time that its class takes to find it.
_KINDS = {kind.value: kind for kind in Kind}
_STATES = {state.value: state for state in State}
_FIND_JOB = f"SELECT {JOB_COLUMNS} FROM jobs WHERE id = ?"  # noqa: S608 - a constant
_ENTRY_COLUMNS = "number, at, what, lane, thread, job, mail, worker, fence, text, facts"


def job_from(row: tuple[Any, ...]) -> JobRow:
    """Read the columns of JOB_COLUMNS."""
    values = list(row)
    values[_KIND], values[_STATE] = _KINDS[row[_KIND]], _STATES[row[_STATE]]
    values[_OUTCOME] = Outcome(row[_OUTCOME]) if row[_OUTCOME] else None
    return JobRow(*values)


def find_job(cursor: apsw.Cursor, job: str) -> JobRow | None:
    """Return one job by its id."""
    row = cursor.execute(_FIND_JOB, (job,)).fetchone()
    return job_from(row) if row else None


def write_entry(cursor: apsw.Cursor, entry: Entry) -> None:
    """Add to the trail inside the caller's transaction."""
    write_entries(cursor, [entry])


def write_entries(cursor: apsw.Cursor, entries: Iterable[Entry]) -> None:
    """Add to the trail what happened in one transaction."""
    cursor.executemany(
        "INSERT INTO trail (at, what, lane, thread, job, mail, worker, fence, text, facts)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                entry.at.timestamp(),
                entry.what,
                entry.lane,
                entry.thread,
                entry.job,
                entry.mail,
                entry.worker,
                entry.fence,
                storable(entry.text),
                text_of(entry.facts),
            )
            for entry in entries
        ],
    )


def select_entries(cursor: apsw.Cursor, where: str, values: tuple[Any, ...]) -> list[Entry]:
    """Return the trail's entries for a condition made of our own constants."""
    rows = cursor.execute(f"SELECT {_ENTRY_COLUMNS} FROM trail WHERE {where}", values)  # noqa: S608 - constants
    return [_entry_from(row) for row in rows]


def _entry_from(row: tuple[Any, ...]) -> Entry:
    number, at, what, lane, thread, job, mail, worker, fence, text, facts = row
    return Entry(
        what=EventType(what),
        at=from_seconds(at),
        lane=lane,
        thread=thread,
        job=job,
        mail=mail,
        worker=worker,
        fence=fence,
        text=text,
        facts=msgspec.json.decode(facts, type=dict[str, str]),
        number=number,
    )
