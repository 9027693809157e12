"""A store in memory for several lanes of several projects, at one instant."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from webordinary.dispatch.attempts import StoredAttempts
from webordinary.dispatch.breaker import ProjectRow
from webordinary.dispatch.claims import StoredClaims
from webordinary.dispatch.effects import Effects
from webordinary.dispatch.job_row import JobRow
from webordinary.dispatch.lane import LaneRow, LeaseClock, lane_of
from webordinary.dispatch.lanes import StoredLanes
from webordinary.dispatch.line import Line
from webordinary.dispatch.store import Rounds
from webordinary.errors import LostOwnership
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.ownership.claim import Claim

from .crowd_state import CrowdJob, CrowdLane, is_held
from .memory_store import LIMITS, NAME, NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from webordinary.audit.entry import Entry
    from webordinary.clock import Moment
    from webordinary.dispatch.effects import Wakeup
    from webordinary.dispatch.job_row import Turn
    from webordinary.dispatch.store import DoneStep
    from webordinary.jobs.job import Job

    from .crowd_state import Crowd, CrowdProject

Result = TypeVar("Result")

FENCE = 7
BREAKER = 2
_REQUEST = Request("We open at nine")
_REASON = "paused"


class CrowdStore:
    """The rows of one state, and after an operation those of the next."""

    most_at_once = 10
    lanes_at_once = 10

    def __init__(self, crowd: Crowd, keys: Sequence[str], *, follows_at_once: bool, attempts: int) -> None:
        self.limits = replace(LIMITS, breaker=BREAKER, attempts=attempts)
        self.keys = keys
        self.follows_at_once = follows_at_once
        self.names = list(dict.fromkeys(lane_of(key).project for key in keys))
        pairs = zip(keys, crowd.lanes, strict=True)
        self.rows = {key: _thaw_lane(key, lane, at) for at, (key, lane) in enumerate(pairs)}
        self.jobs = {
            _job_name(at, number): _thaw_job(at, key, number, job)
            for at, (key, lane) in enumerate(zip(keys, crowd.lanes, strict=True))
            for number, job in enumerate(lane.jobs)
        }
        self.projects = {name: _thaw_project(name, row) for name, row in zip(self.names, crowd.projects, strict=True)}
        self.entries: list[Entry] = []
        self.wakeups: list[Wakeup] = []
        # Which lanes a sweep finds to be not as paused as their project.
        self.behind: list[str] = []
        self.lanes, self.claims, self.attempts = StoredLanes(self), StoredClaims(self), StoredAttempts(self)  # type: ignore[arg-type]  # only what these operations ask for

    def after(self, crowd: Crowd) -> Crowd:
        """Return the state with the rows as they are now."""
        lanes = tuple(self._keep_lane(key, lane.is_orphan) for key, lane in zip(self.keys, crowd.lanes, strict=True))
        projects = tuple(
            row._replace(failures=self.projects[name].failures, is_paused=self.projects[name].paused is not None)
            for name, row in zip(self.names, crowd.projects, strict=True)
        )
        return crowd._replace(lanes=lanes, projects=projects)

    def _keep_lane(self, key: str, is_orphan: bool) -> CrowdLane:  # noqa: FBT001 - a field of the state
        row, jobs = self.rows[key], self.turns(key)
        running = next((number for number, job in enumerate(jobs) if job.id == row.running), None)
        return CrowdLane(
            row.owner is not None,
            row.lease_until,
            row.ready_since,
            row.is_committing,
            row.paused is not None,
            row.pending,
            -1 if running is None and row.running is not None else running,
            tuple(CrowdJob(job.state, job.attempt) for job in jobs),
            is_orphan,
        )

    def turns(self, lane: str) -> list[JobRow]:
        live = [row for row in self.jobs.values() if row.lane == lane and row.state.is_live]
        return sorted(live, key=lambda row: row.sequence)

    def claim_of(self, lane: int) -> Claim:
        return Claim(lane_of(self.keys[lane]), FENCE, NAME, "")

    def job_of(self, lane: int) -> Job:
        """Return the job that runs in a lane."""
        return self.jobs[self.rows[self.keys[lane]].running or ""].job

    def new_job(self, lane: int) -> NewJob:
        key = self.keys[lane]
        name = _job_name(lane, len(self.turns(key)))
        return NewJob(name, lane_of(key), key, name, Kind.INSTRUCTION, "", _REQUEST, NOW.wall_at)

    def change(self, decide: Callable[[CrowdWrite], Result], now: Moment) -> Result:
        del now
        write = CrowdWrite(self)
        result = decide(write)
        write.write()
        self.entries += write.effects.entries
        self.wakeups += write.effects.wakeups
        return result

    def require_space(self) -> None: ...

    def free_lanes(self, now: Moment, *, besides: str = "") -> Sequence[LaneRow]:
        return [copy(row) for row in self.rows.values() if row.lane != besides and row.is_free(now)]

    def called_for(self, worker: str) -> str | None:
        del worker
        return None

    def rounds(self, now: Moment) -> Rounds:
        del now
        return Rounds(behind=self.behind)

    def lanes_behind(self, project: str) -> Sequence[str]:
        """Show none: whoever changed the project may die before the next transaction."""
        del project
        return ()

    def tidy(self, rounds: Rounds, now: Moment) -> int:
        del rounds, now
        return 0


class CrowdWrite:
    """One transaction: nobody sees anything of it before it is written."""

    now = NOW
    is_repeated = False

    def __init__(self, store: CrowdStore) -> None:
        self._store = store
        self.effects = Effects()
        self._lines: dict[str, Line] = {}
        self._projects: dict[str, ProjectRow] = {}

    def write(self) -> None:
        for line in self._lines.values():
            line.recompute()
            self._store.rows[line.row.lane] = line.row
            for row in (*line.added, *line.changed.values(), *line.ended.values()):
                self._store.jobs[row.id] = row
        self._store.projects |= self._projects

    def line(self, lane: str) -> Line:
        if lane not in self._lines:
            if self._store.rows[lane].next_sequence == 0:
                raise LostOwnership(f"there is no lane {lane}")
            row = copy(self._store.rows[lane])
            self._lines[lane] = Line(row, self, self.effects, self._store.limits, NOW)
        return self._lines[lane]

    def steps_put_off(self, claim: Claim, job: Job) -> Sequence[DoneStep]:
        del claim, job
        return ()

    def line_seen(self, row: LaneRow) -> Line | None:
        return self.line(row.lane)

    def place_for(self, job: NewJob) -> tuple[str | None, Line | None]:
        return None, self.line(job.lane.key)

    def attempt(self, claim: Claim, job: Job, *, is_step: bool = False) -> Line:
        del job, is_step
        return self.line(claim.lane.key)

    def forget(self, line: Line) -> None:
        del self._lines[line.row.lane]

    def first(self, lane: str, most: int) -> Sequence[Turn]:
        return [row.turn for row in self._store.turns(lane)[:most]]

    def first_of(self, lane: str, thread: str, most: int) -> Sequence[Turn]:
        del thread
        return self.first(lane, most)

    def verbs(self, lane: str) -> Sequence[Turn]:
        """Return none: instructions are enough to wait for a turn."""
        del lane
        return ()

    def all(self, lane: str) -> Sequence[Turn]:
        return [row.turn for row in self._store.turns(lane)]

    def read(self, lane: str, job: str) -> JobRow | None:
        row = self._store.jobs.get(job)
        return copy(row) if row is not None and row.lane == lane and row.state.is_live else None

    def free_lanes(self, *, besides: str = "", seen: Sequence[LaneRow] | None = None) -> Sequence[LaneRow]:
        """Look at the rows as they will be."""
        del seen
        changed = {lane: line.row for lane, line in self._lines.items()}
        return [row for lane, row in (self._store.rows | changed).items() if lane != besides and row.is_free(NOW)]

    def project(self, project: str) -> ProjectRow:
        """Read what stands in the table: not what this transaction is about to write."""
        return self._store.projects[project]

    def hold_project(self, project: ProjectRow) -> None: ...

    def put_project(self, after: ProjectRow, seen: ProjectRow) -> None:
        del seen
        self._projects[after.project] = after

    def forgive(self, project: str) -> None:
        self._projects[project] = replace(self._store.projects[project], failures=0)

    def lanes_that_follow(self, project: str) -> Iterable[str]:
        mine = [key for key in self._store.keys if lane_of(key).project == project]
        return mine if self._store.follows_at_once else ()

    def count_claim(self, worker: str, *, won: bool) -> None: ...


def _job_name(lane: int, number: int) -> str:
    return f"m{lane}.{number}"


def _thaw_lane(key: str, lane: CrowdLane, at: int) -> LaneRow:
    row = LaneRow(key, FENCE, NAME if lane.is_owned else None, "" if lane.is_owned else None)
    row.lease_until, row.ready_since, row.leases = lane.lease_until, lane.ready_since, LeaseClock.WALL
    row.pending, row.next_sequence = lane.pending, len(lane.jobs) + 1
    row.is_committing = lane.is_committing
    row.running = _job_name(at, lane.running) if lane.running is not None else None
    if lane.is_paused:
        row.paused, row.paused_at = _REASON, NOW.seconds
    return row


def _thaw_job(at: int, key: str, number: int, job: CrowdJob) -> JobRow:
    name, seconds = _job_name(at, number), NOW.seconds
    row = JobRow(name, key, key, number + 1, Kind.INSTRUCTION, job.state, "", _REQUEST, seconds, name, seconds, seconds)
    row.token, row.attempt, row.kept_journal = name, job.attempt, {}
    row.fence = FENCE if is_held(job) else 0
    return row


def _thaw_project(name: str, row: CrowdProject) -> ProjectRow:
    return ProjectRow(name, row.failures, _REASON if row.is_paused else None, NOW.seconds)
