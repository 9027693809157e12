"""What an answer says about the files that came with the request: used, kept or refused, each with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.jobs.job import FileKind
from webordinary.jobs.lines import FileLine, write_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from webordinary.jobs.job import Attached


def files_fact(attachments: Iterable[Attached], used: Collection[str] = ()) -> str:
    """Return one line for each file that somebody meant; `used` are the names of those that the site shows now."""
    return write_lines(_line(each, used) for each in attachments if each.fate is not FileKind.SKIPPED)


def _line(each: Attached, used: Collection[str]) -> FileLine:
    if each.fate is FileKind.REFUSED:
        return FileLine("refused", each.name, each.problem.value, each.limit)
    return FileLine("used" if each.name in used else "kept", each.name)
