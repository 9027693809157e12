from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.program import Program

FEW = ("--projects", "2", "--users", "3", "--mails", "4")


def test_a_plan_needs_no_installation_and_says_how_many_workers_are_enough(program: Program) -> None:
    said = program.run("plan", *FEW, "--workers", "1-2")

    assert "A day with 2 sites of 3 editors" in said
    assert "enough: 95 of 100 mails start at most" in said
    assert "A worker for each of the 6 editors would be 144 worker-hours a day" in said
    assert list(program.folder.iterdir()) == []


def test_a_plan_compares_the_numbers_that_were_asked_for(program: Program) -> None:
    found = program.read("plan", *FEW, "--workers", "2-4")

    assert [day["workers"] for day in found["days"]] == [2, 3, 4]
    assert found["needed"]["workers"] == found["needed_workers"]
    assert found["dedicated_worker_hours"] == 144
    assert all(day["saved_percent"] == round((1 - day["workers"] / 6) * 100, 1) for day in found["days"])


@pytest.mark.thorough
def test_the_number_that_is_enough_is_shown_also_when_nobody_asked_for_it(program: Program) -> None:
    busy = ("--projects", "3", "--users", "4", "--mails", "20", "--workers", "1")
    needed = program.read("plan", *busy)["needed_workers"]

    said = program.run("plan", *busy)

    assert needed > 1
    assert [line.split()[0] for line in said.splitlines() if line.endswith(" %")] == ["1", str(needed)]


def test_the_same_numbers_give_the_same_plan(program: Program) -> None:
    assert program.run("plan", *FEW) == program.run("plan", *FEW)


@pytest.mark.parametrize("wrong", ["0", "3-1", "many", "1-5000"])
def test_a_number_of_workers_that_makes_no_sense_is_explained(program: Program, wrong: str) -> None:
    assert "write a number of workers such as" in program.run("plan", "--workers", wrong, code=2)
