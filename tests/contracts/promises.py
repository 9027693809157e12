"""The named promises of the dispatch protocol, judged by what anybody can see: the trail and the overview."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.jobs.job import Kind, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.rigs.ports import Ports
    from webordinary.audit.entry import Entry
    from webordinary.jobs.job import Job
    from webordinary.overview import LaneView

STARTS = {EventType.JOB_STARTED, EventType.JOB_RESUMED}
ENDS = {EventType.JOB_DONE, EventType.JOB_FAILED, EventType.JOB_STOPPED, EventType.JOB_DEAD}
# What an owner does under its fence; whatever people and the sweep do needs none.
EFFECTS = {EventType.STEP, EventType.COMMIT_POINT, EventType.COMMIT_REOPENED, EventType.JOB_DONE}
ATTEMPTS = STARTS | EFFECTS | ENDS | {EventType.JOB_PARKED, EventType.JOB_GIVEN_BACK, EventType.JOB_RETRIED}


@dataclass(slots=True)
class _Told:
    """What the trail has said about one job so far."""

    lane: str
    thread: str
    sequence: int
    kind: str
    is_over: bool = False
    is_running: bool = False
    is_committing: bool = False
    asked: Counter[tuple[EventType, int | None]] = field(default_factory=Counter)


@dataclass(slots=True)
class Promises:
    """Reads every new line of the trail once, and fails with the promise's name."""

    ports: Ports
    read_to: int = 0
    jobs: dict[str, _Told] = field(default_factory=dict)
    fences: dict[str, int] = field(default_factory=dict)
    given_up: set[str] = field(default_factory=set)
    owed: dict[str, str] = field(default_factory=dict)
    ended: dict[str, tuple[State, str | None]] = field(default_factory=dict)
    answered: dict[str, State] = field(default_factory=dict)

    def check(self, jobs: Sequence[Job], lanes: Sequence[LaneView]) -> None:
        for entry in self.ports.engine.trail.read(after=self.read_to, limit=10_000):
            self.read_to = entry.number
            self._hear(entry)
        self._one_runs_in_each_lane(jobs, lanes)
        self._an_end_is_final(jobs)
        self._pending_is_what_lives(jobs, lanes)
        self._an_answer_is_the_outcome(jobs)

    def asked_to_stop(self) -> set[str]:
        """Name the jobs that run and that somebody has asked to stop."""
        return {job for job, told in self.jobs.items() if told.is_running and told.asked}

    def _hear(self, entry: Entry) -> None:
        if entry.what == EventType.JOB_ACCEPTED:
            self.jobs[entry.job or ""] = _told_of(entry)
        elif entry.what == EventType.LANE_CLAIMED:
            self._a_fence_only_grows(entry)
        elif entry.what in {EventType.LANE_GIVEN_BACK, EventType.LANE_RELEASED}:
            self.given_up.add(entry.lane or "")
        elif entry.what in {EventType.INTERRUPT_ASKED, EventType.STOP_ASKED}:
            self._a_cancel_means_one_attempt(entry)
        elif entry.what in ATTEMPTS:
            self._hear_of_attempt(entry, self.jobs[entry.job or ""])

    def _hear_of_attempt(self, entry: Entry, told: _Told) -> None:
        assert not told.is_over, f"I4: {entry.job} has ended, and then: {entry.what}"
        if entry.what in EFFECTS and entry.worker is not None:
            assert entry.fence == self.fences[told.lane], f"I1: an effect under {entry.fence}: {entry}"
        if entry.what in STARTS | {EventType.COMMIT_POINT}:
            self._a_thread_keeps_its_order(entry, told)
        if entry.what in STARTS:
            self._the_interrupter_is_next(entry, told)
        if entry.what in {EventType.JOB_PARKED, EventType.JOB_STOPPED}:
            self._only_its_own_cancel_ends_it(entry, told)
        _follow(entry, told)
        self._remember_the_interrupter(entry, told)

    def _a_fence_only_grows(self, entry: Entry) -> None:
        lane, fence = entry.lane or "", entry.fence or 0
        assert fence > self.fences.get(lane, -1), f"I7: {lane} had fence {self.fences.get(lane)}, now {fence}"
        self.fences[lane] = fence
        self.given_up.discard(lane)

    def _a_cancel_means_one_attempt(self, entry: Entry) -> None:
        told = self.jobs[entry.job or ""]
        assert told.is_running, f"I6: a cancel for {entry.job}, which does not run"
        assert not told.is_committing, f"I6: a cancel for {entry.job} past its commit point"
        by = self.jobs.get(entry.facts["by"])
        assert by is None or by.thread != told.thread, f"I6: {entry.job} is cancelled by its own thread"
        told.asked[entry.what, entry.fence] += 1

    def _only_its_own_cancel_ends_it(self, entry: Entry, told: _Told) -> None:
        if not told.is_running:
            assert entry.what == EventType.JOB_STOPPED, f"I6: {entry.job} was parked while it waited"
            return
        assert not told.is_committing, f"I6: {entry.job} was cancelled past its commit point"
        asked = {what for (what, fence), count in told.asked.items() if count and fence == entry.fence}
        assert asked, f"I6: nobody asked {entry.job} to stop under {entry.fence}"
        if EventType.STOP_ASKED in asked:
            assert entry.what == EventType.JOB_STOPPED, f"I6: a person stopped {entry.job}, and it was only set aside"

    def _a_thread_keeps_its_order(self, entry: Entry, told: _Told) -> None:
        earlier = [job for job, other in self._alive(told.lane, told.thread) if other.sequence < told.sequence]
        assert earlier == [], f"I3: {entry.job} does not wait for {earlier} of its thread"

    def _the_interrupter_is_next(self, entry: Entry, told: _Told) -> None:
        owed = self.owed.get(told.lane)
        if owed is None or told.kind == Kind.VERB:
            return
        del self.owed[told.lane]
        assert told.thread == owed, f"after a park thread {owed} is next, not {entry.job}"

    def _remember_the_interrupter(self, entry: Entry, told: _Told) -> None:
        by = self.jobs.get(entry.facts.get("by", ""))
        if entry.what == EventType.JOB_PARKED and by is not None:
            self.owed[told.lane] = by.thread
        owed = self.owed.get(told.lane)
        if owed is not None and not self._alive(told.lane, owed):
            del self.owed[told.lane]

    def _alive(self, lane: str, thread: str) -> list[tuple[str, _Told]]:
        mine = [(job, told) for job, told in self.jobs.items() if (told.lane, told.thread) == (lane, thread)]
        return [(job, told) for job, told in mine if not told.is_over]

    def _one_runs_in_each_lane(self, jobs: Sequence[Job], lanes: Sequence[LaneView]) -> None:
        running = defaultdict(list)
        for job in jobs:
            if job.state in {State.RUNNING, State.COMMITTING}:
                running[job.lane.key].append(job.id)
        for view in lanes:
            expected = [view.running] if view.running else []
            assert running[view.lane] == expected, f"I2: {view.lane} runs {running[view.lane]}, says {view.running}"

    def _an_end_is_final(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            if not job.state.is_live:
                end = (job.state, job.outcome)
                assert self.ended.setdefault(job.id, end) == end, f"I4: {job.id} has another end"
            assert job.state.is_live != self.jobs[job.id].is_over, f"I4: the trail does not know that {job.id} is over"

    def _pending_is_what_lives(self, jobs: Sequence[Job], lanes: Sequence[LaneView]) -> None:
        live = Counter(job.lane.key for job in jobs if job.state.is_live)
        committing = {job.id for job in jobs if job.state == State.COMMITTING}
        for view in lanes:
            assert view.pending == live[view.lane], f"I8: {view.lane} has {live[view.lane]}, says {view.pending}"
            if view.lane in self.given_up:
                assert view.running is None or view.running in committing, f"I8: {view.running} runs for nobody"

    def _an_answer_is_the_outcome(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            if self.answered.get(job.id) == job.state:
                continue
            self.answered[job.id] = job.state
            callback = self.ports.engine.callbacks.read(job.token or "")
            assert callback is not None, f"I9: nobody can wait for {job.id}"
            answer = None if job.state.is_live else "success" if job.state == State.DONE else "failure"
            assert callback.answer == answer, f"I9: {job.id} is {job.state}, its token says {callback.answer}"


def _told_of(entry: Entry) -> _Told:
    return _Told(entry.lane or "", entry.thread or "", int(entry.facts["sequence"]), entry.facts["kind"])


def _follow(entry: Entry, told: _Told) -> None:
    """Note where the job stands after this line of the trail."""
    if entry.what in STARTS:
        told.is_running = True
        told.asked.clear()
    elif entry.what in {EventType.COMMIT_POINT, EventType.COMMIT_REOPENED}:
        told.is_committing = entry.what == EventType.COMMIT_POINT
        # An interrupt that was not due is dropped here.
        told.asked.clear()
    elif entry.what != EventType.STEP:
        told.is_running = told.is_committing = False
        told.is_over = entry.what in ENDS
