"""What was asked for and is not there: fact by fact, and part by part where a request has several."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from webordinary.mail.message import without_struck
from webordinary.site.facts import Kind, find_facts
from webordinary.site.finding import Finding, Problem
from webordinary.site.neighbours import is_alike, regions, segments, stems_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.site.facts import Fact
    from webordinary.site.neighbours import Region
    from webordinary.site.request import Asked
    from webordinary.site.shown import Shown

_IN_A_ROW = re.compile(r"(?:[.!?;]\s+|\n+)(?:[-*•]\s+|\d+[.)]\s+)?")
_WITH_WORDS = frozenset({Kind.PRICE, Kind.NUMBER, Kind.TIME, Kind.DATE})
_LONGEST_PART = 120


@dataclass(frozen=True)
class Missing:
    """Looks for each fact of the request, with the words that it was said with."""

    asked: Asked
    old: Shown
    new: Shown

    def find(self) -> Iterator[Finding]:
        parts = [_Part(text, tuple(self._lacking(text))) for text in split_parts(without_struck(self.asked.text))]
        lacking = [about for part in parts for about in part.lacking]
        yield from (Finding(Problem.MISSING, about) for about in lacking)
        if lacking and len(parts) > 1:
            yield from (part.finding() for part in parts)

    def _lacking(self, part: str) -> Iterator[str]:
        for fact, before, after in segments(part):
            if not any(shown.known.has(fact) or shown.known.has_house(fact) for shown in (self.new, self.old)):
                yield fact.written
            elif fact.kind in _WITH_WORDS and self._stands_apart(fact, f"{before} {after}"):
                yield f"{before}{fact.written}".strip(" ,;:-")[-_LONGEST_PART:]

    def _stands_apart(self, fact: Fact, said: str) -> bool:
        """Tell whether a fact stands only where it stood before, and with other words than those it was said with."""
        stems = stems_of(said)
        holding = [each for each in self._regions if _holds(each, fact)]
        if not stems or any(not each.stems.isdisjoint(stems) for each in holding):
            return False
        if not holding or any(each.text not in self._old_texts for each in holding):
            return False
        if any(_holds(each, fact) and not each.stems.isdisjoint(stems) for each in self._old_regions):
            # It was named in order to go.
            return False
        return any(is_alike(each.fact, fact) and not each.stems.isdisjoint(stems) for each in self._regions)

    @cached_property
    def _regions(self) -> list[Region]:
        return [region for page in self.new.site.pages.values() for region in regions(page.texts)]

    @cached_property
    def _old_regions(self) -> list[Region]:
        return [region for page in self.old.site.pages.values() for region in regions(page.texts)]

    @cached_property
    def _old_texts(self) -> set[str]:
        return {text for page in self.old.site.pages.values() for text in page.texts}


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the request that names facts, and what of them is not there."""

    text: str
    lacking: tuple[str, ...]

    def finding(self) -> Finding:
        if not self.lacking:
            return Finding(Problem.PART_DONE, self.text)
        return Finding(Problem.PART_MISSING, f"{self.text}\t{', '.join(self.lacking)}")


def split_parts(text: str) -> list[str]:
    """Return the sentences and lines of a request that name something; a point inside of a date ends none."""
    inside = {place for fact in find_facts(text) for place in range(fact.at, fact.end - 1)}
    ends = [found for found in _IN_A_ROW.finditer(text) if found.start() not in inside]
    starts = [0, *(found.end() for found in ends)]
    pieces = (text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True))
    return [" ".join(piece.split()).rstrip(".;") for piece in pieces if find_facts(piece)]


def _holds(region: Region, fact: Fact) -> bool:
    if not is_alike(region.fact, fact) and region.fact.forms.isdisjoint(fact.forms):
        return False
    same = not region.fact.forms.isdisjoint(fact.forms)
    return same or bool(fact.bare and region.fact.bare == fact.bare and (fact.is_bare or region.fact.is_bare))
