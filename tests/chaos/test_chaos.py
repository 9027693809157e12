"""Kill, stop, lose and repeat, in the quick form; `make chaos` and `make chaos-aws` do it for minutes."""

from __future__ import annotations

import pytest

from tests.chaos import order_of_mails
from tests.chaos.places import PLACES
from tests.chaos.plan import crowded_plan, quick_plan, unfenced_plan
from tests.chaos.rewritten import run_in_a_new_folder as run_with_rewritten_branches
from tests.chaos.run import run_in_a_new_folder

ELSEWHERE = [pytest.param(place, marks=pytest.mark.thorough) for place in PLACES if place != "one-machine"]


@pytest.mark.thorough
@pytest.mark.parametrize("place", ["one-machine", *ELSEWHERE])
def test_nothing_is_lost_doubled_or_crossed_whatever_is_killed_or_stopped(place: str) -> None:
    plan = quick_plan(place)
    result = run_in_a_new_folder(plan)
    assert result.broken == []
    assert result.done["kills"] == plan.kills
    assert result.done["stops"] == plan.stops
    assert result.done["late answers refused"] == plan.late_answers
    assert result.done.get("shortages", 0) == plan.shortages


@pytest.mark.thorough
@pytest.mark.parametrize("place", ["one-machine", "many-machines"])
def test_no_lane_whose_owner_died_starves_beside_lanes_that_are_always_ready(place: str) -> None:
    plan = crowded_plan(place)
    result = run_in_a_new_folder(plan)
    assert result.broken == []
    assert result.done["kills"] == plan.kills
    assert result.done["takeovers"] > 0


@pytest.mark.parametrize("place", ["one-machine", pytest.param("many-machines", marks=pytest.mark.thorough)])
def test_the_checker_finds_what_goes_wrong_without_fences(place: str) -> None:
    broken = run_in_a_new_folder(unfenced_plan(place)).broken
    assert any("i1" in problem for problem in broken)


@pytest.mark.thorough
def test_no_mail_of_a_person_overtakes_another_however_often_the_listener_dies() -> None:
    broken, kills = order_of_mails.run_in_a_new_folder(16, 5)
    assert broken == []
    assert kills > 1


@pytest.mark.thorough
def test_the_checker_finds_mails_that_overtake_each_other() -> None:
    broken, _ = order_of_mails.run_in_a_new_folder(24, 12, kind="unordered")
    assert broken != []


@pytest.mark.thorough
def test_a_branch_that_is_rewritten_all_the_time_leaves_nobody_unsure() -> None:
    assert run_with_rewritten_branches(8, seed=3).broken == []
