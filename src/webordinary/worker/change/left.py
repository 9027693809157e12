"""What an answer says about what is left to do: parts that are missing, and old values that still stand elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.jobs.journal import Journal
from webordinary.jobs.lines import CopyLine, KindLine, read_line, write_line
from webordinary.site.checks.run import Problem
from webordinary.site.receipt.excerpt import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.site.checks.run import Finding

# The facts of an answer that say so; `copies` are also what a reply of "everywhere" is about.
LEFT = (Journal.missing, Journal.parts, Journal.copies)
_MOST_TOLD = 12


def tell_left(findings: Sequence[Finding]) -> dict[str, list[str]]:
    """Return the lines of each fact; where a request is told part by part, what is missing stands there."""
    parts = [_part(finding) for finding in findings if finding.problem in {Problem.PART_DONE, Problem.PART_MISSING}]
    missing = [_line(finding.about) for finding in findings if finding.problem is Problem.MISSING and not parts]
    copies = [_copy(finding.about) for finding in findings if finding.problem is Problem.OLD_COPY]
    return {"missing": missing[:_MOST_TOLD], "parts": parts[:_MOST_TOLD], "copies": copies}


def _part(finding: Finding) -> str:
    about = read_line(KindLine, finding.about)
    return write_line(KindLine(finding.problem.value, tuple(map(_line, about.fields))))


def _copy(about: str) -> str:
    copy = read_line(CopyLine, about)
    pages, shown, was, now = map(_line, (copy.pages, copy.shown, copy.was, copy.now))
    return write_line(replace(copy, pages=pages, shown=shown, was=was, now=now))


def _line(text: str) -> str:
    return cut(one_line(text))
