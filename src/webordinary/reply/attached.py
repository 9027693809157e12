"""What an answer says about the files that came with the request: used, kept or refused, each with its reason."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from webordinary.jobs.job import Fate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webordinary.jobs.job import Attached


def files_fact(attachments: Iterable[Attached], changes: str) -> str:
    """Return one line for each file that somebody meant; `changes` tells which of them stand on the site now."""
    on_site = {PurePosixPath(line.split(maxsplit=1)[-1]).stem for line in changes.split("\n") if line.strip()}
    return "\n".join("\t".join(_fields(each, on_site)) for each in attachments if each.fate is not Fate.SKIPPED)


def _fields(each: Attached, on_site: set[str]) -> tuple[str, ...]:
    if each.fate is Fate.REFUSED:
        return ("refused", each.name, each.problem.value, each.limit)
    # Whatever becomes of a file in the repository, its stem stays: no other file has it.
    return ("used" if PurePosixPath(each.name).stem in on_site else "kept", each.name)
