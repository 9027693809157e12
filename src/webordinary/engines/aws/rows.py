"""Rows of the job table as values, and back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.clock import from_seconds
from webordinary.engines.aws.items import Item, item_of, plain_of
from webordinary.engines.aws.lane_row import lane_of
from webordinary.engines.aws.records import KEPT_FOR, facts_of, short_key, text_of
from webordinary.jobs.job import Job, Kind, Outcome, Request, State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from webordinary.clock import Moment
    from webordinary.engines.aws.lane_row import LaneRow
    from webordinary.jobs.job import NewJob
    from webordinary.jobs.limits import Limits

WAITING = {State.QUEUED, State.PARKED}
HOLDING = {State.RUNNING, State.COMMITTING}
JOB_MARK = "job"


@dataclass(slots=True)
class JobRow:
    """A job and what only the line has to know of it."""

    job: Job
    dedup_key: str
    prepare_by: float
    start_by: float
    # The lane's shift when start_by was set.
    patience_shift: float = 0
    not_before: float = 0
    attempt_at: float | None = None
    # A cancel is meant for this job under cancel_fence and for nothing else.
    cancel: str | None = None
    cancel_by: str | None = None
    cancel_thread: str | None = None
    cancel_fence: int | None = None
    cancel_not_before: float | None = None
    flow_token: bool = False
    # Which execution of the flow waits with that token.
    execution: str | None = None
    # Whom it has asked to make room, and who had that one then.
    interrupted: str | None = None
    interrupted_owner: str | None = None
    # How the person was told of the end; the flow hears the same.
    words: str | None = None

    def change(self, **facts: Any) -> None:  # noqa: ANN401 - any field of a job
        self.job = replace(self.job, **facts)

    def can_start(self, now: Moment) -> bool:
        return self.job.state in WAITING and self.not_before <= now.seconds

    def drop_cancel(self) -> None:
        self.cancel = self.cancel_by = self.cancel_thread = self.cancel_fence = self.cancel_not_before = None

    def wait_until(self, moment: Moment, lane: LaneRow) -> None:
        """Let the job's patience end then, and later by whatever pauses come."""
        self.start_by, self.patience_shift = moment.seconds, lane.patience_shift

    def fails_at(self, lane: LaneRow) -> float | None:
        """Return when the job fails by time; past the commit point never: its commit may be live."""
        match self.job.state:
            case State.PREPARING:
                return self.prepare_by
            case State.QUEUED | State.PARKED:
                return None if lane.paused else self.start_by + lane.patience_shift - self.patience_shift
            case State.RUNNING:
                return _seconds(self.job.deadline_at)
            case _:
                return None


def fresh_row(job: NewJob, sequence: int, token: str, limits: Limits, now: Moment) -> JobRow:
    """Return a job that was just accepted."""
    made = Job(
        id=job.id,
        lane=job.lane,
        thread=job.thread,
        sequence=sequence,
        kind=job.kind,
        state=State.PREPARING,
        subject=job.subject,
        request=job.request,
        received_at=job.received_at,
        mail=job.mail,
        repeats=job.repeats,
        about=job.about,
        token=token,
    )
    return JobRow(made, job.dedup_key, (now + limits.prepare_by).seconds, (now + limits.patience).seconds)


def job_item(row: JobRow) -> Item:
    """Return a live job at its place in the line."""
    return item_of(_live_key(row.job) | _job_values(row))


def ended_item(row: JobRow, now: Moment) -> Item:
    """Return a job that is over; it leaves the line, so that reading a line reads live jobs only."""
    ttl = int((now + KEPT_FOR).seconds)
    return item_of({**pointer_key(row.job.id), **_job_values(row), "place": row.job.sequence, "ttl": ttl})


def live_key(job: Job) -> Item:
    """Return where a live job stands."""
    return item_of(_live_key(job))


def pointer_item(job: Job) -> Item:
    """Return the item that leads from a job's id to its place; the whole job is put there when it is over."""
    return item_of({**pointer_key(job.id), "lane": job.lane.key, "place": job.sequence})


