"""What was asked for and is not there: fact by fact, part by part, and where a replaced value still stands."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from webordinary.jobs.lines import CopyLine, KindLine, write_line
from webordinary.mail.message import without_struck
from webordinary.site.checks.finding import Finding, Problem
from webordinary.site.checks.neighbours import class_of, regions, segments, stems_of
from webordinary.site.checks.places import places_of
from webordinary.site.checks.shown import replaced_in
from webordinary.site.checks.terms import IN_DATA, WITH_WORDS, FactRegion
from webordinary.site.facts.find import FactKind, Known, find_facts, numbers_in
from webordinary.site.receipt.changes import PagePart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.site.checks.neighbours import FactNeighbourhood
    from webordinary.site.checks.request import Asked
    from webordinary.site.checks.shown import Shown
    from webordinary.site.facts.find import Fact
    from webordinary.site.read.elements import Page
    from webordinary.site.receipt.changes import Receipt


# A business has only one of each of these; the same price or hour may be another thing's.
_ONLY_ONE = frozenset({FactKind.PHONE, FactKind.MAIL, FactKind.ACCOUNT, FactKind.CODE, FactKind.ADDRESS, FactKind.LINK})
_MOST_TOLD, _MOST_PAGES, _MOST_REPLACED = 6, 6, 20
_WHOLE, _WORDS_AROUND = 80, 4


@dataclass(frozen=True, slots=True)
class _Replaced:
    """A value that gave way to another one, and the words that it stood with."""

    old: Fact
    new: Fact
    stems: frozenset[str]


def find_copies(asked: Asked, receipt: Receipt, old: Shown, new: Shown) -> Iterator[Finding]:
    """Find where what was replaced still stands, if that was asked for; answers tell it, with both values."""
    wanted = (each for each in _all_replaced(receipt, old, new) if _is_asked(each.new, asked.known))
    replaced = list(islice(dict.fromkeys(wanted), _MOST_REPLACED))
    found: dict[_Copy, dict[str, None]] = defaultdict(dict)
    if replaced:
        for path in sorted({path for each in replaced for path in _pages_with(each, new)}):
            page = new.site.pages[path]
            for copy in _standing(page, replaced, new):
                found[copy][page.title or path] = None
    for copy, pages in list(found.items())[:_MOST_TOLD]:
        names = " · ".join(list(pages)[:_MOST_PAGES])
        more = max(0, len(pages) - _MOST_PAGES)
        kind = "still_there_too" if more else "still_there"
        place = "" if copy.place is PagePart.TEXT else copy.place.value
        names, shown, was, now = (" ".join(each.split()) for each in (names, copy.shown, copy.was, copy.now))
        yield Finding(Problem.OLD_COPY, write_line(CopyLine(kind, place, names, shown, str(more), was, now)))


def _is_asked(fact: Fact, known: Known) -> bool:
    return known.has(fact) or any(known.has_number(number) for number in numbers_in(fact))


@dataclass(frozen=True, slots=True)
class _Copy:
    """An old value in a place, with what stands around it, and what it would have to become."""

    place: PagePart
    shown: str
    was: str
    now: str


def _copy(place: PagePart, text: str, fact: Fact, now: Fact) -> _Copy:
    return _Copy(place, _around(text, fact), fact.written, now.written_like(fact))


def _around(text: str, fact: Fact) -> str:
    """Return a text, or whole words of it around the fact."""
    if len(text) <= _WHOLE:
        return text
    before, after = text[: fact.at].split()[-_WORDS_AROUND:], text[fact.end :].split()[:_WORDS_AROUND]
    return " ".join(("…", *before, fact.written, *after, "…"))


def _all_replaced(receipt: Receipt, old: Shown, new: Shown) -> Iterator[_Replaced]:
    for page in receipt.pages:
        around = {(each.text, each.fact.at): each.stems for each in regions(new.site.pages[page.path].texts)}
        for place in page.words:
            for was, now in replaced_in(place, old, new):
                yield _Replaced(was, now, around.get((place.after, now.at), frozenset()))


def _pages_with(replaced: _Replaced, new: Shown) -> Iterator[str]:
    """Yield the pages on which a value may still stand, and where it can be another thing's, with the same words."""

    def fits(payload: str) -> bool:
        if replaced.old.kind in _ONLY_ONE or payload == IN_DATA:
            return True
        return not replaced.stems.isdisjoint(payload.split())

    for form in {*replaced.old.forms, replaced.old.bare} - {""}:
        yield from new.terms.pages(f"copy {form}", fits)


