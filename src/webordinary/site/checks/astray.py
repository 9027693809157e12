"""Facts that were asked for and came to the wrong place: the price of the rye bread at the baguette."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from webordinary.languages import known
from webordinary.site.checks.finding import Finding, Problem
from webordinary.site.checks.neighbours import class_of, is_alike, regions, segments
from webordinary.site.checks.replaced import replaced_in
from webordinary.site.facts.find import Kind, Known
from webordinary.site.facts.number_words import DAYS
from webordinary.site.stems import stems_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from webordinary.site.checks.neighbours import Region
    from webordinary.site.checks.request import Asked
    from webordinary.site.checks.shown import Shown
    from webordinary.site.facts.find import Fact
    from webordinary.site.receipt.changes import Words

_PRICES = frozenset({Kind.PRICE, Kind.NUMBER})
_DAYS = stems_of(DAYS)
# With these people say that something has a price, and not what.
_COSTS = stems_of(" ".join(each.site.costs for each in known()))


@dataclass(frozen=True)
class Astray:
    """Holds the words around a fact that changed against the words that it was asked for with."""

    asked: Asked
    old: Shown
    new: Shown

    def find(self, places: Mapping[str, Sequence[Words]]) -> Iterator[Finding]:
        if not self._said:
            return
        found = [each for path, some in places.items() for each in self._regions_of(path, some)]
        # In another language the same value gave way to the same one.
        right = {pair for place, is_elsewhere in found if not is_elsewhere for pair in self._replaced(place)}
        for place, is_elsewhere in found:
            if is_elsewhere and right.isdisjoint(self._replaced(place)):
                yield Finding(Problem.UNASKED, f"{place.before} → {place.after}")

    def _regions_of(self, path: str, places: Sequence[Words]) -> list[tuple[Words, bool]]:
        """Return each place that got a fact, and whether that belongs elsewhere."""
        changed = {place.after: place for place in places if place.before and place.after}
        found: dict[str, list[bool]] = defaultdict(list)
        for region in regions(self.new.site.pages[path].texts) if changed else ():
            place = changed.get(region.text)
            if place is not None and not Known(self.old.facts_at(place.place, place.before)).has(region.fact):
                found[region.text].append(self._is_elsewhere(region))
        # The same text may stand there twice, and once where it was.
        return [(changed[text], all(elsewhere)) for text, elsewhere in found.items()]

    def _replaced(self, place: Words) -> set[tuple[str, str]]:
        pairs = replaced_in(place, self.old, self.new)
        return {(was.bare or was.form, now.bare or now.form) for was, now in pairs}

    def _is_elsewhere(self, region: Region) -> bool:
        """Tell whether it was asked for with words that stand with another fact, which is as it was."""
        said = [stems for fact, stems in self._said if is_alike(fact, region.fact) and Known([fact]).has(region.fact)]
        if not said or not region.stems:
            return False
        if any(not stems.isdisjoint(region.stems) for stems in said):
            return all(self._fits_better(stems, region) for stems in said)
        return any(not stems.isdisjoint(frozenset().union(*said)) for stems in self._unchanged[class_of(region.fact)])

    def _fits_better(self, said: frozenset[str], region: Region) -> bool:
        """Tell whether all that fits here stands with another fact too, and more: the room with a view of the lake."""
        fits = said & region.stems
        return any(fits < said & stems for stems in self._unchanged[class_of(region.fact)])

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
    def _unchanged(self) -> dict[Kind, set[frozenset[str]]]:
        """The words that stand with facts of each kind that are as they were."""
        had = {text for page in self.old.site.pages.values() for text in page.texts}
        found: dict[Kind, set[frozenset[str]]] = defaultdict(set)
        for page in self.new.site.pages.values():
            for each in regions(page.texts):
                if each.text in had:
                    found[class_of(each.fact)].add(each.stems)
        return found
