"""How two commits differ, line by line, as far as anybody reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.workspace.git import Git

LONGEST = 400_000
_PLAIN = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames")
_CUT = b"\n\\ The change is longer than is kept; git has all of it.\n"


def read_difference(git: Git, old: str, new: str) -> bytes:
    """Return the files that differ and their lines; of a change beyond all measure only the files."""
    found = git.attempt("diff-tree", "-r", "-p", *_PLAIN, "--end-of-options", old, new)
    if not found.succeeded or found.truncated:
        found = git.attempt("diff-tree", "-r", "--stat", *_PLAIN, "--end-of-options", old, new)
    text = found.stdout
    return text if len(text) <= LONGEST else text[:LONGEST].rpartition(b"\n")[0] + _CUT
