"""Facts that were asked for and came to the wrong place: the price of the rye bread at the baguette."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from webordinary.site.facts import Kind, Known
from webordinary.site.finding import Finding, Problem
from webordinary.site.neighbours import class_of, is_alike, regions, segments
from webordinary.site.number_words import DAYS
from webordinary.site.request import stems_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.site.facts import Fact
    from webordinary.site.neighbours import Region
    from webordinary.site.receipt import Words
    from webordinary.site.request import Asked
    from webordinary.site.shown import Shown

_PRICES = frozenset({Kind.PRICE, Kind.NUMBER})
_DAYS = stems_of(DAYS)
# With these people say that something has a price, and not what.
_COSTS = stems_of(
    "cost costs price priced kostet kosten preis coûte coûtent prix passe cuesta cuestan precio ahora jetzt"
)


@dataclass(frozen=True)
class Astray:
    """Holds the words around a fact that changed against the words that it was asked for with."""

    asked: Asked
    old: Shown
    new: Shown

    def find(self, path: str, places: Sequence[Words]) -> Iterator[Finding]:
        changed = {place.after: place for place in places if place.before and place.after}
        if not changed or not self._said:
            return
        found: dict[str, list[bool]] = defaultdict(list)
        for region in regions(self.new.site.pages[path].texts):
            place = changed.get(region.text)
            if place is not None and not Known(self.old.facts_at(place.place, place.before)).has(region.fact):
                found[region.text].append(self._is_elsewhere(region))
        for text, elsewhere in found.items():
            # The same text may stand there twice, and once where it was.
            if all(elsewhere):
                yield Finding(Problem.UNASKED, f"{changed[text].before} → {text}")

    def _is_elsewhere(self, region: Region) -> bool:
        """Tell whether it was asked for with words that stand with another fact, which is as it was."""
        said = [stems for fact, stems in self._said if is_alike(fact, region.fact) and Known([fact]).has(region.fact)]
        if not said or not region.stems or any(not stems.isdisjoint(region.stems) for stems in said):
            return False
        return not self._unchanged[class_of(region.fact)].isdisjoint(frozenset().union(*said))

    @cached_property
    def _said(self) -> list[tuple[Fact, frozenset[str]]]:
        """The facts of the request with the words that say what they are about: a thing, or a day."""
        found = []
        for fact, before, after in segments(self.asked.text):
            stems = stems_of(f"{before} {after}")
            stems = stems - _COSTS if fact.kind in _PRICES and not fact.times else stems & _DAYS
            if stems:
                found.append((fact, stems))
        return found

    @cached_property
    def _unchanged(self) -> dict[Kind, set[str]]:
        """The words that stand with facts of each kind that are as they were."""
        had = {text for page in self.old.site.pages.values() for text in page.texts}
        found: dict[Kind, set[str]] = defaultdict(set)
        for page in self.new.site.pages.values():
            for each in regions(page.texts):
                if each.text in had:
                    found[class_of(each.fact)] |= each.stems
        return found
