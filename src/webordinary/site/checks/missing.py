"""What was asked for and is not there: fact by fact, and part by part where a request has several."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from webordinary.jobs.lines import KindLine, write_line
from webordinary.mail.message import without_struck
from webordinary.site.checks.finding import Finding, Problem
from webordinary.site.checks.neighbours import class_of, regions, segments
from webordinary.site.facts.find import Kind, Known, find_facts
from webordinary.site.stems import stems_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.site.checks.neighbours import Region
    from webordinary.site.checks.request import Asked
    from webordinary.site.checks.shown import Shown
    from webordinary.site.facts.find import Fact

_IN_A_ROW = re.compile(r"(?:[.!?;]\s+(?=[^\W\d_a-zß-ÿ]|[-*•\"“„«])|\n+)(?:[-*•]\s+|\d+[.)]\s+)?")
_WITH_WORDS = frozenset({Kind.PRICE, Kind.NUMBER, Kind.TIME, Kind.DATE})
_LONGEST_PART, _MOST_PARTS, _MOST_LACKING = 120, 200, 20


@dataclass(frozen=True)
class Missing:
    """Looks for each fact of the request, with the words that it was said with."""

    asked: Asked
    old: Shown
    new: Shown

    def find(self) -> Iterator[Finding]:
        texts = split_parts(without_struck(self.asked.text))
        parts = [_Part(text, tuple(islice(self._lacking(text), _MOST_LACKING))) for text in texts[:_MOST_PARTS]]
        lacking = [about for part in parts for about in part.lacking]
        yield from (Finding(Problem.MISSING, about) for about in lacking)
        if lacking and len(parts) > 1:
            yield from (part.finding() for part in parts)

    def _lacking(self, part: str) -> Iterator[str]:
        for fact, before, after in islice(segments(part), _MOST_PARTS):
            if not any(shown.known.has(fact) or shown.known.has_house(fact) for shown in (self.new, self.old)):
                yield fact.written
            elif fact.kind in _WITH_WORDS and self._stands_apart(fact, f"{before} {after}"):
                yield f"{before}{fact.written}".strip(" ,;:-")[-_LONGEST_PART:]

    def _stands_apart(self, fact: Fact, said: str) -> bool:
        """Tell whether a fact stands only where it stood before, and with other words than those it was said with."""
        stems = stems_of(said)
        holding = self._now.holding(fact)
        if not stems or not holding or any(each.text not in self._was.texts for each in holding):
            return False
        if any(not each.stems.isdisjoint(stems) for each in (*holding, *self._was.holding(fact))):
            # It stands where it should, or it was named in order to go.
            return False
        return not self._now.stems[class_of(fact)].isdisjoint(stems)

    @cached_property
    def _now(self) -> _Places:
        return _Places(self.new)

    @cached_property
    def _was(self) -> _Places:
        return _Places(self.old)


class _Places:
    """Where on a site each fact stands, and with which words."""

    def __init__(self, shown: Shown) -> None:
        self.texts = {text for page in shown.site.pages.values() for text in page.texts}
        self.stems: dict[Kind, set[str]] = defaultdict(set)
        self._regions: dict[str, list[Region]] = defaultdict(list)
        for page in shown.site.pages.values():
            for region in regions(page.texts):
                self.stems[class_of(region.fact)] |= region.stems
                for form in {*region.fact.forms, region.fact.bare}:
                    self._regions[form].append(region)

    def holding(self, fact: Fact) -> list[Region]:
        """Return where a fact stands."""
        known = Known([fact])
        forms = {*fact.forms, fact.bare} - {""}
        return [each for form in forms for each in self._regions.get(form, ()) if known.has(each.fact)]


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the request that names facts, and what of them is not there."""

    text: str
    lacking: tuple[str, ...]

    def finding(self) -> Finding:
        if not self.lacking:
            return Finding(Problem.PART_DONE, self.text)
        return Finding(Problem.PART_MISSING, write_line(KindLine(self.text, (", ".join(self.lacking),))))


def split_parts(text: str) -> list[str]:
    """Return the sentences and lines of a request that name something; a point inside of a date ends none."""
    inside = {place for fact in find_facts(text) for place in range(fact.at, fact.end - 1)}
    ends = [found for found in _IN_A_ROW.finditer(text) if found.start() not in inside]
    starts = [0, *(found.end() for found in ends)]
    pieces = (
        text[start:end] for start, end in zip(starts, [*(each.start() + 1 for each in ends), len(text)], strict=True)
    )
    return [" ".join(piece.split()).rstrip(".;") for piece in pieces if find_facts(piece)]
