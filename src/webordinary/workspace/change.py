"""A changed file, as git sees it and not as the agent tells it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.workspace.git import Git

_LINK = "120000"
_EXECUTABLE = "100755"
_REPOSITORY = "160000"


class ChangeKind(StrEnum):
    """What happened to a file."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Change:
    """One file that differs; a picture or another binary file has no lines."""

    path: str
    kind: ChangeKind
    added_lines: int = 0
    deleted_lines: int = 0
    is_binary: bool = False
    is_link: bool = False
    is_executable: bool = False
    is_repository: bool = False


def read_changes(git: Git, *what: str) -> tuple[Change, ...]:
    """Compare as `git diff` does with these arguments."""
    options = ("--raw", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-abbrev")
    fields = iter(os.fsdecode(git.read_bytes("diff", *options, *what)).split("\0"))
    modes, lines = _split(fields)
    return tuple(_change(path, mode, lines.get(path, ("0", "0"))) for path, mode in modes.items())


def read_files(git: Git) -> tuple[str, ...]:
    """Return the paths that git knows; of a list that is too long to be read, its beginning."""
    return tuple(os.fsdecode(git.attempt("ls-files", "-z").stdout).split("\0")[:-1])


def _split(fields: Iterator[str]) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """Read both lists: `:modes … letter NUL path NUL` first, then `added TAB deleted TAB path NUL`."""
    modes: dict[str, str] = {}
    lines: dict[str, tuple[str, str]] = {}
    for field in fields:
        if field.startswith(":"):
            modes[next(fields)] = field
        elif field:
            added, deleted, path = field.split("\t", 2)
            lines[path] = (added, deleted)
    return modes, lines


def _change(path: str, raw: str, lines: tuple[str, str]) -> Change:
    old, new, *_, letter = raw[1:].split(" ")
    added, deleted = lines
    present = old if letter == "D" else new
    return Change(
        path=path,
        kind={"A": ChangeKind.ADDED, "D": ChangeKind.REMOVED}.get(letter, ChangeKind.CHANGED),
        added_lines=0 if added == "-" else int(added),
        deleted_lines=0 if deleted == "-" else int(deleted),
        is_binary=added == "-",
        is_link=present == _LINK,
        is_executable=present == _EXECUTABLE,
        is_repository=present == _REPOSITORY,
    )
