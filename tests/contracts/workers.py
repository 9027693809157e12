"""What workers do: each has one slot, and what it believes may be long over."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.contracts.bench import outcome_of
from tests.contracts.people import People
from webordinary.errors import LostOwnership
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.ownership.claim import Next

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim


class Workers(People):
    """Three of them, alive, asleep or dead."""

    def claim(self, worker: str) -> None:
        may_take = self.reference.claimable(self.now)
        claimed = self.engine.claims.claim(worker, self.now)
        if claimed is None:
            assert may_take == set(), f"{may_take} waits, and a free worker was sent away"
            self.engine.claims.wait_for_work(worker, self.now)
            return
        claim = claimed.claim
        assert claim.lane.key in may_take, f"{claim.lane} was taken, {may_take or 'nothing'} should be"
        assert (claimed.job.id if claimed.job else None) == self.reference.claim(claim, self.now)
        self.begin(self.hands[worker], claim, claimed.job)

    def start(self, worker: str) -> None:
        hand, claim = self.hand(worker)
        after = self.agree(
            lambda: self.reference.start(claim, self.now),
            lambda: self.engine.claims.start(claim, self.now),
        )
        if not isinstance(after, Next):
            hand.take(None)
        elif after.job is not None:
            self.begin(hand, claim, after.job)

    def beat(self, worker: str) -> None:
        self.hear(self.hands[worker])

    def release(self, worker: str) -> None:
        hand, claim = self.hand(worker)
        released = self.agree(
            lambda: self.reference.release(claim),
            lambda: self.engine.claims.release(claim, self.now),
        )
        if released:
            hand.take(None)

    def give_back(self, worker: str) -> None:
        hand, claim = self.hand(worker)
        self.agree(
            lambda: self.reference.give_back(claim, self.now),
            lambda: self.engine.claims.give_back(claim, self.now),
        )
        hand.take(None)

    def die(self, worker: str, *, is_noticed: bool) -> None:
        self.hands[worker].take(None)
        if is_noticed:
            self.agree(
                lambda: self.reference.lapse(worker, self.now),
                lambda: self.engine.claims.lapse(worker, self.now),
            )

    def journal(self, worker: str) -> None:
        hand, claim, job = self.attempt(worker)
        self.stay(
            hand,
            lambda: self.reference.journal(claim, job.id),
            lambda: self.engine.attempts.journal(claim, job, "built", {}, self.now),
        )

    def take_publish_slot(self, worker: str) -> None:
        hand, claim, job = self.attempt(worker)
        self.stay(
            hand,
            lambda: self.reference.take_publish_slot(claim, job.id, self.now),
            lambda: self.engine.attempts.take_publish_slot(claim, job, self.now),
        )

    def pass_commit_point(self, worker: str) -> None:
        hand, claim, job = self.attempt(worker)
        self.stay(
            hand,
            lambda: self.reference.pass_commit_point(claim, job.id, "c0ffee", self.now),
            lambda: self.engine.attempts.pass_commit_point(claim, job, "c0ffee", self.now),
        )

    def reopen(self, worker: str) -> None:
        hand, claim, job = self.attempt(worker)
        self.stay(
            hand,
            lambda: self.reference.reopen(claim, job.id, self.now),
            lambda: self.engine.attempts.reopen(claim, job, "refused", self.now),
        )

    def finish(self, worker: str, ending: Ending, *, gives_way: bool) -> None:
        hand, claim, job = self.attempt(worker)
        after = outcome_of(lambda: self.engine.attempts.finish(claim, job, ending, self.now, give_way=gives_way))
        taken = after.claimed.claim if isinstance(after, Next) and after.claimed else None
        assert gives_way or taken is None
        self.move_on(hand, lambda: self.reference.finish(claim, job.id, ending, self.now, taken=taken), lambda: after)

    def obey(self, worker: str) -> None:
        """Do what a beat told some time ago; meanwhile something else may have been asked."""
        hand, claim, job = self.attempt(worker)
        if hand.told is not None and hand.told.why != Why.INTERRUPT:
            self.finish(worker, Ending(State.STOPPED, template="stopped"), gives_way=False)
            return
        self.move_on(
            hand,
            lambda: self.reference.park(claim, job.id, self.now),
            lambda: self.engine.attempts.park(claim, job, self.now),
        )

    def retry(self, worker: str, wait: timedelta) -> None:
        hand, claim, job = self.attempt(worker)
        self.move_on(
            hand,
            lambda: self.reference.retry(claim, job.id, wait, self.now),
            lambda: self.engine.attempts.retry(claim, job, "away", wait, self.now),
        )

    def write_late(self, tried: int) -> None:
        """Whatever an owner does whose time is over is refused, and leaves no trace."""
        claim, job = self.tries[tried]
        before = self.engine.trail.last_number()
        if not self.reference.is_run_by(claim, job.id):
            for write in self.writes_about(claim, job):
                assert outcome_of(write) is LostOwnership
        for other in self._jobs_elsewhere(claim):
            for write in self.writes_about(claim, other):
                assert outcome_of(write) is LostOwnership, f"{claim} wrote about {other.id}"
        if not self.reference.is_current(claim):
            for write in self.writes_about_lane(claim, job):
                assert outcome_of(write) is LostOwnership
        assert self.engine.trail.last_number() == before

    def _jobs_elsewhere(self, claim: Claim) -> list[Job]:
        return [hand.job for hand in self.hands.values() if hand.job is not None and hand.job.lane != claim.lane]

    def writes_about(self, claim: Claim, job: Job) -> list[Callable[[], object]]:
        attempts, now = self.engine.attempts, self.now
        return [
            lambda: attempts.journal(claim, job, "built", {}, now),
            lambda: attempts.take_publish_slot(claim, job, now),
            lambda: attempts.pass_commit_point(claim, job, "stale", now),
            lambda: attempts.reopen(claim, job, "stale", now),
            lambda: attempts.finish(claim, job, Ending(State.DONE, Outcome.PUBLISHED), now),
            lambda: attempts.finish(claim, job, Ending(State.FAILED), now, give_way=True),
            lambda: attempts.park(claim, job, now),
            lambda: attempts.retry(claim, job, "stale", timedelta(0), now),
        ]

    def writes_about_lane(self, claim: Claim, job: Job) -> list[Callable[[], object]]:
        claims, now = self.engine.claims, self.now
        return [
            lambda: claims.start(claim, now),
            lambda: claims.beat(claim, job.id, now),
            lambda: claims.beat(claim, None, now),
            lambda: claims.release(claim, now),
            lambda: claims.give_back(claim, now),
        ]
