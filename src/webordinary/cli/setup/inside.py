"""Runs commands of our own inside this process: they say what they say, or their words are caught."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Sequence

from webordinary.setup.desk import Ran


def run_inside(words: Sequence[str], *, is_talk: bool) -> Ran:
    """Run one command; one that talks with a person has the terminal to itself."""
    said, complaint = io.StringIO(), io.StringIO()
    if is_talk:
        # What is printed for programs goes to the standard output; a person reads the other one as well.
        with contextlib.redirect_stdout(sys.stderr):
            return Ran(_run(words), "", "")
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complaint):
        code = _run(words)
    return Ran(code, said.getvalue(), complaint.getvalue())


def _run(words: Sequence[str]) -> int:
    from webordinary.cli.program import INTERRUPTED, run  # noqa: PLC0415 - it knows us

    code = run(list(words))
    if code == INTERRUPTED:
        # Somebody ends the whole walk, and not only what it is doing.
        raise KeyboardInterrupt
    return code