def pointer_key(job: str) -> dict[str, Any]:
    return {"projectUserId": f"job#{job}", "sequence": 0}


def dedup_key(key: str) -> dict[str, Any]:
    return {"projectUserId": f"dedup#{short_key(key)}", "sequence": 0}


def _live_key(job: Job) -> dict[str, Any]:
    return {"projectUserId": job.lane.key, "sequence": job.sequence}


def _job_values(row: JobRow) -> dict[str, Any]:
    job = row.job
    return {
        "jobMark": JOB_MARK,
        "jobId": job.id,
        "lane": job.lane.key,
        "threadId": job.thread,
        "kind": job.kind.value,
        "state": job.state.value,
        "subject": job.subject,
        "request": text_of(job.request),
        "receivedAt": _seconds(job.received_at),
        "fence": job.fence,
        "attempt": job.attempt,
        "interruptions": job.interruptions,
        "outcome": job.outcome.value if job.outcome else None,
        "summary": job.summary,
        "error": job.error,
        "commit": job.commit,
        "mail": job.mail,
        "repeats": job.repeats,
        "about": job.about,
        "token": job.token,
        "flowToken": row.flow_token or None,
        "execution": row.execution,
        "interrupted": row.interrupted,
        "interruptedContainer": row.interrupted_owner,
        "words": row.words,
        "claimedAt": _seconds(job.started_at),
        "finishedAt": _seconds(job.finished_at),
        "expiresAt": _seconds(job.deadline_at),
        "journal": text_of(job.journal),
        "dedupKey": row.dedup_key,
        "prepareBy": row.prepare_by,
        "startBy": row.start_by,
        "patienceShift": row.patience_shift,
        "notBefore": row.not_before,
        "attemptAt": row.attempt_at,
        "cancel": row.cancel,
        "cancelBy": row.cancel_by,
        "cancelThread": row.cancel_thread,
        "cancelFence": row.cancel_fence,
        "cancelNotBefore": row.cancel_not_before,
    }


def job_from(item: Mapping[str, Any]) -> JobRow:
    """Read a job, live or over."""
    row = plain_of(item)
    return JobRow(
        job=_job_of(row),
        dedup_key=row["dedupKey"],
        prepare_by=row["prepareBy"],
        start_by=row["startBy"],
        patience_shift=row["patienceShift"],
        not_before=row["notBefore"],
        attempt_at=row.get("attemptAt"),
        cancel=row.get("cancel"),
        cancel_by=row.get("cancelBy"),
        cancel_thread=row.get("cancelThread"),
        cancel_fence=row.get("cancelFence"),
        cancel_not_before=row.get("cancelNotBefore"),
        flow_token=bool(row.get("flowToken")),
        execution=row.get("execution"),
        interrupted=row.get("interrupted"),
        interrupted_owner=row.get("interruptedContainer"),
        words=row.get("words"),
    )


def _job_of(row: Mapping[str, Any]) -> Job:
    return Job(
        id=row["jobId"],
        lane=lane_of(row["lane"]),
        thread=row["threadId"],
        sequence=row.get("place") or row["sequence"],
        kind=Kind(row["kind"]),
        state=State(row["state"]),
        subject=row["subject"],
        request=msgspec.json.decode(row["request"], type=Request),
        received_at=from_seconds(row["receivedAt"]),
        fence=row["fence"],
        attempt=row["attempt"],
        interruptions=row["interruptions"],
        outcome=Outcome(row["outcome"]) if row.get("outcome") else None,
        summary=row["summary"],
        error=row.get("error"),
        commit=row.get("commit"),
        mail=row.get("mail"),
        repeats=row.get("repeats"),
        about=row.get("about"),
        token=row.get("token"),
        started_at=_time(row.get("claimedAt")),
        finished_at=_time(row.get("finishedAt")),
        deadline_at=_time(row.get("expiresAt")),
        journal=facts_of(row["journal"]),
    )


def _seconds(at: datetime | None) -> float | None:
    return at.timestamp() if at is not None else None


def _time(seconds: float | None) -> datetime | None:
    return from_seconds(seconds) if seconds is not None else None
