"""The state of the model of one lane: its row, its jobs, its two workers, and the remote they publish to."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

NOTHING = -1
PERSON = -2
MAX_INTERRUPTIONS = 2


class JobState(StrEnum):
    UNBORN = "unborn"
    PREPARING = "preparing"
    QUEUED = "queued"
    RUNNING = "running"
    PARKED = "parked"
    COMMITTING = "committing"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


UNSTARTED = frozenset({JobState.PREPARING, JobState.QUEUED, JobState.PARKED})
HOLDING = frozenset({JobState.RUNNING, JobState.COMMITTING})
LIVE = UNSTARTED | HOLDING
TERMINAL = frozenset({JobState.DONE, JobState.FAILED, JobState.STOPPED})


class Job(NamedTuple):
    """One job row; `stop_promised` and `is_announced` are kept for the checks and the mutations only."""

    state: JobState = JobState.UNBORN
    interruptions: int = 0
    cancelled_by: int = NOTHING
    cancel_fence: int = 0
    is_backing_off: bool = False
    stop_promised: bool = False
    is_announced: bool = False

    @property
    def can_start(self) -> bool:
        return self.state in (JobState.QUEUED, JobState.PARKED) and not self.is_backing_off

    def uncancelled(self) -> Job:
        return self._replace(cancelled_by=NOTHING, cancel_fence=0)


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
    lost_bells: int = 0


NO_FAULTS = Budget()


class Lane(NamedTuple):
    """Everything at one instant; `owed` and `newest` are what the checks remember and no worker can read."""

    jobs: tuple[Job, ...]
    budget: Budget
    workers: tuple[Worker, Worker] = (FREE_WORKER, FREE_WORKER)
    fence: int = 0
    is_owned: bool = False
    is_lapsed: bool = False
    running: int = NOTHING
    pending: int = 0
    interrupter: str = ""
    bell: bool = False
    loose_cancel: tuple[int, ...] = ()
    remote_fence: int = 0
    live: tuple[int, ...] = ()
    pointer_fence: int = 0
    pointer: int = 0
    owed: str = ""
    newest: int = 0

    @property
    def has_live_owner(self) -> bool:
        return self.is_owned and not self.is_lapsed

    def is_held_by(self, worker: Worker) -> bool:
        return self.is_owned and self.fence == worker.fence

    def with_job(self, number: int, job: Job) -> Lane:
        return self._replace(jobs=(*self.jobs[:number], job, *self.jobs[number + 1 :]))

    def with_worker(self, old: Worker, new: Worker) -> Lane:
        first, second = self.workers
        return self._replace(workers=(new, second) if first == old else (first, new))

    def without_owner(self) -> Lane:
        return self._replace(is_owned=False, is_lapsed=False)

    def spend(self, what: str) -> Lane:
        return self._replace(budget=self.budget._replace(**{what: getattr(self.budget, what) - 1}))

    def decided_by(self, worker: Worker) -> Lane:
        return self._replace(newest=max(self.newest, worker.fence))
