"""A store in memory for one lane: it begins with the rows of a state, and ends with those of the next one.

Time stands still. Whatever the passing of time would do, a model does to the rows: a lease is over, a wait has ended.
"""

from __future__ import annotations

from copy import copy
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from webordinary.clock import Moment
from webordinary.dispatch.attempts import StoredAttempts
from webordinary.dispatch.breaker import ProjectRow
from webordinary.dispatch.claims import StoredClaims
from webordinary.dispatch.effects import Effects
from webordinary.dispatch.job_row import JobRow
from webordinary.dispatch.lane import LaneRow, LeaseClock
from webordinary.dispatch.lanes import StoredLanes
from webordinary.dispatch.line import Line
from webordinary.dispatch.store import Rounds, Slot
from webordinary.errors import LostOwnership
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.jobs.limits import Limits
from webordinary.ownership.claim import Claim
from webordinary.routing.lane import Lane

from .lane_state import LANE_FIELDS, keep_job, keep_lane

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from webordinary.audit.entry import Entry
    from webordinary.dispatch.effects import Wakeup
    from webordinary.dispatch.job_row import Turn
    from webordinary.dispatch.store import DoneStep
    from webordinary.jobs.callbacks import Callback
    from webordinary.jobs.job import Job

    from .lane_state import JobValues, World

Result = TypeVar("Result")

NOW = Moment(datetime(2026, 11, 16, tzinfo=UTC), 1_000_000.0, "boot")
LANE = Lane("amelia", "scott")
# All workers have one name: it proves nothing, the fence does.
NAME = "worker"
PERSON = "scott"
_SECOND = timedelta(seconds=30)
# All leases are one, and nobody is rung too often: fewer states, and nothing is decided by the difference.
LIMITS = Limits(lease=_SECOND, idle_lease=_SECOND, answer=_SECOND, ring_again=timedelta(0), attempts=9, breaker=99)
_REQUEST = Request("We open at nine")


def job_name(number: int) -> str:
    return f"m{number}"


def number_of(job: str) -> int:
    return int(job[1:])


def new_job(number: int, thread: str) -> NewJob:
    kind = Kind.VERB if thread.isdigit() else Kind.INSTRUCTION
    name = job_name(number)
    return NewJob(name, LANE, thread_of(thread), name, kind, "", _REQUEST, NOW.wall_at)


def thread_of(letter: str) -> str:
    """A digit is a verb in the thread of the letter in its place: 1 in that of A, 2 in that of B."""
    return chr(ord("A") + int(letter) - 1) if letter.isdigit() else letter


