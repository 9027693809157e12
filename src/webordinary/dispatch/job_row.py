"""A job as the rules see and change it: what decides about it, and the rest of it unread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from webordinary.clock import from_seconds
from webordinary.dispatch.lane import lane_of
from webordinary.jobs.job import Job, Kind, Outcome, Request, State
from webordinary.jobs.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from webordinary.clock import Moment
    from webordinary.dispatch.lane import LaneRow
    from webordinary.jobs.job import NewJob
    from webordinary.jobs.limits import Limits

WAITING = {State.QUEUED, State.PARKED}
HOLDING = {State.RUNNING, State.COMMITTING}
NEVER_PARKED = {Kind.VERB, Kind.REVERT}


class Turn(NamedTuple):
    """What the order of a lane needs to know of a live job."""

    id: str
    thread: str
    sequence: int
    kind: str
    state: str
    not_before: float
    prepare_by: float
    start_by: float
    patience_shift: float
    deadline_at: float | None

    def can_start(self, now: Moment) -> bool:
        return self.state in WAITING and self.not_before <= now.seconds


@dataclass(slots=True)
class JobRow:
    """A job and what only its line has to know of it. Moments are seconds of the wall clock."""

    id: str
    lane: str
    thread: str
    sequence: int
    kind: Kind
    state: State
    subject: str
    # Read only for a job that starts, ends or is asked about: until then the text that the store keeps.
    kept_request: Request | str
    received_at: float
    dedup_key: str
    prepare_by: float
    start_by: float
    fence: int = 0
    attempt: int = 0
    interruptions: int = 0
    outcome: Outcome | None = None
    summary: str = ""
    error: str | None = None
    commit: str | None = None
    mail: str | None = None
    repeats: str | None = None
    about: str | None = None
    token: str | None = None
    started_at: float | None = None
    finished_at: float | None = None
    deadline_at: float | None = None
    kept_journal: Mapping[str, str] | str = "{}"
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
    # Who runs it, or ran it last.
    worker: str | None = None

    @property
    def request(self) -> Request:
        if isinstance(self.kept_request, str):
            self.kept_request = msgspec.json.decode(self.kept_request, type=Request)
        return self.kept_request

    @property
    def journal(self) -> Mapping[str, str]:
        if isinstance(self.kept_journal, str):
            self.kept_journal = msgspec.json.decode(self.kept_journal, type=dict[str, str])
        return self.kept_journal

    @property
    def job(self) -> Job:
        """Return the job as everybody else knows it."""
        return Job(
            self.id,
            lane_of(self.lane),
            self.thread,
            self.sequence,
            self.kind,
            self.state,
            self.subject,
            self.request,
            from_seconds(self.received_at),
            self.fence,
            self.attempt,
            self.interruptions,
            self.outcome,
            self.summary,
            self.error,
            self.commit,
            self.mail,
            self.repeats,
            self.about,
            self.token,
            _moment(self.started_at),
            _moment(self.finished_at),
            _moment(self.deadline_at),
            Journal(self.journal),
        )

    @property
    def turn(self) -> Turn:
        return Turn(
            self.id,
            self.thread,
            self.sequence,
            self.kind,
            self.state,
            self.not_before,
            self.prepare_by,
            self.start_by,
            self.patience_shift,
            self.deadline_at,
        )

    def drop_cancel(self) -> None:
        self.cancel = self.cancel_by = self.cancel_thread = self.cancel_fence = self.cancel_not_before = None

    def wait_until(self, moment: Moment, lane: LaneRow) -> None:
        """Let the job's patience end then, and later by whatever pauses come."""
        self.start_by, self.patience_shift = moment.seconds, lane.patience_shift


def fails_at(job: Turn | JobRow, lane: LaneRow, now: Moment) -> float | None:
    """Return when the job fails by time; past the commit point never: its commit may be live."""
    match job.state:
        case State.PREPARING:
            return job.prepare_by
        case State.QUEUED | State.PARKED:
            return None if lane.paused else job.start_by + lane.patience_shift - job.patience_shift
        case State.RUNNING:
            return lane.deadline_of(job.deadline_at, now)
        case _:
            return None


def fresh_row(job: NewJob, sequence: int, token: str, limits: Limits, now: Moment) -> JobRow:
    """Return a job that was just accepted."""
    return JobRow(
        id=job.id,
        lane=job.lane.key,
        thread=job.thread,
        sequence=sequence,
        kind=job.kind,
        state=State.PREPARING,
        subject=job.subject,
        kept_request=job.request,
        received_at=job.received_at.timestamp(),
        dedup_key=job.dedup_key,
        prepare_by=(now + limits.prepare_by).seconds,
        start_by=(now + limits.patience).seconds,
        mail=job.mail,
        repeats=job.repeats,
        about=job.about,
        token=token,
    )


def _moment(seconds: float | None) -> datetime | None:
    return from_seconds(seconds) if seconds is not None else None
