"""Which tests belong to a room of the house: `python -m tests.rooms mail` prints their files.

They are the folder of that name, and the unit tests that import from the room; of a room that has neither, every test
that imports from it.
"""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

from tests.tree import PACKAGE, ROOT, TESTS, python_files, syntax

if TYPE_CHECKING:
    from pathlib import Path


def tests_of(room: str) -> list[Path]:
    """Return the test files and folders of a room; none for a room that does not exist."""
    folder = TESTS / room
    importing = [file for file in python_files(TESTS) if file.name.startswith("test_") and _imports(file, room)]
    own = [file for file in importing if file.is_relative_to(TESTS / "unit")]
    return [*([folder] if folder.is_dir() else []), *own] or importing


def rooms() -> list[str]:
    """Return the names that can be asked for."""
    inside = {path.stem for path in PACKAGE.iterdir() if path.is_dir() or path.suffix == ".py"}
    folders = {path.name for path in TESTS.iterdir() if path.is_dir()}
    return sorted(name for name in inside | folders if not name.startswith("_") and tests_of(name))


def _imports(file: Path, room: str) -> bool:
    module = f"webordinary.{room}"
    return any(
        isinstance(node, ast.ImportFrom) and node.module and f"{node.module}.".startswith(f"{module}.")
        for node in ast.walk(syntax(file))
    )


def main(room: str) -> int:
    """Print the files of a room, one a line."""
    found = tests_of(room)
    if not found:
        sys.stderr.write(f"There is no room {room!r}; the rooms are {', '.join(rooms())}.\n")
        return 2
    sys.stdout.writelines(f"{path.relative_to(ROOT)}\n" for path in found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
