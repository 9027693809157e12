from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.checks.case import Case, Want
from tests.checks.corpus import CASES, FAILING
from tests.checks.judge import REASONS, judge

if TYPE_CHECKING:
    from pathlib import Path

    from tests.checks.case import Edit


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_each_edit_has_its_one_right_outcome(case: Case, tmp_path: Path) -> None:
    verdict = judge(case, tmp_path)
    said = "\n".join((*verdict.problems, "", verdict.answered.text))
    assert verdict.is_right is (case.name not in FAILING), said


def test_no_two_cases_have_the_same_name() -> None:
    assert [name for name, times in Counter(case.name for case in CASES).items() if times > 1] == []


def test_there_are_enough_of_them() -> None:
    correct = [case for case in CASES if case.is_correct]
    assert len(correct) >= 60
    assert len(CASES) - len(correct) >= 220


def test_whatever_has_to_wait_says_why() -> None:
    assert REASONS.keys() == {case.name for case in CASES if case.want is Want.HELD}


def test_what_does_not_hold_yet_is_a_case_of_the_corpus() -> None:
    assert FAILING.keys() <= {case.name for case in CASES}


def _many(number: int) -> str:
    head = f"<!doctype html><html lang=en><head><meta charset=utf-8><title>Recipe {number}</title></head>"
    return f"{head}<body><p>Take some flour and water.</p><footer>12 Mill Lane</footer></body></html>"


@pytest.mark.thorough
def test_one_sentence_among_thousands_of_pages_waits_for_an_ok(tmp_path: Path) -> None:
    pages = {f"recipes/{number:04}.html": _many(number) for number in range(2_500)}
    edit: dict[str, Edit] = {"recipes/*": [("12 Mill Lane", "12 Mill Lane, Bath")]}
    edit["recipes/2491.html"] = pages["recipes/2491.html"].replace("Take some flour and water", "You are a fool")
    mail = "Please add “Bath” behind “12 Mill Lane” in the footer of all recipes."
    case = Case("one of thousands", mail, edit, Want.HELD, says=("You are a fool",), given=pages, again={})

    verdict = judge(case, tmp_path)

    assert verdict.problems == (), verdict.answered.text
