"""What the reference knows of lanes, jobs and letters, and the steps that its operations are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.errors import LostOwnership
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import LIVE, Ending, Kind, Outcome, State

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.clock import Moment
    from webordinary.interrupts.decide import InterruptRule
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim

WAITING = {State.QUEUED, State.PARKED}
HOLDING = {State.RUNNING, State.COMMITTING}
# An engine that ends a job by itself chooses the words; only that there is an answer is agreed.
ANY_WORDS = "any words"


@dataclass(slots=True)
class Cancel:
    """What was asked of one job under one fence; without a time it is due whatever the clock says."""

    why: Why
    by: str
    due_at: datetime | None = None

    def is_due(self, now: Moment) -> bool:
        return self.due_at is None or self.due_at <= now.wall_at


@dataclass(slots=True)
class RefJob:
    """A job and everything that decides about it."""

    id: str
    lane: str
    thread: str
    sequence: int
    kind: Kind
    has_reader: bool
    prepare_by: datetime
    state: State = State.PREPARING
    outcome: Outcome | None = None
    fence: int = 0
    attempt: int = 0
    interruptions: int = 0
    commit: str | None = None
    start_by: datetime | None = None
    deadline_at: datetime | None = None
    not_before: datetime | None = None
    attempt_at: datetime | None = None
    cancel: Cancel | None = None

    def can_start(self, now: Moment) -> bool:
        return self.state in WAITING and (self.not_before is None or self.not_before <= now.wall_at)

    def is_overdue(self, now: Moment, *, patience_runs: bool, has_owner: bool) -> bool:
        match self.state:
            case State.PREPARING:
                limit: datetime | None = self.prepare_by
            case State.QUEUED | State.PARKED:
                limit = self.start_by if patience_runs else None
            case State.RUNNING:
                limit = self.deadline_at if has_owner else None
            case _:
                limit = None
        return limit is not None and limit <= now.wall_at


@dataclass(slots=True)
class RefLane:
    """A lane: its owner may be gone, its lease then only waits to be taken over."""

    key: str
    project: str
    fence: int | None = None
    owner: str | None = None
    lease_until: float = 0
    lease_boot: str = ""
    running: str | None = None
    interrupter: str | None = None
    ready_since: datetime | None = None
    # Which clock ends a lease: that of the one machine's boot, or the wall's when there are several.
    leases_follow: str = "boot"

    def is_owned(self, now: Moment) -> bool:
        boot, at = self._lease_clock(now)
        return self.owner is not None and self.lease_boot == boot and self.lease_until > at

    def has_lapsed(self, now: Moment) -> bool:
        return self.owner is not None and not self.is_owned(now)

    def end_lease(self, now: Moment) -> None:
        self.lease_until = min(self.lease_until, self._lease_clock(now)[1])

    def gone_for(self, now: Moment) -> float:
        boot, at = self._lease_clock(now)
        return at - (self.lease_until if self.lease_boot == boot else 0)

    def shorten_lease(self, moment: Moment) -> None:
        self.lease_until = min(self.lease_until, self._lease_clock(moment)[1])

    def lease_to(self, moment: Moment) -> None:
        self.lease_boot, self.lease_until = self._lease_clock(moment)

    def _lease_clock(self, now: Moment) -> tuple[str, float]:
        return (now.boot_id, now.boot) if self.leases_follow == "boot" else ("", now.seconds)


@dataclass(slots=True)
class RefProject:
    """What is known of a project's health."""

    failures: int = 0
    paused_at: datetime | None = None


@dataclass(slots=True)
class RefLetter:
    """The one answer to a job."""

    words: str
    due_at: datetime
    is_sent: bool = False