class MemoryStore:
    """The rows of one state, and after an operation those of the next."""

    limits = LIMITS
    most_at_once = 10
    lanes_at_once = 10

    def __init__(self, world: World, threads: str) -> None:
        self._threads = threads
        self._row = _thaw_lane(world) if world.lane is not None else None
        self._values = dict(enumerate(world.jobs))
        self._rows: dict[int, JobRow] = {}
        # What was told, by all transactions of an operation together.
        self.entries: list[Entry] = []
        self.wakeups: list[Wakeup] = []
        self.alone: list[str] = []
        self.left: list[LaneRow] = []
        self.lanes, self.claims, self.attempts = StoredLanes(self), StoredClaims(self), StoredAttempts(self)

    def after(self, world: World) -> World:
        """Return the state with the rows as they are now."""
        jobs = self._values | {number: keep_job(row) for number, row in self._rows.items()}
        lane = keep_lane(self._row) if self._row is not None else None
        return world._replace(lane=lane, jobs=tuple(jobs[number] for number in range(len(jobs))))

    def job(self, number: int) -> Job:
        return self._read(number).job

    def change(self, decide: Callable[[MemoryWrite], Result], now: Moment) -> Result:
        del now
        write = MemoryWrite(self)
        result = decide(write)
        write.write()
        self.entries += write.effects.entries
        self.wakeups += write.effects.wakeups
        self.alone += write.effects.alone
        self.left += write.effects.left
        return result

    def _read(self, number: int) -> JobRow:
        return self._rows.get(number) or _thaw_job(number, self._threads[number], self._values[number])

    def turns(self, *, thread: str | None = None, kind: Kind | None = None) -> list[Turn]:
        rows = [self._rows.get(number) or self._read(number) for number in sorted(self._values | self._rows)]
        live = [row for row in rows if row.state.is_live]
        return [
            row.turn for row in live if (thread is None or row.thread == thread) and (kind is None or row.kind == kind)
        ]

    def row(self) -> LaneRow | None:
        return self._row

    def find(self, job: str) -> JobRow | None:
        number = number_of(job)
        return self._read(number) if number in self._values or number in self._rows else None

    def keep(self, line: Line) -> None:
        """Write a line; from now on it is what everybody reads."""
        self._row = line.row
        for row in (*line.added, *line.changed.values(), *line.ended.values()):
            self._rows[number_of(row.id)] = row

    def has_put_off(self, claim: Claim, job: Job) -> bool:
        del claim, job
        return False

    def put_off(self, claim: Claim, job: Job, done: DoneStep) -> None:
        """Write everything at once."""

    def require_space(self) -> None: ...

    def free_lanes(self, now: Moment, *, besides: str = "") -> Sequence[LaneRow]:
        is_free = self._row is not None and self._row.is_free(now) and besides != LANE.key
        return [self._row] if self._row is not None and is_free else []

    def called_for(self, worker: str) -> str | None:
        del worker
        return None

    def rounds(self, now: Moment) -> Rounds:
        row = self._row
        if row is None:
            return Rounds()
        is_overdue = row.overdue_at is not None and row.overdue_at <= now.seconds
        waits = row.is_ready(now) or row.has_lapsed(now)
        return Rounds(overdue=[row.lane] * is_overdue, waiting=[row.lane] * waits)

    def lanes_behind(self, project: str) -> Sequence[str]:
        del project
        return ()

    def tidy(self, rounds: Rounds, now: Moment) -> int:
        del rounds, now
        return 0

    def lanes_of(self, worker: str) -> Sequence[str]:
        return [self._row.lane] if self._row is not None and self._row.owner == worker else []

    def renew(self, claim: Claim, job: str | None, lease: timedelta, now: Moment) -> LaneRow:
        del job
        assert self._row is not None
        self._row.renew(claim, lease, now)
        return self._row

    def running(self, row: LaneRow, job: str) -> JobRow | None:
        return self.find(job) if row.running == job else None

    def is_waited_for(self, row: JobRow, now: Moment) -> bool:
        del row, now
        return True

    def wait_for_work(self, worker: str, now: Moment) -> None: ...

    def say_health(self, worker: str, failures: int, holds_back_until: datetime | None, now: Moment) -> None: ...

    def forget_worker(self, worker: str) -> None: ...

    def callback(self, token: str) -> Callback | None:
        raise NotImplementedError(token)

    def beat_callback(self, token: str, now: Moment) -> None: ...


