"""Writes of an owner about its own job without reading anything first: half the requests of a step.

Nobody else writes a journal, and the transaction happens only if everything that was decided upon is true. If it is
not, the operation is decided again on what is read. The lane's version grows as with every other write, so a
writer that has read the job before reads it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.dispatch.job_row import JobRow
from webordinary.engines.aws.dynamodb.items import item_of
from webordinary.engines.aws.dynamodb.lane_row import AHEAD
from webordinary.engines.aws.dynamodb.rows import live_key
from webordinary.engines.stored_text import text_of
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webordinary.dispatch.line import Line
    from webordinary.engines.aws.dynamodb.write import Write
    from webordinary.jobs.job import Job

_STILL_MINE = "#containerId = :worker AND #fence = :fence AND #running = :job"
_RUNS = "#jobId = :job AND #fence = :fence AND #state IN (:running, :committing)"
# It was believed to have no cancel that is due.
_MAY_COMMIT = (
    "#jobId = :job AND #fence = :fence AND #state = :running"
    " AND (attribute_not_exists(#cancel) OR #cancelNotBefore > :now)"
)
_CANCEL = ("cancel", "cancelBy", "cancelThread", "cancelFence", "cancelNotBefore")


def believed_row(job: Job, fence: int, journal: Mapping[str, str]) -> JobRow:
    """Return the job that an owner runs as the owner knows it."""
    return JobRow(
        id=job.id,
        lane=job.lane.key,
        thread=job.thread,
        sequence=job.sequence,
        kind=job.kind,
        state=job.state,
        subject=job.subject,
        kept_request=job.request,
        received_at=job.received_at.timestamp(),
        dedup_key="",
        prepare_by=0,
        start_by=0,
        fence=fence,
        attempt=job.attempt,
        interruptions=job.interruptions,
        outcome=job.outcome,
        summary=job.summary,
        error=job.error,
        commit=job.commit,
        mail=job.mail,
        repeats=job.repeats,
        about=job.about,
        token=job.token,
        started_at=job.started_at.timestamp() if job.started_at else None,
        finished_at=job.finished_at.timestamp() if job.finished_at else None,
        deadline_at=job.deadline_at.timestamp() if job.deadline_at else None,
        kept_journal=journal,
    )


def believed_writes(write: Write, line: Line, job: Job) -> Iterator[dict[str, Any]]:
    """Return the step of a job, if everything is as its owner believes: its journal, or its commit point."""
    (row,) = line.changed.values()
    passes = (job.state, row.state) == (State.RUNNING, State.COMMITTING)
    yield _touch_lane(write, line, row, passes=passes)
    names = {"#jobId": "jobId", "#fence": "fence", "#state": "state"}
    values = {":running": State.RUNNING.value, ":committing": State.COMMITTING.value}
    if not passes:
        names["#journal"], values[":journal"] = "journal", text_of(row.journal)
        yield _update_job(write, row, "SET #journal = :journal", _RUNS, names, values)
        return
    gone = {f"#{name}": name for name in _CANCEL}
    more = ""
    if write.carries:
        names["#journal"], values[":journal"], more = "journal", text_of(row.journal), ", #journal = :journal"
    change = f"SET #state = :committing, #commit = :commit{more} REMOVE {', '.join(gone)}"
    values |= {":commit": row.commit or "", ":now": write.now.seconds}  # type: ignore[dict-item]  # a moment among texts
    yield _update_job(write, row, change, _MAY_COMMIT, {**names, "#commit": "commit", **gone}, values)


def _touch_lane(write: Write, line: Line, row: JobRow, *, passes: bool) -> dict[str, Any]:
    more = ", #committing = :yes, #since = #until - :ahead, #ahead = :ahead" if passes else ""
    names = {"#containerId": "containerId", "#fence": "fence", "#running": "running"}
    values: dict[str, Any] = {":worker": line.row.owner, ":fence": line.row.fence, ":job": row.id}
    written = {"#writeId": "writeId", "#version": "version", "#active": "lastActivity"}
    if passes:
        written |= {"#committing": "committing", "#since": "readySince", "#until": "leaseUntil", "#ahead": "ahead"}
        values |= {":yes": True, ":ahead": AHEAD}
    return {
        "Update": {
            "TableName": write.store.names.ownership,
            "Key": item_of({"projectKey": line.row.lane}),
            "UpdateExpression": f"SET #writeId = :id, #active = :now{more} ADD #version :one",
            "ConditionExpression": _STILL_MINE,
            "ExpressionAttributeNames": {**names, **written},
            "ExpressionAttributeValues": item_of({**values, ":id": write.id, ":now": write.now.seconds, ":one": 1}),
        }
    }


def _update_job(
    write: Write,
    row: JobRow,
    change: str,
    condition: str,
    names: Mapping[str, str],
    values: Mapping[str, Any],
) -> dict[str, Any]:
    return {
        "Update": {
            "TableName": write.store.names.jobs,
            "Key": live_key(row),
            "UpdateExpression": change,
            "ConditionExpression": condition,
            "ExpressionAttributeNames": dict(names),
            "ExpressionAttributeValues": item_of({":job": row.id, ":fence": row.fence, **values}),
        }
    }
