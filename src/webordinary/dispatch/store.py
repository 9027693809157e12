"""The store: all that an engine has to bring so that lanes are dispatched on it; it keeps, and decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from webordinary.dispatch.line import LiveJobs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime, timedelta

    from webordinary.clock import Moment
    from webordinary.dispatch.breaker import ProjectRow
    from webordinary.dispatch.effects import Effects
    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.lane import LaneRow
    from webordinary.dispatch.line import Line
    from webordinary.jobs.callbacks import Callback
    from webordinary.jobs.job import Job, NewJob
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Slot:
    """Who may publish in a project."""

    lane: str
    job: str
    fence: int


@dataclass(frozen=True, slots=True)
class DoneStep:
    """A step of a job that is done, and what it leaves."""

    step: str
    facts: Mapping[str, str]
    at: Moment

    @property
    def journaled(self) -> dict[str, str]:
        return {self.step: self.at.wall_at.isoformat(), **self.facts}


@dataclass(slots=True)
class Rounds:
    """Where the sweep has to look; a store may know of more lanes than really need it."""

    # A limit may have passed in them.
    overdue: list[str] = field(default_factory=list)
    # They are not as paused as their project.
    behind: list[str] = field(default_factory=list)
    # They are ready, or their owner's lease has lapsed.
    waiting: list[str] = field(default_factory=list)
    # How many jobs this sweep has failed by time.
    failed: int = 0


class Transaction(LiveJobs, Protocol):
    """What is read, and what will be true together. Nothing is written before the decision is made."""

    @property
    def now(self) -> Moment: ...

    @property
    def effects(self) -> Effects: ...

    @property
    def is_repeated(self) -> bool:
        """Tell whether somebody was quicker and the operation is decided once more."""

    def line(self, lane: str) -> Line:
        """Read a lane to change it; LostOwnership when there is none."""

    def line_seen(self, row: LaneRow) -> Line | None:
        """Take a lane as a look has just shown it, or read it."""

    def place_for(self, job: NewJob) -> tuple[str | None, Line | None]:
        """Return the job that has this dedup key already, and the lane if there is one."""

    def known(self, dedup_key: str) -> str | None:
        """Return the job that was accepted under this key."""

    def new_line(self, lane: str) -> Line:
        """Begin a lane, under a fence that no lane of this name ever had."""

    def line_with(
        self, job: str, lane: str | None = None, sequence: int | None = None
    ) -> tuple[Line | None, JobRow | None]:
        """Return the line in which a job lives, and the job; without a line it is over or unknown."""

    def find(self, job: str) -> JobRow | None:
        """Return a job by its id, live or over."""

    def attempt(self, claim: Claim, job: Job, *, is_step: bool = False) -> Line:
        """Read a lane for what its owner writes about the job that it runs.

        For a step a store may believe its owner at the first try, if it then writes only what is true of it.
        """

    def steps_put_off(self, claim: Claim, job: Job) -> Sequence[DoneStep]:
        """Return what the owner has done and not written yet; it is written now."""

    def forget(self, line: Line) -> None:
        """Write nothing about a line that was only looked at."""

    def free_lanes(self, *, besides: str = "", seen: Sequence[LaneRow] | None = None) -> Sequence[LaneRow]:
        """Return lanes that wait or were left, the one whose turn it is among them; `seen` by a look before it."""

    def project(self, project: str) -> ProjectRow: ...

    def hold_project(self, project: ProjectRow) -> None:
        """Let the transaction happen only while the project is as paused as it was when it was read."""

    def put_project(self, after: ProjectRow, seen: ProjectRow) -> None: ...

    def forgive(self, project: str) -> None:
        """Start to count a project's failures anew."""

    def lanes_that_follow(self, project: str) -> Iterable[str]:
        """Return the project's lanes that can follow it in this very transaction; the others are `Rounds.behind`."""

    def lane_and_slot(self, claim: Claim) -> tuple[LaneRow | None, Slot | None]:
        """Look at the lane of a claim, and at who may publish in its project."""

    def look(self, lane: str) -> LaneRow | None:
        """Look at a lane without changing it."""

    def believes_slot(self, claim: Claim) -> bool:
        """Tell whether the slot may be taken unread: the write then happens only if no other lane has it."""

    def put_slot(self, slot: Slot | None, seen: Slot | None, claim: Claim, job: str) -> None:
        """Keep who may publish, while that job still runs under that claim; None: nobody."""

    def callback(self, token: str) -> Callback | None: ...

    def count_claim(self, worker: str, *, won: bool) -> None:
        """Count one try to claim under its result; a worker that won no longer waits."""


class Store(Protocol):
    """One installation's lanes, jobs, projects and workers."""

    limits: Limits
    # How many jobs one transaction can end, and how many lanes it can touch.
    most_at_once: int
    lanes_at_once: int

    def change(self, decide: Callable[[Transaction], Result], now: Moment) -> Result:
        """Let `decide` read and change, and write it all at once; decided again as often as somebody was quicker.

        What the transaction says (`Effects`) is told when it has happened, and never before.
        """

    def has_put_off(self, claim: Claim, job: Job) -> bool:
        """Tell whether steps of this attempt are not written yet."""

    def put_off(self, claim: Claim, job: Job, done: DoneStep) -> Mapping[str, str] | None:
        """Keep a step for the next write about its attempt and return the journal with it; None: write it now."""

    def require_space(self) -> None:
        """Refuse new work, with TryAgain, while there is hardly room to finish what was accepted."""

    def free_lanes(self, now: Moment, *, besides: str = "") -> Sequence[LaneRow]:
        """Look which lanes wait or were left."""

    def called_for(self, worker: str) -> str | None:
        """Return the lane for which the worker was woken, if it was for one."""

    def rounds(self, now: Moment) -> Rounds: ...

    def lanes_behind(self, project: str) -> Sequence[str]:
        """Return the lanes that may not be as paused as their project."""

    def tidy(self, rounds: Rounds, now: Moment) -> int:
        """Do what is left to do for the engine itself in each sweep; count what was done."""

    def lanes_of(self, worker: str) -> Sequence[str]:
        """Return the lanes that a worker owns."""

    def renew(self, claim: Claim, job: str | None, lease: timedelta, now: Moment) -> LaneRow:
        """Let `LaneRow.renew` happen in one write, and return the lane as it then is."""

    def running(self, row: LaneRow, job: str) -> JobRow | None:
        """Return the job that runs in a lane if it is that one."""

    def is_waited_for(self, row: JobRow, now: Moment) -> bool:
        """Send a heartbeat to the caller that waits for a job; False when nobody waits any more."""

    def wait_for_work(self, worker: str, now: Moment) -> None: ...

    def say_health(self, worker: str, failures: int, holds_back_until: datetime | None, now: Moment) -> None: ...

    def forget_worker(self, worker: str) -> None: ...

    def callback(self, token: str) -> Callback | None: ...

    def beat_callback(self, token: str, now: Moment) -> None:
        """Note that somebody works on what a token stands for; LostOwnership when nobody waits for it any more."""
