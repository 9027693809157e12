"""The bench of the state machine: an engine beside its reference, three workers, and what is compared each time."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis.stateful import RuleBasedStateMachine, invariant

from tests.contracts.promises import Promises
from tests.contracts.reference import Reference
from webordinary.errors import Interrupted, LostOwnership, Refused, TryAgain
from webordinary.jobs.job import Job, State
from webordinary.jobs.lanes import Accepted
from webordinary.ownership.claim import Beat, Next

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.contracts.reference_lines import RefJob, RefLane
    from tests.rigs.ports import Ports
    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.interrupts.interrupt import Interrupt
    from webordinary.overview import LaneView
    from webordinary.ownership.claim import Claim

# Thousands of transactions, and none of them has to survive a power cut.
_MEMORY = Path("/dev/shm")  # noqa: S108 - a new folder with a name that nobody can guess is made in it
WORKERS = ("w1", "w2", "w3")
FACTS = ("state", "outcome", "attempt", "interruptions", "sequence", "thread", "fence", "commit")


@dataclass(slots=True)
class Hand:
    """What one worker believes: its claim, the job in its one slot, and what its last beat told it."""

    worker: str
    claim: Claim | None = None
    job: Job | None = None
    told: Interrupt | None = None

    def take(self, claim: Claim | None, job: Job | None = None) -> None:
        self.claim, self.job, self.told = claim, job, None


class Bench(RuleBasedStateMachine):
    """What the rules have in common."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory(prefix="dispatch-", dir=_MEMORY if _MEMORY.is_dir() else None)
        try:
            self.ports = self.open(Path(self._folder.name))
        except BaseException:
            # A skip, on a machine without the engine's server.
            self._folder.cleanup()
            raise
        self.reference = Reference(self.ports.limits, self.ports.leases_follow)
        self.promises = Promises(self.ports)
        self.hands = {worker: Hand(worker) for worker in WORKERS}
        # Every try that ever began: any of them may write late.
        self.tries: list[tuple[Claim, Job]] = []
        self.redriven = 0

    def open(self, folder: Path) -> Ports:
        """Open the ports of one engine; each test of an engine says how."""
        raise NotImplementedError

    def restart(self) -> None:
        """Open the engine once more on what it has kept; the clock goes on."""
        opened = self.open(Path(self._folder.name))
        self.ports = self.promises.ports = replace(self.ports, engine=opened.engine)

    def teardown(self) -> None:
        self._folder.cleanup()

    @invariant()
    def look(self) -> None:
        """See after every step that the engine agrees with the reference, and that every named promise holds."""
        lanes = self.engine.overview.lanes(self.now)
        jobs = self.engine.overview.jobs(limit=10_000)
        assert {view.lane for view in lanes} == self.reference.lanes.keys()
        for view in lanes:
            self._compare_lane(view, self.reference.lanes[view.lane])
        assert {job.id for job in jobs} == self.reference.jobs.keys(), "I10"
        assert len(jobs) == len(self.reference.keys) + self.redriven, "I10"
        for job in jobs:
            _compare_job(job, self.reference.jobs[job.id])
        self.promises.check(jobs, lanes)
        cancelled = {job.id for job in self.reference.jobs.values() if job.cancel is not None}
        assert self.promises.asked_to_stop() == cancelled

    @property
    def engine(self) -> Engine:
        return self.ports.engine

    @property
    def now(self) -> Moment:
        return self.ports.now

    def hand(self, worker: str) -> tuple[Hand, Claim]:
        hand = self.hands[worker]
        assert hand.claim is not None
        return hand, hand.claim

    def attempt(self, worker: str) -> tuple[Hand, Claim, Job]:
        hand, claim = self.hand(worker)
        assert hand.job is not None
        return hand, claim, hand.job

    def agree(self, expect: Callable[[], object], act: Callable[[], object]) -> object:
        """Let both do the same; what is refused because the lane is lost must leave no trace."""
        before = self.engine.trail.last_number()
        expected, actual = outcome_of(expect), outcome_of(act)
        assert plain(actual) == plain(expected)
        if actual is LostOwnership:
            assert self.engine.trail.last_number() == before
        return actual

    def stay(self, hand: Hand, expect: Callable[[], object], act: Callable[[], object]) -> None:
        """Go on with the same job; an owner that is refused forgets its lane, as a worker does."""
        actual = self.agree(expect, act)
        if actual is LostOwnership:
            hand.take(None)
        elif isinstance(actual, Job):
            hand.job = actual
            hand.told = hand.told if actual.state == State.RUNNING else None

    def move_on(self, hand: Hand, expect: Callable[[], object], act: Callable[[], object]) -> None:
        """Take what comes next: a job of the lane, another lane, or nothing."""
        after = self.agree(expect, act)
        if not isinstance(after, Next):
            hand.take(None)
        elif after.claimed is not None:
            self.begin(hand, after.claimed.claim, after.claimed.job)
        else:
            self.begin(hand, hand.claim, after.job)

    def begin(self, hand: Hand, claim: Claim | None, job: Job | None) -> None:
        hand.take(claim, job)
        if claim is not None and job is not None:
            self.tries.append((claim, job))

    def hear(self, hand: Hand) -> None:
        """Beat, and remember what is due; it is obeyed later, when other things may have happened."""
        claim, job, now = hand.claim, hand.job.id if hand.job else None, self.now
        assert claim is not None
        beat = self.agree(
            lambda: self.reference.beat(claim, job, now), lambda: self.engine.claims.beat(claim, job, now)
        )
        if not isinstance(beat, Beat):
            hand.take(None)
        elif beat.over:
            hand.take(claim)
        elif beat.interrupt is not None and job is not None:
            is_due = beat.interrupt.due_at <= now.wall_at
            cancel = self.reference.jobs[job].cancel
            assert cancel is not None
            assert is_due == cancel.is_due(now), "a cancel is due from another moment on"
            hand.told = beat.interrupt if is_due else hand.told

    def _compare_lane(self, view: LaneView, lane: RefLane) -> None:
        owner = lane.owner if lane.is_owned(self.now) else None
        pending = len(self.reference.live(lane.key))
        seen = (view.owner, view.pending, view.running, view.paused is not None)
        assert seen == (owner, pending, lane.running, self.reference.is_paused(lane)), lane.key
        assert lane.fence in {None, view.fence}, f"I7: {lane.key} was claimed under {lane.fence}, is at {view.fence}"


def _compare_job(found: Job, expected: RefJob) -> None:
    for fact in FACTS:
        seen, wanted = getattr(found, fact), getattr(expected, fact)
        assert seen == wanted, f"the {fact} of {found.id} is {seen}, not {wanted}"
    if expected.state == State.RUNNING:
        assert found.deadline_at == expected.deadline_at, f"the deadline of {found.id}"


def outcome_of(action: Callable[[], object]) -> object:
    """Return what came out: a value, or the kind of refusal."""
    try:
        return action()
    except (LostOwnership, Interrupted, Refused, TryAgain) as refusal:
        return type(refusal)


def plain(outcome: object) -> object:
    """Leave only what the reference knows too."""
    match outcome:
        case Job():
            return None
        case Accepted():
            return outcome.job, outcome.fresh
        case Next(job, others_wait, claimed):
            started = claimed.job if claimed else job
            return (started.id if started else None), others_wait
        case Beat(interrupt, over, others_wait):
            return (interrupt.why, interrupt.by) if interrupt else None, over, others_wait
        case _:
            return outcome
