"""The explorer itself, on models small enough to check by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .explorer import GOES_IN_CIRCLES, NO_WAY_TO_THE_END, STUCK, Step, explore

if TYPE_CHECKING:
    from collections.abc import Iterator

WRONG = "reached a wrong state"
CROSSED = "took a forbidden step"


@dataclass(frozen=True, slots=True)
class Graph:
    """A drawn model from `a` to `z`: `a>b` is a step, `a~b` is a fault, `a!b` breaks a promise."""

    arrows: str
    wrong: str = ""

    def start(self) -> str:
        return "a"

    def steps(self, state: str) -> Iterator[Step[str]]:
        for arrow in self.arrows.split():
            source, kind, target = tuple(arrow)
            if source == state:
                breaks = CROSSED if kind == "!" else None
                yield Step(f"{source} to {target}", target, breaks, is_fault=kind == "~")

    def broken(self, state: str) -> str | None:
        return WRONG if state in self.wrong.split() else None

    def is_end(self, state: str) -> bool:
        return state == "z"


def test_a_model_that_always_ends_has_no_violation() -> None:
    found = explore(Graph("a>b b>c b>z c>z"))
    assert (found.states, found.is_complete, found.violations) == (4, True, {})


def test_the_shortest_trace_is_told() -> None:
    found = explore(Graph("a>b b>c c>d a>c d>z", wrong="d"))
    assert found.violations[WRONG] == ("a to c", "c to d")


def test_a_forbidden_step_is_the_last_of_its_trace() -> None:
    found = explore(Graph("a>b b!c b>z"))
    assert found.violations[CROSSED] == ("a to b", "b to c")


def test_nothing_is_explored_behind_a_violation() -> None:
    found = explore(Graph("a!b b>c c>d a>z", wrong="c"))
    assert set(found.violations) == {CROSSED}


def test_the_consequences_of_a_violation_can_be_explored() -> None:
    found = explore(Graph("a!b b>c a>z", wrong="c"), beyond={CROSSED})
    assert set(found.violations) == {CROSSED, WRONG}


def test_a_state_without_steps_is_stuck() -> None:
    found = explore(Graph("a>b a>z"))
    assert found.violations == {STUCK: ("a to b",)}


def test_a_fault_is_no_way_out() -> None:
    found = explore(Graph("a>b a>z b~z"))
    assert found.violations == {STUCK: ("a to b",)}


def test_a_circle_without_a_way_out_is_found() -> None:
    found = explore(Graph("a>b a>z b>c c>b c~z"))
    assert found.violations[NO_WAY_TO_THE_END] == ("a to b",)


def test_a_circle_that_could_be_left_is_found() -> None:
    found = explore(Graph("a>b b>c c>d d>c d>e e>z"))
    assert set(found.violations) == {GOES_IN_CIRCLES}
    assert found.violations[GOES_IN_CIRCLES][:2] == ("a to b", "b to c")


def test_a_circle_that_only_a_fault_closes_is_none() -> None:
    found = explore(Graph("a>b b~a b>z"))
    assert not found.violations


def test_the_search_ends_when_it_has_seen_what_it_looks_for() -> None:
    found = explore(Graph("a>b b>c c>d d>e e>z", wrong="b"), until={WRONG})
    assert (found.states, set(found.violations)) == (2, {WRONG})


def test_a_search_over_its_limit_is_not_complete() -> None:
    found = explore(Graph("a>b b>c c>d d>z"), limit=2)
    assert not found.is_complete
