"""The walks of the architecture page lead through files and functions that exist."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

from tests.tree import PACKAGE, ROOT, syntax

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
STEPS = re.findall(r"^\| \d+ \| `([^`]+)`: `([^`]+)` \|", PAGE, re.MULTILINE)
ROOMS = re.findall(r"^\| `(\w+)` \| (.+) \|$", PAGE, re.MULTILINE)
SHORTEST_WALK = 20


@pytest.mark.parametrize(("file", "name"), STEPS)
def test_each_step_of_a_walk_is_a_function_in_the_file_that_is_named(file: str, name: str) -> None:
    assert name in set(names_in(syntax(PACKAGE / file).body))


def test_the_page_has_both_walks() -> None:
    assert len(STEPS) > SHORTEST_WALK
    assert len(set(STEPS)) == len(STEPS)


@pytest.mark.parametrize(("room", "told"), ROOMS)
def test_every_sub_room_is_told_and_is_there(room: str, told: str) -> None:
    inside = {folder.parent.name for folder in (PACKAGE / room).glob("*/__init__.py")}

    assert set(re.findall(r"`(\w+)`", told)) == inside


def names_in(body: Sequence[ast.stmt], owner: str = "") -> Iterator[str]:
    for found in body:
        if isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{owner}{found.name}"
        elif isinstance(found, ast.ClassDef):
            yield from names_in(found.body, f"{found.name}.")
