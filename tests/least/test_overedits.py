"""What an agent does too much never reaches visitors, and what was asked for is never lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.checks.corpus import CASES as CORPUS
from tests.checks.way import answer_least
from tests.least.cases import CASES, IN_DOUBT, Became
from tests.least.run import Result, figures, try_one

if TYPE_CHECKING:
    from pathlib import Path

    from tests.checks.case import Case
    from tests.least.cases import OverEdit

# A site that is built leaves no sources here that anything could be taken out of.
CORRECT = [case for case in CORPUS if case.is_correct and case.again is None]


def test_there_are_enough_ways_of_doing_too_much() -> None:
    assert len(CASES) >= 30
    assert len({over.name for over in (*CASES, *IN_DOUBT)}) == len(CASES) + len(IN_DOUBT)


@pytest.mark.parametrize("over", CASES, ids=lambda over: over.name)
def test_what_is_too_much_is_taken_out_and_the_asked_part_is_live(tmp_path: Path, over: OverEdit) -> None:
    result = try_one(over, tmp_path)
    assert result.problem == ""
    assert (result.became, result.is_asked_lost) == (over.became, False)
    assert figures([result])["extra_live"] == 0


@pytest.mark.parametrize("over", IN_DOUBT, ids=lambda over: over.name)
def test_what_somebody_may_have_meant_stays(tmp_path: Path, over: OverEdit) -> None:
    """Whether it is live or waits for an ok: nothing of it is taken out."""
    answered, now = answer_least(over.case(), tmp_path)
    assert answered.broke == ""
    assert now == over.asked_only()


@pytest.mark.thorough
@pytest.mark.parametrize("case", CORRECT, ids=lambda case: case.name)
def test_nothing_of_a_correct_edit_is_taken_out(tmp_path: Path, case: Case) -> None:
    answered, now = answer_least(case, tmp_path)
    assert answered.is_live
    assert now == case.now()


def test_a_way_that_would_reach_visitors_is_counted() -> None:
    found = figures(
        [Result("a", Became.LIVE), Result("b", Became.HELD, is_asked_lost=True), Result("c", Became.TAKEN_OUT)]
    )
    assert found == {"of": 3, "taken_out": 1, "held": 1, "extra_live": 1, "asked_lost": 1}
