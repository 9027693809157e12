"""Any order of operations, on every engine: it does what the reference does, and keeps every named promise."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule, run_state_machine_as_test

from tests.contracts.bench import WORKERS
from tests.contracts.workers import Workers
from tests.rigs import ON_ONE_MACHINE, PORTS
from tests.scale import SCALE
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Ending, Kind, Outcome, State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.contracts.bench import Hand
    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job

_STEADY = settings(
    deadline=None,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
    # Not the phase that explains: it watches every line, which takes longer than all the rest.
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
)
# The same examples each time: a red build can be repeated, and a green one stays green.
settings.register_profile("quick", _STEADY, max_examples=100, stateful_step_count=40, derandomize=True)
# Over the network each step takes a hundred times as long.
settings.register_profile("quick-remote", settings.get_profile("quick"), max_examples=8, stateful_step_count=30)
settings.register_profile("long", _STEADY, max_examples=100, stateful_step_count=80)
settings.register_profile("long-remote", _STEADY, max_examples=10, stateful_step_count=50)

LONG_PARTS = 40
LANES = st.sampled_from(["amelia#scott", "amelia#scott", "amelia#maria", "flora#tom"])
PROJECTS = st.sampled_from(["amelia", "flora"])
THREADS = st.sampled_from(["a", "b", "c"])
KINDS = st.sampled_from([Kind.INSTRUCTION, Kind.INSTRUCTION, Kind.ASKED, Kind.VERB])
INSTRUCTION = st.just(Kind.INSTRUCTION)
AT_ONCE = InterruptRule(first_after=timedelta(0))
ONCE = InterruptRule(first_after=timedelta(0), at_most=1)
OTHERS = [ONCE, InterruptRule(), InterruptRule("queue"), InterruptRule("drop")]
RULES = st.sampled_from([AT_ONCE, AT_ONCE, AT_ONCE, *OTHERS])
READY = st.sampled_from([AT_ONCE, AT_ONCE, AT_ONCE, *OTHERS, None, None])
PUBLISHED = Ending(State.DONE, Outcome.PUBLISHED, template="published")
FAILED = Ending(State.FAILED, error="it broke", template="failed", blames_project=True)
DEAD = Ending(State.DEAD, error="it broke for good")
ENDINGS = st.sampled_from([PUBLISHED, FAILED, FAILED, FAILED, DEAD])
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
# To the next beat, an interrupt's first moment, the end of a lease; then prepare-by, deadline and patience.
WHILES = st.sampled_from([SECOND, 5 * SECOND, 20 * SECOND, 30 * SECOND])
AGES = st.sampled_from([5 * MINUTE, 20 * MINUTE, 24 * HOUR])
ONLY = {project: st.just(project) for project in ("amelia", "flora")}
ME = {worker: st.just(worker) for worker in WORKERS}
SOMETIMES = st.booleans()
JUMPS = st.sampled_from([-HOUR, -15 * SECOND, 15 * SECOND, 20 * MINUTE])


@dataclass(frozen=True, slots=True)
class Move:
    """One step: who or what moves, and how."""

    name: str
    how: dict[str, Any]

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{key}={value!r}' for key, value in self.how.items())})"


@dataclass(frozen=True, slots=True)
class Option:
    """A move that is possible now, and how often it is chosen beside others."""

    weight: int
    name: str
    how: dict[str, st.SearchStrategy[Any]]

    def moves(self) -> st.SearchStrategy[Move]:
        return _moves(self.name, tuple(self.how.items()))


# Making strategies takes longer than drawing from them, and most are the same each time.
@lru_cache(maxsize=1000)
def _moves(name: str, how: tuple[tuple[str, st.SearchStrategy[Any]], ...]) -> st.SearchStrategy[Move]:
    return st.builds(Move, st.just(name), st.fixed_dictionaries(dict(how)))


@lru_cache(maxsize=1000)
def _any_of(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


class Dispatch(Workers):
    """Chooses among what can be done, so that most steps change something."""

    @initialize(mails=st.lists(st.tuples(LANES, THREADS), min_size=1, max_size=4), early=st.integers(0, 3))
    def begin_the_day(self, mails: list[tuple[str, str]], early: int) -> None:
        for lane, thread in mails:
            self.accept(lane, thread, Kind.INSTRUCTION, AT_ONCE, has_reader=True)
        for worker in WORKERS[:early]:
            self.claim(worker)

    @rule(move=st.runner().flatmap(lambda machine: machine.possible_moves()))
    def step(self, move: Move) -> None:
        getattr(self, move.name)(**move.how)

    def possible_moves(self) -> st.SearchStrategy[Move]:
        options = [option for hand in self.hands.values() for option in self._moves_of(hand)]
        options += [*self._from_outside(), *self._about_jobs()]
        chances = [option for option in options for _ in range(option.weight)]
        return _any_of(len(chances)).flatmap(lambda number: chances[number].moves())

    def _from_outside(self) -> Iterator[Option]:
        new = {"lane": LANES, "thread": THREADS, "kind": KINDS, "ready": READY, "has_reader": SOMETIMES}
        yield Option(4, "accept", new)
        running = [lane.key for lane in self.reference.lanes.values() if lane.running]
        if running:
            # Most interesting is a mail for a lane that is busy: it may interrupt, or has to wait.
            yield Option(6, "accept", {**new, "lane": st.sampled_from(running), "kind": INSTRUCTION})
        free = [hand.worker for hand in self.hands.values() if hand.claim is None]
        if free:
            yield Option(1, "claim", {"worker": st.sampled_from(free)})
        yield Option(3, "sweep", {})
        yield Option(1, "send_letters", {})
        yield Option(3, "let_time_pass", {"by": WHILES, "beats": SOMETIMES})
        yield Option(1, "let_much_time_pass", {"by": AGES})
        yield Option(1, "set_the_wall_clock", {"by": JUMPS})
        yield Option(1, "reboot", {})
        yield Option(2, "pause", {"project": PROJECTS})
        for project, known in self.reference.projects.items():
            if known.paused_at is not None:
                yield Option(2, "resume", {"project": ONLY[project]})
                yield Option(1, "let_much_time_pass", {"by": AGES})

    def _about_jobs(self) -> Iterator[Option]:
        jobs = self.reference.jobs
        if not jobs:
            return
        job, lane = st.sampled_from(list(jobs)), st.sampled_from(list(self.reference.lanes))
        yield Option(1, "stop", {"job": job})
        yield Option(1, "answer_token", {"job": job})
        yield Option(1, "enqueue", {"job": job, "asked": RULES})
        yield Option(1, "redrive", {"job": job})
        yield Option(1, "accept_again", {"key": st.sampled_from(list(self.reference.keys)), "ready": READY})
        yield Option(2, "interrupt_by_hand", {"lane": lane})
        yield Option(1, "release_by_hand", {"lane": lane})
        preparing = [job.id for job in jobs.values() if job.state == State.PREPARING]
        if preparing:
            yield Option(4, "enqueue", {"job": st.sampled_from(preparing), "asked": RULES})
        running = [job.id for job in jobs.values() if job.state == State.RUNNING]
        if running:
            yield Option(4, "stop", {"job": st.sampled_from(running)})
        asked = [job.id for job in jobs.values() if job.cancel is not None]
        if asked:
            yield Option(2, "set_the_wall_clock", {"by": JUMPS})
        late = [number for number, (claim, job) in enumerate(self.tries) if not self.reference.is_run_by(claim, job.id)]
        if late:
            yield Option(3, "write_late", {"tried": st.sampled_from(late[-4:])})

    def _moves_of(self, hand: Hand) -> Iterator[Option]:
        """Name what the worker can do; what leads on comes first, because the first is chosen most."""
        me = {"worker": ME[hand.worker]}
        if hand.claim is None:
            if self.reference.claimable(self.now):
                yield Option(10, "claim", me)
            return
        if hand.told is not None:
            yield Option(20, "obey", me)
        if hand.job is not None:
            yield from _moves_with(hand.job, me)
        head = self.reference.head(self.reference.lanes[hand.claim.lane.key])
        yield Option(1 if head else 3, "release", me)
        yield Option(5 if head and head.can_start(self.now) else 1, "start", me)
        is_asked = hand.job is not None and self.reference.jobs[hand.job.id].cancel is not None
        yield Option(15 if is_asked and hand.told is None else 2, "beat", me)
        yield Option(2, "give_back", me)
        is_again = hand.job is not None and hand.job.attempt > 1
        yield Option(5 if is_again else 2, "die", {**me, "is_noticed": SOMETIMES})


def _moves_with(job: Job, me: dict[str, st.SearchStrategy[str]]) -> Iterator[Option]:
    is_committing = job.state == State.COMMITTING
    if not is_committing:
        yield Option(3, "pass_commit_point", me)
    yield Option(4, "finish", {**me, "ending": ENDINGS, "gives_way": SOMETIMES})
    yield Option(2 if is_committing else 1, "reopen", me)
    yield Option(3, "take_publish_slot", me)
    yield Option(1 if is_committing else 2, "retry", {**me, "wait": WHILES})
    yield Option(1, "journal", me)
    if is_committing:
        yield Option(1, "pass_commit_point", me)


def on(engine: str) -> type[Dispatch]:
    class OnEngine(Dispatch):
        def open(self, folder: Path) -> Ports:
            return PORTS[engine](folder)

    return OnEngine


def profile_for(engine: str, effort: str) -> settings:
    return settings.get_profile(effort if engine in ON_ONE_MACHINE else f"{effort}-remote")


@pytest.mark.one_engine
# Amazon's own DynamoDB takes more than five minutes for it beside other tests; `make chaos` asks it there.
@pytest.mark.above_the_store
@pytest.mark.timeout(900)
@pytest.mark.parametrize("engine", PORTS)
def test_an_engine_does_what_the_reference_does(engine: str) -> None:
    run_state_machine_as_test(on(engine), settings=profile_for(engine, "quick"))


def long_steps(engine: str) -> int:
    """Return how many steps one long part takes on an engine."""
    profile = profile_for(engine, "long")
    return profile.max_examples * profile.stateful_step_count


@pytest.mark.long
@pytest.mark.parametrize("part", range(max(1, round(LONG_PARTS * SCALE))))
@pytest.mark.parametrize("engine", PORTS)
def test_an_engine_does_what_the_reference_does_for_a_long_time(engine: str, part: int) -> None:
    """Each part begins somewhere else."""
    del part
    run_state_machine_as_test(on(engine), settings=profile_for(engine, "long"))
