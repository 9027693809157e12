"""Facts that changed, came or went unasked, or came to the wrong place: the price of the rye bread at the baguette."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus

from webordinary.languages import any_of, known
from webordinary.site.checks.finding import Finding, Problem
from webordinary.site.checks.neighbours import class_of, is_alike, regions, segments, stems_of, titled
from webordinary.site.checks.places import host_or_link
from webordinary.site.checks.shown import differing, replaced_in
from webordinary.site.facts.amounts import DAYS
from webordinary.site.facts.find import FactKind, Known, find_facts, is_mistyped
from webordinary.site.read.elements import mark
from webordinary.site.receipt.changes import PagePart, TextChange

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from webordinary.site.checks.neighbours import FactNeighbourhood
    from webordinary.site.checks.request import Asked
    from webordinary.site.checks.shown import Shown
    from webordinary.site.facts.find import Fact
    from webordinary.site.receipt.changes import Receipt


_PRICES = frozenset({FactKind.PRICE, FactKind.NUMBER})
_DAYS = stems_of(DAYS)
# With these people say that something has a price, and not what.
COSTS = stems_of(" ".join(each.site.costs for each in known()))


@dataclass(frozen=True)
class Astray:
    """Holds the words around a fact that changed against the words that it was asked for with."""

    asked: Asked
    old: Shown
    new: Shown

    def find(self, places: Mapping[str, Sequence[TextChange]]) -> Iterator[Finding]:
        if not self._said:
            return
        found = [each for path, some in places.items() for each in self._regions_of(path, some)]
        # In another language the same value gave way to the same one.
        right = {pair for place, is_elsewhere in found if not is_elsewhere for pair in self._replaced(place)}
        for place, is_elsewhere in found:
            if is_elsewhere and right.isdisjoint(self._replaced(place)):
                yield Finding(Problem.UNASKED, f"{place.before} → {place.after}")

    def _regions_of(self, path: str, places: Sequence[TextChange]) -> list[tuple[TextChange, bool]]:
        """Return each place that got a fact, and whether that belongs elsewhere."""
        changed = {place.after: place for place in places if place.before and place.after}
        found: dict[str, list[bool]] = defaultdict(list)
        for region in regions(self.new.site.pages[path].texts) if changed else ():
            place = changed.get(region.text)
            if place is not None and not Known(self.old.facts_at(place.place, place.before)).has(region.fact):
                found[region.text].append(self._is_elsewhere(region))
        # The same text may stand there twice, and once where it was.
        return [(changed[text], all(elsewhere)) for text, elsewhere in found.items()]

    def _replaced(self, place: TextChange) -> set[tuple[str, str]]:
        pairs = replaced_in(place, self.old, self.new)
        return {(was.bare or was.form, now.bare or now.form) for was, now in pairs}

    def _is_elsewhere(self, region: FactNeighbourhood) -> bool:
        """Tell whether it was asked for with words that stand with another fact, which is as it was."""
        said = [stems for fact, stems in self._said if is_alike(fact, region.fact) and Known([fact]).has(region.fact)]
        if not said or not region.stems:
            return False
        if any(not stems.isdisjoint(region.stems) for stems in said):
            return all(self._fits_better(stems, region) for stems in said)
        return any(True for stems in said for _ in self._unchanged(region, stems))

    def _fits_better(self, said: frozenset[str], region: FactNeighbourhood) -> bool:
        """Tell whether all that fits here stands with another fact too, and more: the room with a view of the lake."""
        fits = said & region.stems
        return any(fits < said & stems for stems in self._unchanged(region, said))

    @cached_property
    def _said(self) -> list[tuple[Fact, frozenset[str]]]:
        """The facts of the request with the words that say what they are about: a thing, or a day."""
        found = []
        for fact, before, after in segments(self.asked.text):
            stems = stems_of(f"{before} {after}")
            stems = stems - COSTS if fact.kind in _PRICES and not fact.times else stems & _DAYS
            if stems:
                found.append((fact, stems))
        return found

    def _unchanged(self, region: FactNeighbourhood, said: Iterable[str]) -> Iterator[frozenset[str]]:
        """Yield the words that stand with facts of this kind that are as they were, as far as they were said."""
        kind, terms = class_of(region.fact), self.new.terms
        for stem in said:
            kept = terms.payloads(f"about {kind} {stem}", without=self._changed)
            yield from (frozenset(payload.split()) for payload in kept)
        for each in self._left_on_changed:
            if class_of(each.fact) is kind and not each.stems.isdisjoint(said):
                yield each.stems

    @cached_property
    def _changed(self) -> frozenset[str]:
        """The pages that are not what they were."""
        old, new = self.old.site, self.new.site
        return frozenset(path for path in new.pages if not new.is_same(path, old))

    @cached_property
    def _left_on_changed(self) -> list[FactNeighbourhood]:
        """What stands on those pages in texts that stood somewhere before."""
        site, had = self.new.site, self.old.terms
        found = (each for path in self._changed for each in regions(site.pages[path].texts))
        return [each for each in found if had.has(f"text {mark(each.text)}")]


_MOST_TOLD = 8
_WORD = re.compile(r"[^\W\d_]{3,}")
_AMOUNTS = frozenset({FactKind.NUMBER, FactKind.PRICE, FactKind.TIME})
# With these a request speaks of such a fact without saying it: "take the phone number off".
_SPEAKS_OF = {
    FactKind.PHONE: re.compile(any_of(lambda each: each.site.speaks_of_phone)),
    FactKind.MAIL: re.compile(any_of(lambda each: each.site.speaks_of_mail)),
    FactKind.LINK: re.compile(any_of(lambda each: each.site.speaks_of_link)),
    FactKind.ACCOUNT: re.compile(any_of(lambda each: each.site.speaks_of_account)),
    FactKind.CODE: re.compile(any_of(lambda each: each.site.speaks_of_code)),
}
_MOVES = re.compile(rf"\b(?:{any_of(lambda each: each.site.moves)})")


@dataclass(frozen=True, slots=True)
class Unasked:
    """Holds what changed against what was asked for."""

    asked: Asked
    old: Shown
    new: Shown
    astray: Astray
    headings: dict[str, dict[str, frozenset[str]]] = field(default_factory=dict)

    def find(self, receipt: Receipt) -> Iterator[Finding]:
        found = (finding for finding in self._judge_all(receipt) if finding is not None)
        for finding, _ in zip(dict.fromkeys(found), range(_MOST_TOLD), strict=False):
            yield finding

    def _judge_all(self, receipt: Receipt) -> Iterator[Finding | None]:
        places = {page.path: [each for each in page.words if self._tells_people(each)] for page in receipt.pages}
        for path, some in places.items():
            yield from (self._judge(place, path, above) for place, above in titled(some))
        yield from self.astray.find(places)
        for path in receipt.pages_added:
            yield from (self._judge(TextChange("", text)) for text in self.new.site.pages[path].words)

    def _tells_people(self, place: TextChange) -> bool:
        """Leave out what follows from the rest: links that went, and links to where others lead."""
        if place.place is PagePart.DATA:
            return bool(place.after)
        if place.place is not PagePart.LINK:
            return True
        is_changed = bool(place.before and place.after)
        return is_changed or (bool(place.after) and not self.old.leads_to(host_or_link(place.after)))

    def _judge(self, place: TextChange, path: str = "", above: str = "") -> Finding | None:
        change = self._change(place)
        if (wrong := next((fact for fact in change.come if is_mistyped(fact.form)), None)) is not None:
            return Finding(Problem.MISTYPED, wrong.written)
        come = zip(change.come, change.instead(), strict=True)
        unasked = [fact for fact, instead in come if not self._may_come(fact, instead, change)]
        if unasked and (source := self.asked.source_of(unasked)) is not None:
            told = ", ".join(dict.fromkeys(fact.written for fact in unasked))
            return Finding(source.problem, f"{told} ({source.name})" if source.name else told)
        if unasked or self._is_lost(change) or (not change.come and not self._may_go(change, path, above)):
            return Finding(Problem.UNASKED, f"{place.before or '-'} → {place.after or '-'}")
        return None

    def _change(self, place: TextChange) -> _Change:
        before, after = self.old.facts_at(place.place, place.before), self.new.facts_at(place.place, place.after)
        come, gone = differing(place, before, after)
        return _Change(place, before, after, come, gone)

    def _may_come(self, fact: Fact, instead: Fact | None, change: _Change) -> bool:
        if self.asked.asks_for(fact, instead, change.before, self.old.currencies):
            return True
        if change.place.place is PagePart.LINK:
            return self._is_in_the_same_place(change.place)
        if change.place.place is PagePart.PICTURE_TEXT and fact.kind is FactKind.NUMBER and self.asked.names.has(fact):
            return True
        # A new sentence may repeat what stands elsewhere; a sentence that was there may not get another fact.
        return not change.place.before and self.old.has(fact)

    def _is_in_the_same_place(self, place: TextChange) -> bool:
        """Tell whether a link leads to the same host as before, and says there what was asked for: a map does."""
        if not place.before or host_or_link(place.before) != host_or_link(place.after):
            return False
        said = [
            fact for fact in find_facts(unquote_plus(place.after.partition("//")[2])) if fact.kind is FactKind.ADDRESS
        ]
        return bool(said) and all(self.asked.known.has(fact) for fact in said)

    def _may_go(self, change: _Change, path: str, above: str) -> bool:
        """Tell whether the request speaks of a sentence that is gone: it may go with whatever it says."""
        if not change.gone or change.place.place is PagePart.DATA:
            return True
        if any(self.asked.known.has(fact) for fact in change.gone) or self._is_moved(change.place, path):
            return True
        stems = stems_of(change.place.before) or self._stems_above(path).get(change.place.before, frozenset())
        if not self.asked.stems.isdisjoint(stems | stems_of(above)):
            return True
        # "Please remove the fax": of a fact the word before it is enough.
        return all(self.asked.says(change.label_of(fact)) for fact in change.gone)

    def _is_moved(self, place: TextChange, path: str) -> bool:
        """Tell whether a text stands elsewhere on its page now, as somebody wished that it should."""
        page = self.new.site.pages.get(path)
        return page is not None and place.before in page.texts and _MOVES.search(self.asked.lower) is not None

    def _stems_above(self, path: str) -> dict[str, frozenset[str]]:
        """Return what stood above each text of a page that has no words of its own, such as a price in a table."""
        if path not in self.headings:
            texts = self.old.site.pages[path].texts if path in self.old.site.pages else ()
            self.headings[path] = {region.text: region.stems for region in regions(texts)}
        return self.headings[path]

    def _is_lost(self, change: _Change) -> bool:
        """Tell whether a sentence has lost a fact beside the one that was asked for, and nothing came in its place."""
        if not change.place.after:
            return False
        left = [fact for fact in change.gone if not self.asked.known.has(fact)]
        for kind, speaks in _SPEAKS_OF.items():
            if _count(left, {kind}) > _count(change.come, {kind}) and not speaks.search(self.asked.lower):
                return True
        if change.lost_its_end() or change.lost_its_currency():
            return True
        # Hours are often said anew with fewer of them; prices are not.
        has_prices = any(fact.kind is FactKind.PRICE for fact in change.before)
        return bool(change.come and has_prices) and _count(left, _AMOUNTS) > _count(change.come, _AMOUNTS)


@dataclass(frozen=True, slots=True)
class _Change:
    """One place, the facts that it had, and which of them came and went."""

    place: TextChange
    before: Sequence[Fact]
    after: Sequence[Fact]
    come: Sequence[Fact]
    gone: Sequence[Fact]

    def label_of(self, fact: Fact) -> str:
        """Return the last word before a fact that stood there."""
        words = _WORD.findall(self.place.before[: fact.at])
        return words[-1] if words else ""

    def lost_its_end(self) -> bool:
        """Tell whether of hours from when until when one end is missing now."""
        had, has = (
            sum(bool(fact.times) and "." not in fact.form for fact in each) for each in (self.before, self.after)
        )
        return bool(self.come) and had > 0 and had % 2 == 0 and has % 2 == 1

    def lost_its_currency(self) -> bool:
        """Tell whether a number stands now where a price stood."""
        prices, numbers = (
            _count(self.come, {kind}) - _count(self.gone, {kind}) for kind in (FactKind.PRICE, FactKind.NUMBER)
        )
        return prices < 0 < numbers

    def instead(self) -> list[Fact | None]:
        """Return for each fact that came the one that stood in its place, if as many of its kind came as went."""
        went: dict[FactKind, list[Fact]] = defaultdict(list)
        for fact in self.gone:
            went[fact.kind].append(fact)
        came = Counter(fact.kind for fact in self.come)
        left = {kind: iter(facts) for kind, facts in went.items() if len(facts) == came[kind]}
        return [next(left[fact.kind]) if fact.kind in left else None for fact in self.come]


def _count(facts: Iterable[Fact], kinds: Collection[FactKind]) -> int:
    return sum(fact.kind in kinds for fact in facts)
