"""`SECURITY.md` promises nothing that no test shows."""

from __future__ import annotations

import ast
import re

from tests.tree import ROOT, TESTS, python_files, syntax

PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)


def functions_in(path: str) -> set[str]:
    return {node.name for node in syntax(ROOT / path).body if isinstance(node, ast.FunctionDef)}


def rows_of(heading: str) -> list[list[str]]:
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_every_test_that_the_page_names_exists() -> None:
    assert len(NAMED) > 30
    assert [path for path, _ in NAMED if not (ROOT / path).is_file()] == []
    assert [(path, name) for path, name in NAMED if name and name not in functions_in(path)] == []


def test_every_attacker_has_what_stops_it_and_a_test_that_shows_it() -> None:
    rows = rows_of("Who attacks, and what stops it")

    assert len(rows) > 10
    assert [row[0] for row in rows if len(row) != 4 or not row[1] or "`tests/" not in row[2]] == []


def test_every_file_of_attacks_is_named() -> None:
    named = {path for path, _ in NAMED}
    attacks = [str(file.relative_to(ROOT)) for file in python_files(TESTS / "attacks") if file.name.startswith("test_")]

    assert [path for path in attacks if path not in named and not path.endswith("test_as_a_user.py")] == []
