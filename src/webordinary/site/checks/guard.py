"""What a change may touch: content; everything else is not for an owner's mail to decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from webordinary.jobs.lines import KindLine, write_line
from webordinary.site.content import Limit, judge_source, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.routing.project import Rules
    from webordinary.workspace.checkout import Change

__all__ = ["Limit", "Overreach", "find_overreach"]

_TOUCHES = "it touches {}, which "
_FOR_THE_TRAIL = {
    Limit.FILES: "it touches {} files, more than the {} that are allowed at once",
    Limit.LINES: "it removes {} lines, more than the {} that are allowed at once",
    Limit.PLACE: _TOUCHES + "is not for mails to change",
    Limit.NAME: _TOUCHES + "has a name that not every system reads the same way",
    Limit.BUILD: _TOUCHES + "decides how the site is built",
    Limit.SERVER: _TOUCHES + "tells the web server what to do",
    Limit.AGENT: _TOUCHES + "tells programs and people how to work on the site",
    Limit.PROGRAM: _TOUCHES + "is a program",
    Limit.TEMPLATE: _TOUCHES + "is a template, and the project does not say `templates = true`",
    Limit.KIND: _TOUCHES + "is of no kind that is known to hold content",
    Limit.DISGUISED: _TOUCHES + "is not what its name says",
    Limit.ACTIVE: _TOUCHES + "contains a program",
}


@dataclass(frozen=True, slots=True)
class Overreach:
    """Which limit a change breaks, and with what."""

    limit: Limit
    about: tuple[str, ...]

    @classmethod
    def at(cls, limit: Limit, path: str) -> Self:
        return cls(limit, (shown(path),))

    @property
    def reason(self) -> str:
        """The fact for the answer, which tells it in the person's language."""
        return write_line(KindLine(self.limit.value, self.about))

    def __str__(self) -> str:
        """Say it in the words of the trail."""
        return _FOR_THE_TRAIL[self.limit].format(*self.about)


def find_overreach(
    changes: Sequence[Change], rules: Rules, *, build: Sequence[str] = (), brought: frozenset[str] = frozenset()
) -> Overreach | None:
    """Return how the change goes beyond what the project allows, or None.

    Files that the owner sent along are not counted: they are what was asked for, and a photo is several.
    """
    counted = sum(change.path not in brought for change in changes)
    if counted > rules.max_files:
        return Overreach(Limit.FILES, (str(counted), str(rules.max_files)))
    deleted = sum(change.deleted_lines for change in changes)
    if deleted > rules.max_deleted_lines:
        return Overreach(Limit.LINES, (str(deleted), str(rules.max_deleted_lines)))
    judged = (_judge(change, rules, build) for change in changes)
    return next((beyond for beyond in judged if beyond is not None), None)


def _judge(change: Change, rules: Rules, build: Sequence[str]) -> Overreach | None:
    if change.is_link or change.is_repository:
        return Overreach.at(Limit.PLACE, change.path)
    if change.is_executable:
        return Overreach.at(Limit.PROGRAM, change.path)
    limit = judge_source(change.path, rules, build)
    return None if limit is None else Overreach.at(limit, change.path)
