"""Kill, stop, lose and repeat, in the quick form; `make chaos` does it a thousand times."""

from __future__ import annotations

from tests.chaos.run import Plan, run_in_a_new_folder, unfenced_plan


def test_nothing_is_lost_doubled_or_crossed_whatever_is_killed_or_stopped() -> None:
    result = run_in_a_new_folder(Plan(jobs=400, kills=24, stops=16, drains=3, jumps=4))
    assert result.broken == []
    assert result.done["kills"] == 24
    assert result.done["stops"] == 16


def test_the_checker_finds_what_goes_wrong_without_fences() -> None:
    broken = run_in_a_new_folder(unfenced_plan()).broken
    assert any("i1" in problem for problem in broken)
