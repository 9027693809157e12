"""A lane and its jobs in one transaction in memory, at any moment: what a rule changes and tells is a value."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tests.model.lane_state import NO_FAULTS, World
from tests.model.memory_store import MemoryStore, MemoryWrite
from webordinary.clock import Moment
from webordinary.dispatch.breaker import ProjectRow
from webordinary.dispatch.job_row import JobRow
from webordinary.dispatch.lane import LaneRow, LeaseClock
from webordinary.dispatch.line import Line
from webordinary.jobs.job import Kind, Request, State
from webordinary.jobs.limits import Limits
from webordinary.ownership.claim import Claim
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webordinary.audit.entry import EventType
    from webordinary.dispatch.effects import Effects
    from webordinary.dispatch.job_row import Turn

NOW = Moment(datetime(2026, 11, 16, 12, tzinfo=UTC), 1_000.0, "boot")
LANE = Lane("amelia", "scott")
WORKER = "w1"
CLAIM = Claim(LANE, 7, WORKER, "nonce")
ASKED = Request("We open at nine", reply_to="scott@example.org")
LIMITS = Limits()


def after(seconds: float) -> Moment:
    return NOW + timedelta(seconds=seconds)


def job(number: int, thread: str = "a", kind: Kind = Kind.INSTRUCTION, state: State = State.QUEUED) -> JobRow:
    """Return a job that came in five seconds ago."""
    at = NOW.seconds
    return JobRow(
        f"job-{number}",
        LANE.key,
        thread,
        number,
        kind,
        state,
        f"Subject {number}",
        ASKED,
        at - 5,
        f"key-{number}",
        at + 300,
        at + 1_000,
        mail=f"mail-{number}",
    )


def running(number: int, thread: str = "a", state: State = State.RUNNING) -> JobRow:
    """Return a job that has run for four seconds under the claim."""
    row = job(number, thread, state=state)
    row.fence, row.attempt = CLAIM.fence, 1
    row.started_at = row.attempt_at = NOW.seconds - 4
    row.deadline_at = NOW.seconds + 1_196
    return row


class Write(MemoryWrite):
    """One transaction over a lane and its jobs; what it would write about the project is remembered."""

    def __init__(
        self,
        *jobs: JobRow,
        now: Moment = NOW,
        limits: Limits = LIMITS,
        leases: LeaseClock = LeaseClock.WALL,
        project: ProjectRow | None = None,
    ) -> None:
        super().__init__(MemoryStore(World(NO_FAULTS), ""))
        self.now = now
        self.limits = limits
        self.known_jobs = {row.id: row for row in jobs}
        self.health = project or ProjectRow(LANE.project)
        self.held: list[ProjectRow] = []
        holding = next((row for row in jobs if row.state in {State.RUNNING, State.COMMITTING}), None)
        self.lane_row = LaneRow(
            LANE.key,
            CLAIM.fence,
            pending=len(jobs),
            verbs=sum(row.kind == Kind.VERB for row in jobs),
            next_sequence=len(jobs) + 1,
            running=holding.id if holding else None,
            is_committing=holding is not None and holding.state == State.COMMITTING,
            leases=leases,
        )

    def owned(self, until: float = 20) -> Write:
        """Let the lane be owned for so many seconds more."""
        self.lane_row.owner, self.lane_row.nonce = WORKER, CLAIM.nonce
        self.lane_row.lease_to(self.now + timedelta(seconds=until))
        return self

    @property
    def one(self) -> Line:
        return self.line(LANE.key)

    def line(self, lane: str) -> Line:
        assert lane == LANE.key
        if self._line is None:
            self._line = Line(self.lane_row, self, self.effects, self.limits, self.now)
        return self._line

    def project(self, project: str) -> ProjectRow:
        assert project == self.health.project
        return self.health

    def put_project(self, after: ProjectRow, seen: ProjectRow) -> None:
        assert seen == self.health
        self.health = after

    def hold_project(self, project: ProjectRow) -> None:
        self.held.append(project)

    def lanes_that_follow(self, project: str) -> Iterable[str]:
        return [LANE.key] if project == LANE.project else []

    def find(self, job: str) -> JobRow | None:
        return self.known_jobs.get(job)

    def all(self, lane: str) -> Sequence[Turn]:
        assert lane == LANE.key
        return [row.turn for row in self.known_jobs.values() if row.state.is_live]

    def first(self, lane: str, most: int) -> Sequence[Turn]:
        return self.all(lane)[:most]

    def first_of(self, lane: str, thread: str, most: int) -> Sequence[Turn]:
        return [turn for turn in self.all(lane) if turn.thread == thread][:most]

    def verbs(self, lane: str) -> Sequence[Turn]:
        return [turn for turn in self.all(lane) if turn.kind == Kind.VERB]


def told(effects: Effects) -> list[tuple[EventType, str | None, str, dict[str, str]]]:
    """Return what the trail says: what happened, by which worker, in which words and with which facts."""
    return [(each.what, each.worker, each.text, dict(each.facts)) for each in effects.entries]
