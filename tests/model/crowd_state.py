"""The state of the model of several lanes: their rows, the projects' rows, and which worker stands where.

Only what decides is kept. Fences are always the current ones, because no worker of this model sleeps, and moments are
only the order in which they came: the oldest is the furthest away.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from webordinary.dispatch.job_row import HOLDING
from webordinary.jobs.job import State

from .memory_store import LIMITS, NOW

if TYPE_CHECKING:
    from collections.abc import Iterable

LEASED_UNTIL = (NOW + LIMITS.lease).seconds


class CrowdJob(NamedTuple):
    """A live job."""

    state: State
    attempt: int = 0


class CrowdLane(NamedTuple):
    """A lane with its live jobs in their order, all of one thread."""

    is_owned: bool = False
    lease_until: float = 0
    ready_since: float | None = None
    is_committing: bool = False
    is_paused: bool = False
    pending: int = 0
    running: int | None = None
    jobs: tuple[CrowdJob, ...] = ()
    # What the checks remember: its owner died.
    is_orphan: bool = False

    @property
    def has_lapsed(self) -> bool:
        return self.is_owned and self.lease_until <= NOW.seconds

    @property
    def is_free(self) -> bool:
        """Say once more whether a worker may take the lane."""
        left = self.has_lapsed and bool(self.jobs) and (not self.is_paused or self.is_half_published)
        waits = not self.is_owned and not self.is_paused and bool(self.jobs)
        return left or (waits and self.jobs[0].state is State.QUEUED)

    @property
    def is_half_published(self) -> bool:
        return any(job.state is State.COMMITTING for job in self.jobs)

    @property
    def waits_since(self) -> float:
        return self.lease_until if self.is_owned else self.ready_since or NOW.seconds


class CrowdProject(NamedTuple):
    """What is known of a project, and what the checks remember of it: the failures in a row."""

    failures: int = 0
    is_paused: bool = False
    streak: int = 0


class Spot(StrEnum):
    """Where a worker stands: what it would do next."""

    FREE = "free"
    IDLE = "idle"
    LEAVING = "leaving"
    WORKING = "working"
    PUSHING = "pushing"


class CrowdWorker(NamedTuple):
    """One worker, and the lane that it owns."""

    spot: Spot = Spot.FREE
    lane: int = -1

    def __str__(self) -> str:
        return f"the worker of lane {self.lane}" if self.lane >= 0 else "a free worker"


class CrowdBudget(NamedTuple):
    """How often each thing may still happen; without a number of mails they never end."""

    mails: int | None = None
    crashes: int = 0
    failures: int = 0
    pauses: int = 0


class Crowd(NamedTuple):
    """Everything at one instant."""

    budget: CrowdBudget
    lanes: tuple[CrowdLane, ...]
    projects: tuple[CrowdProject, ...]
    workers: tuple[CrowdWorker, ...]
    # How many others have started since the first lane waits.
    passed: int = 0

    def with_worker(self, old: CrowdWorker, new: CrowdWorker) -> Crowd:
        workers = list(self.workers)
        workers[workers.index(old)] = new
        return self._replace(workers=tuple(workers))

    def with_lane(self, number: int, lane: CrowdLane) -> Crowd:
        return self._replace(lanes=(*self.lanes[:number], lane, *self.lanes[number + 1 :]))

    def spend(self, what: str) -> Crowd:
        left = getattr(self.budget, what)
        return self if left is None else self._replace(budget=self.budget._replace(**{what: left - 1}))

    def owners(self) -> set[int]:
        return {worker.lane for worker in self.workers if worker.lane >= 0}

    def tidy(self) -> Crowd:
        """Put workers, which are alike, in order, and keep of moments only which came first."""
        ranks = {at: NOW.seconds - 1 - rank for rank, at in enumerate(sorted(_moments(self.lanes), reverse=True))}
        lanes = tuple(_tidy(lane, ranks) for lane in self.lanes)
        return self._replace(lanes=lanes, workers=tuple(sorted(self.workers)))


def _moments(lanes: Iterable[CrowdLane]) -> set[float]:
    waiting = {lane.ready_since for lane in lanes if lane.ready_since is not None}
    return waiting | {lane.lease_until for lane in lanes if lane.has_lapsed}


def _tidy(lane: CrowdLane, ranks: dict[float, float]) -> CrowdLane:
    lease = 0 if not lane.is_owned else ranks[lane.lease_until] if lane.has_lapsed else LEASED_UNTIL
    since = ranks[lane.ready_since] if lane.ready_since is not None else None
    return lane._replace(lease_until=lease, ready_since=since, is_orphan=lane.is_orphan and lane.is_owned)


def is_held(job: CrowdJob) -> bool:
    return job.state in HOLDING
