"""Walks through every state a model can reach and tells the shortest story of each broken promise."""

from __future__ import annotations

import gc
from array import array
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from .step_graph import Steps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

State = TypeVar("State")

STUCK = "V1 nothing more can happen, and a job still waits"
NO_WAY_TO_THE_END = "V1 the end can no longer be reached"
GOES_IN_CIRCLES = "V4 it can go in circles for ever, without any fault"
STATE_LIMIT = 1_500_000


class Step(NamedTuple, Generic[State]):
    """One thing that may happen next; a fault is never counted as a way forward."""

    label: str
    state: State
    breaks: str | None = None
    is_fault: bool = False


class Model(Protocol[State]):
    """A protocol as states and steps."""

    def start(self) -> State: ...

    def steps(self, state: State) -> Iterable[Step[State]]: ...

    def broken(self, state: State) -> str | None: ...

    def is_end(self, state: State) -> bool: ...


@dataclass(frozen=True, slots=True)
class Exploration:
    """What was found: how many states, and for each broken promise the shortest way to break it."""

    states: int
    is_complete: bool
    violations: Mapping[str, tuple[str, ...]]

    def report(self) -> str:
        """Tell every violation step by step."""
        stories = ("\n  ".join((promise, *trace)) for promise, trace in self.violations.items())
        return "\n".join((f"{self.states} states, complete: {self.is_complete}", *stories))


def explore(
    model: Model[State],
    *,
    until: Collection[str] = (),
    beyond: Collection[str] = (),
    limit: int = STATE_LIMIT,
) -> Exploration:
    """Explore until all is seen or each of `until` was broken; go on behind a breach of `beyond` only."""
    search = _Search(model, beyond)
    with _no_cycle_collection():
        while search.has_more and len(search.found) < limit:
            search.expand()
            if until and search.violations.keys() >= set(until):
                break
        else:
            if not search.has_more:
                search.judge_the_whole()
        return Exploration(len(search.found), not search.has_more, search.violations)


class _Search(Generic[State]):
    def __init__(self, model: Model[State], beyond: Collection[str]) -> None:
        self.model = model
        self.beyond = beyond
        self.found = [model.start()]
        self.violations: dict[str, tuple[str, ...]] = {}
        self._number = {self.found[0]: 0}
        self._parent = array("l", [-1])
        self._next = 0
        self._ends: list[int] = []
        self._steps = Steps()

    @property
    def has_more(self) -> bool:
        return self._next < len(self.found)

    def expand(self) -> None:
        """Take the next state, judge it, and find where it leads."""
        number = self._next
        self._next += 1
        state = self.found[number]
        if self.model.is_end(state):
            self._ends.append(number)
        if broken := self.model.broken(state):
            self._record(broken, number)
            self._ends.append(number)
            return
        if not self._follow(number, state) and not self.model.is_end(state):
            self._record(STUCK, number)

    def _follow(self, number: int, state: State) -> bool:
        goes_on = False
        for step in self.model.steps(state):
            goes_on = goes_on or not step.is_fault
            if step.breaks is not None:
                self._record(step.breaks, number, step.label)
                if step.breaks not in self.beyond:
                    # It has its own entry; it must not be reported a second time as a dead end.
                    self._ends.append(number)
                    continue
            target = self._numbered(step.state, number)
            if not step.is_fault:
                self._steps.add(number, target)
        return goes_on

    def _numbered(self, state: State, parent: int) -> int:
        number = self._number.setdefault(state, len(self.found))
        if number == len(self.found):
            self.found.append(state)
            self._parent.append(parent)
        return number

    def judge_the_whole(self) -> None:
        """Look at all states together: where none is stuck and no circle is left, every run ends."""
        dead_end = self._steps.dead_end(self._ends, len(self.found))
        if dead_end is not None and STUCK not in self.violations:
            self._record(NO_WAY_TO_THE_END, dead_end)
        circle = self._steps.circle(len(self.found))
        if circle is not None:
            self._record(GOES_IN_CIRCLES, circle)

    def _record(self, promise: str, number: int, last: str | None = None) -> None:
        if promise not in self.violations:
            self.violations[promise] = (*self._trace(number), *(() if last is None else (last,)))

    def _trace(self, number: int) -> list[str]:
        # Labels are not kept for each state: the few that a trace needs are found by taking its steps again.
        labels = []
        while (parent := self._parent[number]) >= 0:
            steps = self.model.steps(self.found[parent])
            labels.append(next(step.label for step in steps if step.state == self.found[number]))
            number = parent
        return labels[::-1]


@contextmanager
def _no_cycle_collection() -> Iterator[None]:
    # Millions of tuples and not one cycle: collecting would only walk over all of them again and again.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
