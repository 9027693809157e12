"""Any order of operations, on every engine: it does what the reference does, and keeps every named promise."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import multiple, precondition, rule, run_state_machine_as_test

from tests.contracts.bench import Bench, one_of, outcome_of
from tests.contracts.people import ANY, SHORT, People
from tests.rigs import PORTS
from webordinary.errors import LostOwnership
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.ownership.claim import Next

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim

_STEADY = settings(
    deadline=None,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
    # Not the phase that explains: it watches every line, which takes longer than all the rest.
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
)
# The same examples each time: a red build can be repeated, and a green one stays green.
settings.register_profile("quick", _STEADY, max_examples=60, stateful_step_count=40, derandomize=True)
settings.register_profile("long", _STEADY, max_examples=5000, stateful_step_count=80)

ENDINGS = st.sampled_from(
    [
        Ending(State.DONE, Outcome.PUBLISHED, words="published"),
        Ending(State.DONE, Outcome.NOTHING_CHANGED, words="nothing_changed"),
        Ending(State.FAILED, error="it broke", words="failed", blames_project=True),
        Ending(State.DEAD, error="it broke for good"),
    ]
)


class Dispatch(People):
    """And three workers, alive, asleep or dead."""

    @precondition(lambda self: any(hand.claim is None for hand in self.hands))
    @rule(target=Bench.tries, pick=ANY)
    def claim(self, pick: int) -> object:
        hand = one_of([hand for hand in self.hands if hand.claim is None], pick)
        may_take = self.reference.claimable(self.now)
        claimed = self.engine.claims.claim(hand.worker, self.now)
        if claimed is None:
            assert may_take == set(), f"{may_take} waits, and a free worker was sent away"
            self.engine.claims.wait_for_work(hand.worker, self.now)
            return multiple()
        claim = claimed.claim
        assert claim.lane.key in may_take, f"{claim.lane} was taken, {may_take or 'nothing'} should be"
        assert (claimed.job.id if claimed.job else None) == self.reference.claim(claim, self.now)
        hand.take(claim, claimed.job)
        return (claim, claimed.job) if claimed.job else multiple()

    @precondition(lambda self: self.owners())
    @rule(target=Bench.tries, pick=ANY)
    def start(self, pick: int) -> object:
        hand, claim = self.owner(pick)
        after = self.agree(
            lambda: self.reference.start(claim, self.now),
            lambda: self.engine.claims.start(claim, self.now),
        )
        if not isinstance(after, Next):
            hand.take(None)
        elif after.job is not None:
            hand.take(claim, after.job)
            return claim, after.job
        return multiple()

    @precondition(lambda self: self.owners())
    @rule(pick=ANY)
    def beat(self, pick: int) -> None:
        self.hear(self.owner(pick)[0])

    @precondition(lambda self: self.owners())
    @rule(pick=ANY)
    def release(self, pick: int) -> None:
        hand, claim = self.owner(pick)
        released = self.agree(
            lambda: self.reference.release(claim),
            lambda: self.engine.claims.release(claim, self.now),
        )
        if released:
            hand.take(None)

    @precondition(lambda self: self.owners())
    @rule(pick=ANY)
    def give_back(self, pick: int) -> None:
        hand, claim = self.owner(pick)
        self.agree(
            lambda: self.reference.give_back(claim, self.now),
            lambda: self.engine.claims.give_back(claim, self.now),
        )
        hand.take(None)

    @precondition(lambda self: self.owners())
    @rule(pick=ANY, is_noticed=st.booleans())
    def die(self, pick: int, *, is_noticed: bool) -> None:
        hand, _ = self.owner(pick)
        hand.take(None)
        if is_noticed:
            self.agree(
                lambda: self.reference.lapse(hand.worker),
                lambda: self.engine.claims.lapse(hand.worker, self.now),
            )

    @precondition(lambda self: self.busy())
    @rule(pick=ANY)
    def journal(self, pick: int) -> None:
        hand, claim, job = self.attempt(pick)
        self.stay(
            hand,
            lambda: self.reference.journal(claim, job.id),
            lambda: self.engine.attempts.journal(claim, job, "built", {}, self.now),
        )

    @precondition(lambda self: self.busy())
    @rule(pick=ANY)
    def take_publish_slot(self, pick: int) -> None:
        hand, claim, job = self.attempt(pick)
        self.stay(
            hand,
            lambda: self.reference.take_publish_slot(claim, job.id, self.now),
            lambda: self.engine.attempts.take_publish_slot(claim, job, self.now),
        )

    @precondition(lambda self: self.busy())
    @rule(pick=ANY)
    def pass_commit_point(self, pick: int) -> None:
        hand, claim, job = self.attempt(pick)
        self.stay(
            hand,
            lambda: self.reference.pass_commit_point(claim, job.id, "c0ffee", self.now),
            lambda: self.engine.attempts.pass_commit_point(claim, job, "c0ffee", self.now),
        )

    @precondition(lambda self: self.busy())
    @rule(pick=ANY)
    def reopen(self, pick: int) -> None:
        hand, claim, job = self.attempt(pick)
        self.stay(
            hand,
            lambda: self.reference.reopen(claim, job.id, self.now),
            lambda: self.engine.attempts.reopen(claim, job, "refused", self.now),
        )

    @precondition(lambda self: self.busy())
    @rule(target=Bench.tries, pick=ANY, ending=ENDINGS)
    def finish(self, pick: int, ending: Ending) -> object:
        hand, claim, job = self.attempt(pick)
        return self.move_on(
            hand,
            lambda: self.reference.finish(claim, job.id, ending, self.now),
            lambda: self.engine.attempts.finish(claim, job, ending, self.now),
        )

    @precondition(lambda self: self.told())
    @rule(target=Bench.tries, pick=ANY)
    def obey(self, pick: int) -> object:
        """Do what a beat told some time ago; meanwhile something else may have been asked."""
        hand = one_of(self.told(), pick)
        claim, job, told = hand.claim, hand.job, hand.told
        assert claim is not None
        assert job is not None
        assert told is not None
        if told.why == Why.INTERRUPT:
            return self.move_on(
                hand,
                lambda: self.reference.park(claim, job.id, self.now),
                lambda: self.engine.attempts.park(claim, job, self.now),
            )
        ending = Ending(State.STOPPED, words="stopped")
        return self.move_on(
            hand,
            lambda: self.reference.finish(claim, job.id, ending, self.now),
            lambda: self.engine.attempts.finish(claim, job, ending, self.now),
        )

    @precondition(lambda self: self.busy())
    @rule(target=Bench.tries, pick=ANY, wait=SHORT)
    def retry(self, pick: int, wait: timedelta) -> object:
        hand, claim, job = self.attempt(pick)
        return self.move_on(
            hand,
            lambda: self.reference.retry(claim, job.id, wait, self.now),
            lambda: self.engine.attempts.retry(claim, job, "away", wait, self.now),
        )

    @rule(tried=Bench.tries)
    def write_late(self, tried: tuple[Claim, Job]) -> None:
        """Whatever an owner does whose time is over is refused, and leaves no trace."""
        claim, job = tried
        before = self.engine.trail.last_number()
        if not self.reference.is_run_by(claim, job.id):
            for write in self.writes_about(claim, job):
                assert outcome_of(write) is LostOwnership
        if not self.reference.is_current(claim):
            for write in self.writes_about_lane(claim, job):
                assert outcome_of(write) is LostOwnership
        assert self.engine.trail.last_number() == before

    def writes_about(self, claim: Claim, job: Job) -> list[Callable[[], object]]:
        attempts, now = self.engine.attempts, self.now
        return [
            lambda: attempts.journal(claim, job, "built", {}, now),
            lambda: attempts.take_publish_slot(claim, job, now),
            lambda: attempts.pass_commit_point(claim, job, "stale", now),
            lambda: attempts.reopen(claim, job, "stale", now),
            lambda: attempts.finish(claim, job, Ending(State.DONE, Outcome.PUBLISHED), now),
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


def on(engine: str) -> type[Dispatch]:
    class OnEngine(Dispatch):
        def open(self, folder: Path) -> Ports:
            return PORTS[engine](folder)

    return OnEngine


@pytest.mark.parametrize("engine", PORTS)
def test_an_engine_does_what_the_reference_does(engine: str) -> None:
    run_state_machine_as_test(on(engine), settings=settings.get_profile("quick"))


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("engine", PORTS)
def test_an_engine_does_what_the_reference_does_for_a_long_time(engine: str) -> None:
    run_state_machine_as_test(on(engine), settings=settings.get_profile("long"))
