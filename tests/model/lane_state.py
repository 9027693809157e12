"""The state of the model of one lane: its rows as a store keeps them, its two workers, and what they publish to."""

from __future__ import annotations

from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from webordinary.jobs.job import LIVE, State

if TYPE_CHECKING:
    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.lane import LaneRow

NOTHING = -1
TERMINAL = frozenset(State) - LIVE

# Everything that decides; what is only told to people would make equal states different.
LANE_FIELDS = (
    "fence",
    "owner",
    "lease_until",
    "pending",
    "verbs",
    "next_sequence",
    "running",
    "is_committing",
    "ready_since",
    "not_before",
    "overdue_at",
    "first_thread",
)
JOB_FIELDS = (
    "state",
    "fence",
    "attempt",
    "interruptions",
    "not_before",
    "prepare_by",
    "start_by",
    "deadline_at",
    "cancel",
    "cancel_by",
    "cancel_thread",
    "cancel_fence",
    "cancel_not_before",
)
_lane_values = attrgetter(*LANE_FIELDS)
_job_values = attrgetter(*JOB_FIELDS)


class LaneValues(NamedTuple):
    """The row of the lane."""

    fence: int = 0
    owner: str | None = None
    lease_until: float = 0
    pending: int = 0
    verbs: int = 0
    next_sequence: int = 1
    running: str | None = None
    is_committing: bool = False
    ready_since: float | None = None
    not_before: float = 0
    overdue_at: float | None = None
    first_thread: str | None = None


class JobValues(NamedTuple):
    """The row of a job."""

    state: State
    fence: int
    attempt: int
    interruptions: int
    not_before: float
    prepare_by: float
    start_by: float
    deadline_at: float | None
    cancel: str | None
    cancel_by: str | None
    cancel_thread: str | None
    cancel_fence: int | None
    cancel_not_before: float | None


def keep_lane(row: LaneRow) -> LaneValues:
    return LaneValues(*_lane_values(row))


def keep_job(row: JobRow) -> JobValues:
    return JobValues(*_job_values(row))


class Place(StrEnum):
    """Where a worker stands: which operation it would try next."""

    FREE = "free"
    SETTING_UP = "about to wait"
    WAITING = "waiting"
    IDLE = "idle"
    WORKING = "working"
    STOPPING = "stopping"
    PUSHING = "pushing"
    POINTING = "pointing"
    FINISHING = "finishing"
    FENCING_REMOTE = "fencing the remote"
    FENCING_POINTER = "fencing the pointer"
    LOOKING = "looking"
    RETURNING = "returning"


WITHOUT_LANE = frozenset({Place.FREE, Place.SETTING_UP, Place.WAITING})


class Worker(NamedTuple):
    """One worker process; what it believes about its lane is its fence, and that may be out of date."""

    fence: int = 0
    place: Place = Place.FREE
    job: int = NOTHING
    is_paused: bool = False
    is_rung: bool = False

    def at(self, place: Place) -> Worker:
        return self._replace(place=place)

    def __str__(self) -> str:
        return f"worker@{self.fence}"


FREE_WORKER = Worker()


class Budget(NamedTuple):
    """How often each thing that a healthy run does not need may still happen."""

    crashes: int = 0
    pauses: int = 0
    give_backs: int = 0
    failures: int = 0
    retries: int = 0
    deadlines: int = 0
    stops: int = 0
    refusals: int = 0
    lost_wakeups: int = 0
    repeated_wakeups: int = 0
    releases: int = 0
    repeats: int = 0


NO_FAULTS = Budget()


class World(NamedTuple):
    """Everything at one instant; the last four are what the checks remember and nobody can read."""

    budget: Budget
    lane: LaneValues | None = None
    # One for each mail that has come, in the order of arrival.
    jobs: tuple[JobValues, ...] = ()
    workers: tuple[Worker, Worker] = (FREE_WORKER, FREE_WORKER)
    wakeup: bool = False
    remote_fence: int = 0
    live: tuple[int, ...] = ()
    pointer_fence: int = 0
    pointer: int = 0
    owed: str = ""
    newest: int = 0
    promised: tuple[int, ...] = ()
    # How often each job was set aside.
    parks: tuple[int, ...] = ()

    @property
    def row(self) -> LaneValues:
        return self.lane or LaneValues()

    def is_held_by(self, worker: Worker) -> bool:
        return self.row.owner is not None and self.row.fence == worker.fence

    def with_job(self, number: int, **changes: Any) -> World:  # noqa: ANN401 - any field
        job = self.jobs[number]._replace(**changes)
        return self._replace(jobs=(*self.jobs[:number], job, *self.jobs[number + 1 :]))

    def with_worker(self, old: Worker, new: Worker) -> World:
        first, second = self.workers
        return self._replace(workers=(new, second) if first == old else (first, new))

    def spend(self, what: str) -> World:
        return self._replace(budget=self.budget._replace(**{what: getattr(self.budget, what) - 1}))

    def decided_by(self, worker: Worker) -> World:
        return self._replace(newest=max(self.newest, worker.fence))
