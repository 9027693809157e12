"""Rows of the file as values of the domain, and back."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.audit.entry import Entry, What
from webordinary.clock import from_seconds
from webordinary.jobs.job import Job, Kind, Outcome, Request, State
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    import apsw

JOB_COLUMNS = (
    "id, lane, thread, sequence, kind, state, subject, request, received_at, fence, attempt, interruptions, outcome, "
    "summary, error, commit_id, mail, repeats, token, started_at, finished_at, deadline, journal, about"
)
_ENTRY_COLUMNS = "number, at, what, lane, thread, job, mail, worker, fence, text, facts"


# The same few lanes again and again: their keys were checked when they were accepted.
lane_of = lru_cache(maxsize=4096)(Lane.parse)


def job_from(row: tuple[Any, ...]) -> Job:
    """Read the columns of JOB_COLUMNS."""
    return Job(
        id=row[0],
        lane=lane_of(row[1]),
        thread=row[2],
        sequence=row[3],
        kind=Kind(row[4]),
        state=State(row[5]),
        subject=row[6],
        request=msgspec.json.decode(row[7], type=Request),
        received_at=from_seconds(row[8]),
        fence=row[9],
        attempt=row[10],
        interruptions=row[11],
        outcome=Outcome(row[12]) if row[12] else None,
        summary=row[13],
        error=row[14],
        commit=row[15],
        mail=row[16],
        repeats=row[17],
        token=row[18],
        started_at=from_seconds(row[19]) if row[19] else None,
        finished_at=from_seconds(row[20]) if row[20] else None,
        deadline_at=from_seconds(row[21]) if row[21] else None,
        journal=msgspec.json.decode(row[22], type=dict[str, str]),
        about=row[23],
    )


def find_job(cursor: apsw.Cursor, job: str) -> Job | None:
    """Return one job by its id."""
    row = cursor.execute(f"SELECT {JOB_COLUMNS} FROM jobs WHERE id = ?", (job,)).fetchone()  # noqa: S608 - a constant
    return job_from(row) if row else None


def storable(text: str) -> str:
    """Return text without what no column takes: half letters and NUL."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def text_of(value: object) -> str:
    """Return a value as the JSON text that a column keeps."""
    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        text = ""
    if text and "\\u0000" not in text:
        return text
    return msgspec.json.encode(_all_storable(msgspec.to_builtins(value))).decode()


def _all_storable(value: object) -> object:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {_all_storable(name): _all_storable(each) for name, each in value.items()}
    return [_all_storable(each) for each in value] if isinstance(value, list | tuple) else value


def write_entry(cursor: apsw.Cursor, entry: Entry) -> None:
    """Add to the trail inside the caller's transaction."""
    cursor.execute(
        "INSERT INTO trail (at, what, lane, thread, job, mail, worker, fence, text, facts)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry.at.timestamp(),
            entry.what.value,
            entry.lane,
            entry.thread,
            entry.job,
            entry.mail,
            entry.worker,
            entry.fence,
            storable(entry.text),
            text_of(entry.facts),
        ),
    )


def select_entries(cursor: apsw.Cursor, where: str, values: tuple[Any, ...]) -> list[Entry]:
    """Return the trail's entries for a condition made of our own constants."""
    rows = cursor.execute(f"SELECT {_ENTRY_COLUMNS} FROM trail WHERE {where}", values)  # noqa: S608 - constants
    return [_entry_from(row) for row in rows]


def _entry_from(row: tuple[Any, ...]) -> Entry:
    number, at, what, lane, thread, job, mail, worker, fence, text, facts = row
    return Entry(
        what=What(what),
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