@dataclass(slots=True)
class Lines:
    """Every lane, job, project, publish slot and letter of an installation."""

    limits: Limits
    leases_follow: str = "boot"
    lanes: dict[str, RefLane] = field(default_factory=dict)
    jobs: dict[str, RefJob] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    projects: dict[str, RefProject] = field(default_factory=dict)
    slots: dict[str, tuple[str, int]] = field(default_factory=dict)
    letters: dict[str, RefLetter] = field(default_factory=dict)

    def live(self, lane: str) -> list[RefJob]:
        mine = [job for job in self.jobs.values() if job.lane == lane and job.state in LIVE]
        return sorted(mine, key=lambda job: job.sequence)

    def head(self, lane: RefLane) -> RefJob | None:
        """Name whose turn it is: a verb, then the interrupter's thread, then by sequence; a thread keeps its order."""
        first_of: dict[str, RefJob] = {}
        for job in self.live(lane.key):
            first_of.setdefault(job.thread, job)
        turns = sorted(
            first_of.values(),
            key=lambda job: (job.kind != Kind.VERB, job.thread != lane.interrupter, job.sequence),
        )
        return turns[0] if turns else None

    def is_paused(self, lane: RefLane) -> bool:
        return self.project(lane.project).paused_at is not None

    def claimable(self, now: Moment, *, besides: str | None = None) -> set[str]:
        """Name the lanes that a claim may take: one left behind its commit point, else who has waited longest."""
        lanes = [lane for lane in self.lanes.values() if lane.key != besides]
        left_behind = [lane for lane in lanes if self._is_left_behind(lane, now)]
        if half_done := {lane.key for lane in left_behind if self._is_committing(lane)}:
            return half_done
        waited = {lane.key: lane.gone_for(now) for lane in left_behind}
        for lane in lanes:
            if lane.ready_since is not None and self._is_ready(lane, now):
                waited[lane.key] = max(0.0, (now.wall_at - lane.ready_since).total_seconds())
        # Moments are rounded, each engine in its own way.
        return {lane for lane, seconds in waited.items() if seconds > max(waited.values()) - 0.001}

    def others_wait(self, lane: RefLane, now: Moment) -> bool:
        return bool(self.claimable(now, besides=lane.key))

    def is_current(self, claim: Claim) -> bool:
        lane = self.lanes[claim.lane.key]
        return (lane.owner, lane.fence) == (claim.worker, claim.fence)

    def is_run_by(self, claim: Claim, job: str) -> bool:
        return self.is_current(claim) and self.lanes[claim.lane.key].running == job

    def due_letters(self, now: Moment) -> dict[str, str]:
        due = {job: letter for job, letter in self.letters.items() if not letter.is_sent}
        return {job: letter.words for job, letter in due.items() if letter.due_at <= now.wall_at}

    def project(self, project: str) -> RefProject:
        return self.projects.setdefault(project, RefProject())

    def insert(self, job: str, lane: str, thread: str, kind: Kind, now: Moment, *, has_reader: bool) -> None:
        self.lanes.setdefault(lane, RefLane(lane, lane.partition("#")[0], leases_follow=self.leases_follow))
        sequence = 1 + sum(other.lane == lane for other in self.jobs.values())
        prepare_by = now.wall_at + self.limits.prepare_by
        self.jobs[job] = RefJob(job, lane, thread, sequence, kind, has_reader, prepare_by)

    def interrupt_if_allowed(self, running: RefJob, newcomer: RefJob, rule: InterruptRule, now: Moment) -> None:
        of_my_thread = [job for job in self.live(newcomer.lane) if job.thread == newcomer.thread]
        can_start = of_my_thread[0].can_start(now) and not self.is_paused(self.lanes[newcomer.lane])
        if Kind.VERB in {running.kind, newcomer.kind} or running.thread == newcomer.thread or not can_start:
            return
        if running.state != State.RUNNING or running.cancel is not None or running.attempt_at is None:
            return
        due_at = max(now.wall_at, running.attempt_at + rule.first_after)
        if rule.on_new_thread == "drop":
            running.cancel = Cancel(Why.DROP, newcomer.id, due_at)
        elif rule.on_new_thread == "interrupt" and running.interruptions < rule.at_most:
            running.cancel = Cancel(Why.INTERRUPT, newcomer.id, due_at)

    def _is_ready(self, lane: RefLane, now: Moment) -> bool:
        head = self.head(lane)
        return lane.ready_since is not None and head is not None and head.can_start(now)

    def _is_left_behind(self, lane: RefLane, now: Moment) -> bool:
        may_be_taken = self._is_committing(lane) or not self.is_paused(lane)
        return lane.has_lapsed(now) and bool(self.live(lane.key)) and may_be_taken

    def _is_committing(self, lane: RefLane) -> bool:
        running = self.jobs.get(lane.running or "")
        return running is not None and running.state == State.COMMITTING

    def recompute(self, lane: RefLane, now: Moment) -> None:
        """Forget an interrupter without live jobs, and note since when the lane waits for a worker."""
        if lane.interrupter not in {job.thread for job in self.live(lane.key)}:
            lane.interrupter = None
        head = self.head(lane)
        waits = lane.owner is None and not self.is_paused(lane) and head is not None and head.state in WAITING
        if not waits or head is None:
            lane.ready_since = None
            return
        since = min(lane.ready_since or now.wall_at, now.wall_at)
        lane.ready_since = max(since, head.not_before or since)

    def ring(self, lane: RefLane, now: Moment) -> None:
        """Give an idle owner only seconds to start what it is rung for."""
        head = self.head(lane)
        is_idle = lane.is_owned(now) and lane.running is None and not self.is_paused(lane)
        if is_idle and head is not None and head.can_start(now):
            lane.shorten_lease(now + self.limits.answer)

    def recompute_project(self, project: str, now: Moment) -> None:
        for lane in self.lanes.values():
            if lane.project == project:
                self.recompute(lane, now)

    def owned(self, claim: Claim) -> RefLane:
        if not self.is_current(claim):
            raise LostOwnership
        return self.lanes[claim.lane.key]

    def held(self, claim: Claim, job: str, states: set[State]) -> RefJob:
        if self.owned(claim).running != job or self.jobs[job].state not in states:
            raise LostOwnership
        return self.jobs[job]

    def start_head(self, lane: RefLane, now: Moment) -> str | None:
        head = self.head(lane)
        if lane.running is not None or self.is_paused(lane) or head is None or not head.can_start(now):
            return None
        self.run(head, lane, now)
        return head.id

    def run(self, job: RefJob, lane: RefLane, now: Moment) -> None:
        job.state, job.fence, job.not_before = State.RUNNING, lane.fence or 0, None
        job.attempt += 1
        job.attempt_at, job.deadline_at = now.wall_at, now.wall_at + self.limits.deadline
        lane.running = job.id
        if lane.is_owned(now):
            lane.lease_to(now + self.limits.lease)

    def take_over(self, left: RefJob, fence: int, now: Moment) -> bool:
        """Go on with what the last owner left running; False when it was set aside, stopped or buried."""
        if left.state == State.COMMITTING:
            left.fence = fence
            return True
        if self.obey(left, now):
            return False
        if left.attempt >= self.limits.attempts:
            self.end(left, Ending(State.DEAD, template=ANY_WORDS), now)
            self.blame(self.lanes[left.lane].project, now)
            return False
        self.run(left, self.lanes[left.lane], now)
        return True

    def blame(self, project: str, now: Moment) -> None:
        """Count a failure of the project, and pause it after several in a row."""
        known = self.project(project)
        known.failures += 1
        if known.failures >= self.limits.breaker:
            known.paused_at = known.paused_at or now.wall_at
            self.recompute_project(project, now)

    def go_on(self, claim: Claim, now: Moment) -> tuple[str | None, bool]:
        lane = self.lanes[claim.lane.key]
        self.recompute(lane, now)
        if self.others_wait(lane, now):
            return None, True
        return self.start_or_stay(lane, now), False

    def start_or_stay(self, lane: RefLane, now: Moment) -> str | None:
        """Start the head; going idle is a sign of life too, after which an owner beats less often."""
        started = self.start_head(lane, now)
        if started is None and lane.is_owned(now):
            lane.lease_to(now + self.limits.idle_lease)
        return started

    def obey(self, job: RefJob, now: Moment) -> bool:
        """Do what was asked of a running job, due or not; False when nobody asked."""
        if job.cancel is None:
            return False
        if job.cancel.why == Why.INTERRUPT:
            self.set_aside(job, now)
        else:
            self.end(job, Ending(State.STOPPED, template=ANY_WORDS), now)
        return True

    def set_aside(self, job: RefJob, now: Moment) -> None:
        lane = self.lanes[job.lane]
        interrupter = self.jobs.get(job.cancel.by) if job.cancel else None
        if interrupter is not None:
            lane.interrupter = interrupter.thread
        job.state, job.cancel, job.start_by = State.PARKED, None, now.wall_at + self.limits.patience
        job.interruptions += 1
        job.attempt -= 1
        lane.running = None

    def end(self, job: RefJob, ending: Ending, now: Moment) -> None:
        lane = self.lanes[job.lane]
        if lane.running == job.id:
            lane.running = None
        job.state, job.outcome, job.cancel = ending.state, ending.outcome, None
        if job.has_reader and ending.template:
            self.letters[job.id] = RefLetter(ending.template, now.wall_at)
