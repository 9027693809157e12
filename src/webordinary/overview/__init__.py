"""The read side: what the command line and the dashboard show of lanes, jobs and mails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

    from webordinary.clock import Moment
    from webordinary.jobs.job import Job
    from webordinary.mail.outcomes import MailOutcome
    from webordinary.overview.filters import Counts, FoundPage, JobsAsked, LeftAsked, MailsAsked

# More than there are, for a caller that has to see every one.
EVERY = 2**31


@dataclass(frozen=True, slots=True)
class LaneView:
    """One lane as an operator sees it."""

    lane: str
    owner: str | None
    fence: int
    pending: int
    running: str | None
    lease_until: datetime | None
    paused: str | None
    last_worker: str | None = None
    rings: int = 0
    rings_suppressed: int = 0
    # Since when nobody has taken it although something waits in it; None while it is owned or may not be taken yet.
    free_since: datetime | None = None
    # Its first job is not started before this moment, where that is ahead.
    not_before: datetime | None = None
    # No job of the lane fails by time before this moment.
    overdue_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MailView:
    """One mail and what became of it."""

    id: str
    door: str
    sender: str | None
    recipients: tuple[str, ...]
    subject: str
    received_at: datetime
    state: str
    outcome: MailOutcome | None
    reason: str | None
    job: str | None
    thread: str | None
    project: str | None = None
    verdict: str | None = None
    method: str | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkerView:
    """One worker process and how it is doing."""

    worker: str
    process: str
    idle: bool
    seen_at: datetime
    claims_won: int
    claims_lost: int
    claims_failed: int
    holds_back_until: datetime | None


@dataclass(frozen=True, slots=True)
class PausedView:
    """A project in which nothing starts, and why."""

    project: str
    reason: str
    since_at: datetime


@dataclass(frozen=True, slots=True)
class LoadView:
    """How much waits and runs now; a lane waits from when a worker may take it, a job since its mail came."""

    lanes_waiting: int
    longest_lane: timedelta
    jobs_waiting: int
    jobs_running: int
    longest_job: timedelta


@dataclass(frozen=True, slots=True)
class FailingView:
    """A project whose last jobs all failed; a few more, and it is paused."""

    project: str
    failures: int


@dataclass(frozen=True, slots=True)
class Examined:
    """What a look through the store itself has found."""

    damage: str | None
    # False when the time was over before the end: nothing was found in what could be looked at.
    is_complete: bool = True


class Overview(Protocol):
    """Looks, never changes anything."""

    def examine(self, within: timedelta) -> Examined:
        """Look through the store for damage, but not for longer than that; nothing is wrong where others keep it."""

    def lanes(self, now: Moment, *, after: str = "", limit: int = 100) -> Sequence[LaneView]:
        """Return lanes by their names, those behind `after`."""

    def active(self, now: Moment, *, after: str = "", limit: int = 100) -> Sequence[LaneView]:
        """Return the lanes that have an owner or wait for one, those behind `after`.

        Those that were claimed come first, by their names; then those that wait, the longest first. Where a look has
        its price only as many are found as workers choose from.
        """

    def lane(self, lane: str, now: Moment) -> LaneView | None: ...

    def lanes_of(self, worker: str, now: Moment) -> Sequence[LaneView]:
        """Return the lanes that a worker owns."""

    def has_lane(self, project: str) -> bool:
        """Tell whether anybody ever asked for something in the project."""

    def jobs(
        self, *, state: str | None = None, lane: str | None = None, after: str | None = None, limit: int = 100
    ) -> Sequence[Job]:
        """Return jobs, newest first; `after` a job: those that came before it."""

    def live(self, lane: str) -> Sequence[Job]:
        """Return the jobs of a lane that are not over, in their order."""

    def late(self, before: datetime, now: Moment) -> Sequence[tuple[Job, LaneView]]:
        """Return live jobs of mails received before then of which nobody was told yet that it takes long."""

    def dead_without_alarm(self, *, limit: int = 100) -> Sequence[Job]:
        """Return dead jobs of which nobody was told by an alarm."""

    def job(self, job: str) -> Job | None: ...

    def mails(
        self, *, outcome: MailOutcome | None = None, after: str | None = None, limit: int = 100
    ) -> Sequence[MailView]:
        """Return mails, newest first; `after` a mail: those that came before it."""

    def mail(self, mail: str) -> MailView | None: ...

    def paused(self) -> Sequence[PausedView]:
        """Return the projects in which nothing starts."""

    def workers(self) -> Sequence[WorkerView]: ...

    def load(self, now: Moment) -> LoadView:
        """Return how much waits and runs, without looking at anything that is over."""

    def find_jobs(self, asked: JobsAsked, *, after: str | None = None, limit: int = 100) -> FoundPage[Job]:
        """Return a page of jobs, newest first; it looks at a bounded number, and `after` goes on from there."""

    def find_mails(self, asked: MailsAsked, *, after: str | None = None, limit: int = 100) -> FoundPage[MailView]:
        """Return a page of mails, newest first; it looks at a bounded number, and `after` goes on from there."""

    def unclaimed(self, now: Moment, *, limit: int = 100) -> Sequence[LaneView]:
        """Return lanes that wait for a worker, those that wait longest first."""

    def unanswered(self, left: LeftAsked, *, after: str | None = None, limit: int = 100) -> FoundPage[Job]:
        """Return jobs that ended with a question which nobody has answered, the newest first."""

    def buried(self, left: LeftAsked, *, after: str | None = None, limit: int = 100) -> FoundPage[Job]:
        """Return dead jobs that nobody has tried again, the newest first."""

    def failing(self) -> Sequence[FailingView]:
        """Return the projects in which the last two or more jobs failed, those with most failures first."""

    def counts(self, *, projects: tuple[str, ...] | None = None) -> Counts:
        """Return how many jobs there are in each state, without reading them one by one."""
