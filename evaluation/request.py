"""One request of the evaluation and what has to stand on the built pages when it was done right."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Right(StrEnum):
    """What a competent person would do with a request."""

    # Do it.
    LIVE = "live"
    # Ask first: it is unclear, or it has two meanings.
    ASKED = "asked"
    # Do it where somebody can look before it is live.
    HELD = "held"


class Verdict(StrEnum):
    """What came of a request."""

    RIGHT = "right"
    HELD = "held"
    ASKED = "asked"
    WRONG = "wrong_and_live"
    FAILED = "failed"


# "not understood" is a question to the owner, too.
_ASKED = {"asked", "nothing_changed", "answered", "not understood"}


@dataclass(frozen=True, slots=True)
class Page:
    """What the visible text of one page has and lacks; how often, where that matters."""

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    times: tuple[tuple[str, int], ...] = ()

    def problems(self, text: str) -> list[str]:
        """Return what is not as it should be."""
        found = [f"lacks {words!r}" for words in self.has if words not in text]
        found += [f"still has {words!r}" for words in self.lacks if words in text]
        return found + [
            f"has {words!r} {text.count(words)} times and not {times}"
            for words, times in self.times
            if text.count(words) != times
        ]


@dataclass(frozen=True, slots=True)
class Wish:
    """A mail to a site, and the pages as they should be then; every page that is not named stays as it was."""

    name: str
    site: str
    words: str
    pages: Mapping[str, Page]
    right: Right = Right.LIVE
    photo: bool = False

    def judge(self, outcome: str, before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Verdict, list[str]]:
        """Judge by the visible text of all pages, before and after."""
        if outcome == "published":
            problems = self._problems(before, after)
            return (Verdict.WRONG, problems) if problems else (Verdict.RIGHT, [])
        if before != after:
            return Verdict.WRONG, ["the site changed although nothing was said to be published"]
        if outcome in {"proposed", "scheduled"}:
            return (Verdict.RIGHT if self.right is Right.HELD else Verdict.HELD), []
        if outcome in _ASKED:
            return (Verdict.RIGHT if self.right is Right.ASKED else Verdict.ASKED), []
        return Verdict.FAILED, [outcome]

    def _problems(self, before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
        if self.right is not Right.LIVE:
            return [f"it is live; {self.right} would have been right"]
        found = [
            f"{name}: {problem}" for name, page in self.pages.items() for problem in page.problems(after.get(name, ""))
        ]
        others = (set(before) | set(after)) - set(self.pages)
        return found + [f"{name} changed" for name in sorted(others) if before.get(name) != after.get(name)]