def _standing(page: Page, replaced: list[_Replaced], new: Shown) -> Iterator[_Copy]:
    """Yield where a page still has one of the old values."""
    alone, others = ([each for each in replaced if (each.old.kind in _ONLY_ONE) is is_one] for is_one in (True, False))
    known = Known(each.old for each in alone)
    for place, text in dict.fromkeys(places_of(page)) if alone else ():
        for fact in new.facts_at(place, text):
            if known.has(fact):
                each = next(each for each in alone if Known([each.old]).has(fact))
                yield _copy(place, text, fact, each.new)
    known = Known(each.old for each in others)
    for place, region in _all_regions(page) if others else ():
        (fact,) = new.in_style([region.fact])
        if known.has(fact) and (same := _same_thing(fact, region, others)) is not None:
            yield _copy(place, region.text, fact, same.new)
    for text in page.data if others else ():
        yield from _hours_in_data(text, others, new)


def _all_regions(page: Page) -> Iterator[tuple[PagePart, FactNeighbourhood]]:
    yield from ((PagePart.TEXT, region) for region in regions(page.texts))
    for place, text in places_of(page):
        if place not in {PagePart.TEXT, PagePart.LINK, PagePart.DATA}:
            yield from ((place, region) for region in regions([text]))


def _same_thing(fact: Fact, region: FactNeighbourhood, others: list[_Replaced]) -> _Replaced | None:
    """Return what was replaced of the thing that this region is about: its price, its hours."""
    for each in others:
        shared = len(each.stems & region.stems)
        is_year = fact.kind is FactKind.NUMBER and len(fact.form) == len("2026")
        if Known([each.old]).has(fact) and shared * (4 if is_year else 2) > min(len(each.stems), len(region.stems)):
            return each
    return None


def _hours_in_data(text: str, others: list[_Replaced], new: Shown) -> Iterator[_Copy]:
    if "open" not in text.lower():
        return
    facts = [fact for fact in new.facts_at(PagePart.DATA, text) if fact.kind is FactKind.TIME]
    for each in others:
        copy = next((fact for fact in facts if each.old.times and Known([each.old]).has(fact)), None)
        if copy is not None and not Known(facts).has(each.new):
            yield _copy(PagePart.DATA, text, copy, each.new)


_IN_A_ROW = re.compile(r"(?:[.!?;]\s+(?=[^\W\d_a-zß-ÿ]|[-*•\"“„«])|\n+)(?:[-*•]\s+|\d+[.)]\s+)?")
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
            if not any(shown.has(fact) or shown.has_house(fact) for shown in (self.new, self.old)):
                yield fact.written
            elif fact.kind in WITH_WORDS and self._stands_apart(fact, f"{before} {after}"):
                yield f"{before}{fact.written}".strip(" ,;:-")[-_LONGEST_PART:]

    def _stands_apart(self, fact: Fact, said: str) -> bool:
        """Tell whether a fact stands only where it stood before, and with other words than those it was said with."""
        stems = stems_of(said)
        holding = _holding(fact, self.new)
        if not stems or not holding or any(not self.old.terms.has(f"text {each.text}") for each in holding):
            return False
        if any(not stems.isdisjoint(each.stems) for each in (*holding, *_holding(fact, self.old))):
            # It stands where it should, or it was named in order to go.
            return False
        return any(self.new.terms.has(f"about {class_of(fact)} {stem}") for stem in stems)


def _holding(fact: Fact, shown: Shown) -> list[FactRegion]:
    """Return where a fact stands."""
    known = Known([fact])
    payloads = (
        payload for form in {*fact.forms, fact.bare} - {""} for payload in shown.terms.payloads(f"region {form}")
    )
    found = (msgspec.json.decode(payload, type=FactRegion) for payload in payloads)
    return [each for each in found if known.has(each.fact)]


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