class MemoryWrite:
    """One transaction: nobody sees anything of it before it is written."""

    now = NOW
    is_repeated = False

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self.effects = Effects()
        self._line: Line | None = None

    def write(self) -> None:
        if self._line is not None:
            self._line.recompute()
            self._store.keep(self._line)

    def line(self, lane: str) -> Line:
        if self._line is None:
            row = self._store.row()
            if row is None:
                raise LostOwnership(f"there is no lane {lane}")
            # A copy: what is decided is nowhere before it is written.
            self._line = self._begin(copy(row))
        return self._line

    def _begin(self, row: LaneRow) -> Line:
        return Line(row, self, self.effects, LIMITS, NOW)

    def line_seen(self, row: LaneRow) -> Line | None:
        return self.line(row.lane)

    def place_for(self, job: NewJob) -> tuple[str | None, Line | None]:
        return self.known(job.dedup_key), self.line(job.lane.key) if self._store.row() is not None else None

    def known(self, dedup_key: str) -> str | None:
        return dedup_key if self._store.find(dedup_key) is not None else None

    def new_line(self, lane: str) -> Line:
        self._line = self._begin(LaneRow(lane, 0, leases=LeaseClock.WALL))
        self._line.is_new = True
        return self._line

    def steps_put_off(self, claim: Claim, job: Job) -> Sequence[DoneStep]:
        del claim, job
        return ()

    def believes_slot(self, claim: Claim) -> bool:
        del claim
        return False

    def line_with(
        self, job: str, lane: str | None = None, sequence: int | None = None
    ) -> tuple[Line | None, JobRow | None]:
        del lane, sequence
        row = self.find(job)
        if row is None or not row.state.is_live:
            return None, row
        line = self.line(row.lane)
        line.jobs[job] = row
        return line, row

    def find(self, job: str) -> JobRow | None:
        return self._store.find(job)

    def attempt(self, claim: Claim, job: Job, *, is_step: bool = False) -> Line:
        del job, is_step
        return self.line(claim.lane.key)

    def forget(self, line: Line) -> None:
        del line
        self._line = None

    def first(self, lane: str, most: int) -> Sequence[Turn]:
        del lane
        return self._store.turns()[:most]

    def first_of(self, lane: str, thread: str, most: int) -> Sequence[Turn]:
        del lane
        return self._store.turns(thread=thread)[:most]

    def verbs(self, lane: str) -> Sequence[Turn]:
        del lane
        return self._store.turns(kind=Kind.VERB)

    def all(self, lane: str) -> Sequence[Turn]:
        del lane
        return self._store.turns()

    def read(self, lane: str, job: str) -> JobRow | None:
        del lane
        row = self.find(job)
        return row if row is not None and row.state.is_live else None

    def free_lanes(self, *, besides: str = "", seen: Sequence[LaneRow] | None = None) -> Sequence[LaneRow]:
        del seen
        return self._store.free_lanes(NOW, besides=besides)

    def project(self, project: str) -> ProjectRow:
        return ProjectRow(project)

    def hold_project(self, project: ProjectRow) -> None: ...

    def put_project(self, after: ProjectRow, seen: ProjectRow) -> None: ...

    def forgive(self, project: str) -> None: ...

    def lanes_that_follow(self, project: str) -> Iterable[str]:
        del project
        return ()

    def lane_and_slot(self, claim: Claim) -> tuple[LaneRow | None, Slot | None]:
        del claim
        return self._store.row(), None

    def look(self, lane: str) -> LaneRow | None:
        del lane
        return self._store.row()

    def put_slot(self, slot: Slot | None, seen: Slot | None, claim: Claim, job: str) -> None: ...

    def callback(self, token: str) -> Callback | None:
        return self._store.callback(token)

    def count_claim(self, worker: str, *, won: bool) -> None: ...


def claim_of(fence: int) -> Claim:
    return Claim(LANE, fence, NAME, "")


def _thaw_lane(world: World) -> LaneRow:
    row = LaneRow(LANE.key, 0, leases=LeaseClock.WALL)
    for name, value in zip(LANE_FIELDS, world.row, strict=True):
        setattr(row, name, value)
    return row


def _thaw_job(number: int, letter: str, values: JobValues) -> JobRow:
    name, seconds = job_name(number), NOW.seconds
    row = JobRow(
        name,
        LANE.key,
        thread_of(letter),
        number + 1,
        Kind.VERB if letter.isdigit() else Kind.INSTRUCTION,
        values.state,
        "",
        _REQUEST,
        seconds,
        name,
        values.prepare_by,
        values.start_by,
        token=name,
        started_at=seconds,
        attempt_at=seconds,
        kept_journal={},
    )
    row.fence, row.attempt, row.interruptions = values.fence, values.attempt, values.interruptions
    row.not_before, row.deadline_at = values.not_before, values.deadline_at
    row.cancel, row.cancel_by, row.cancel_thread = values.cancel, values.cancel_by, values.cancel_thread
    row.cancel_fence, row.cancel_not_before = values.cancel_fence, values.cancel_not_before
    return row
