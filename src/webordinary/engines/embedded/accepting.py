"""Accepting a job, inside the caller's transaction: its sequence, its place, its thread and its callback."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, What
from webordinary.engines.embedded.database import one
from webordinary.engines.embedded.line import LANE_COLUMNS, LaneRow
from webordinary.engines.embedded.rows import storable, text_of, write_entry

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment
    from webordinary.jobs.job import Job, NewJob, State
    from webordinary.jobs.limits import Limits

_TAKE_PLACE = f"""
UPDATE lanes SET next_sequence = next_sequence + 1, pending = pending + 1 WHERE lane = ?
RETURNING next_sequence - 1, {LANE_COLUMNS}
"""  # noqa: S608 - constants
_INSERT = """
INSERT INTO jobs (id, lane, sequence, thread, dedup_key, kind, state, subject, request, mail, repeats, about, token,
  received_at, prepare_by, start_by)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def insert_job(cursor: apsw.Cursor, job: NewJob, limits: Limits, now: Moment, *, state: State) -> LaneRow:
    """Give the job its place in the lane, and return the lane as it is now."""
    lane, token = job.lane.key, secrets.token_urlsafe(24)
    sequence, row = _take_place(cursor, job)
    cursor.execute(
        "INSERT OR IGNORE INTO threads (id, lane, began_at) VALUES (?, ?, ?)", (job.thread, lane, now.seconds)
    )
    if job.request.message_id:
        values = (storable(job.request.message_id), job.thread, now.seconds)
        cursor.execute("INSERT OR IGNORE INTO thread_messages (message_id, thread, noted_at) VALUES (?, ?, ?)", values)
    cursor.execute(
        _INSERT,
        (
            job.id,
            lane,
            sequence,
            job.thread,
            storable(job.dedup_key),
            job.kind.value,
            state.value,
            storable(job.subject),
            text_of(job.request),
            job.mail,
            job.repeats,
            job.about,
            token,
            job.received_at.timestamp(),
            (now + limits.prepare_by).seconds,
            (now + limits.patience).seconds,
        ),
    )
    cursor.execute("INSERT INTO callbacks (token, job, beat_at) VALUES (?, ?, ?)", (token, job.id, now.seconds))
    facts = {"sequence": str(sequence), "kind": job.kind.value}
    write_entry(cursor, about_newcomer(What.JOB_ACCEPTED, job, now, text=job.subject, facts=facts))
    return row


def about_newcomer(
    what: What, job: Job | NewJob, now: Moment, *, text: str = "", facts: dict[str, str] | None = None
) -> Entry:
    """Return a trail entry about a job that nobody owns yet."""
    return Entry(what, now.wall_at, job.lane.key, job.thread, job.id, job.mail, text=text, facts=facts or {})


def _take_place(cursor: apsw.Cursor, job: NewJob) -> tuple[int, LaneRow]:
    row = one(cursor, _TAKE_PLACE, (job.lane.key,))
    if row is None:
        _open_lane(cursor, job)
        row = one(cursor, _TAKE_PLACE, (job.lane.key,))
    if row is None:
        raise AssertionError(f"{job.lane.key} was opened in this very transaction")
    return row[0], LaneRow(*row[1:])


def _open_lane(cursor: apsw.Cursor, job: NewJob) -> None:
    lane = job.lane
    # A fence starts at its generation, so that a restored file never repeats one.
    generation = one(cursor, "SELECT value FROM meta WHERE key = 'generation'")
    fence = int(generation[0]) << 32 if generation else 0
    cursor.execute("INSERT OR IGNORE INTO projects (project) VALUES (?)", (lane.project,))
    cursor.execute(
        "INSERT INTO lanes (lane, project, user, fence, paused)"
        " SELECT ?, ?, ?, ?, paused FROM projects WHERE project = ?",
        (lane.key, lane.project, lane.user, fence, lane.project),
    )
