"""What an answer says about the files that came with the request: used, kept or refused, each with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.jobs.job import Fate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from webordinary.jobs.job import Attached


def files_fact(attachments: Iterable[Attached], used: Collection[str] = ()) -> str:
    """Return one line for each file that somebody meant; `used` are the names of those that the site shows now.

    Its fields have a tab between them; the words of the owner's language are put to them when the answer is written.
    """
    return "\n".join("\t".join(_fields(each, used)) for each in attachments if each.fate is not Fate.SKIPPED)


def _fields(each: Attached, used: Collection[str]) -> tuple[str, ...]:
    if each.fate is Fate.REFUSED:
        return ("refused", each.name, each.problem.value, each.limit)
    return ("used" if each.name in used else "kept", each.name)
