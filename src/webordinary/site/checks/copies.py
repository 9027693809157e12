"""Old copies: where a value still stands that was replaced somewhere else."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from webordinary.jobs.lines import CopyLine, write_line
from webordinary.site.checks.finding import Finding, Problem
from webordinary.site.checks.neighbours import regions
from webordinary.site.checks.replaced import replaced_in
from webordinary.site.checks.shown import places_of
from webordinary.site.facts.find import Kind, Known, numbers_in
from webordinary.site.receipt.changes import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.site.checks.neighbours import Region
    from webordinary.site.checks.request import Asked
    from webordinary.site.checks.shown import Shown
    from webordinary.site.facts.find import Fact
    from webordinary.site.read.page import Page
    from webordinary.site.receipt.changes import Receipt

# Whoever has one of these has only one of it; the same price or hour may be another thing's.
_ONLY_ONE = frozenset({Kind.PHONE, Kind.MAIL, Kind.ACCOUNT, Kind.CODE, Kind.ADDRESS, Kind.LINK})
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
        for path, page in new.site.pages.items():
            for copy in _standing(page, replaced, new):
                found[copy][page.title or path] = None
    for copy, pages in list(found.items())[:_MOST_TOLD]:
        names = " · ".join(list(pages)[:_MOST_PAGES])
        more = max(0, len(pages) - _MOST_PAGES)
        kind = "still_there_too" if more else "still_there"
        shown, was, now = (" ".join(each.split()) for each in (copy.shown, copy.was, copy.now))
        place = "" if copy.place is Place.TEXT else copy.place.value
        line = CopyLine(kind, place, " ".join(names.split()), shown, str(more), was, now)
        yield Finding(Problem.OLD_COPY, write_line(line))


def _is_asked(fact: Fact, known: Known) -> bool:
    return known.has(fact) or any(known.has_number(number) for number in numbers_in(fact))


@dataclass(frozen=True, slots=True)
class _Copy:
    """An old value in a place, with what stands around it, and what it would have to become."""

    place: Place
    shown: str
    was: str
    now: str


def _copy(place: Place, text: str, fact: Fact, now: Fact) -> _Copy:
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


def _all_regions(page: Page) -> Iterator[tuple[Place, Region]]:
    yield from ((Place.TEXT, region) for region in regions(page.texts))
    for place, text in places_of(page):
        if place not in {Place.TEXT, Place.LINK, Place.DATA}:
            yield from ((place, region) for region in regions([text]))


def _same_thing(fact: Fact, region: Region, others: list[_Replaced]) -> _Replaced | None:
    """Return what was replaced of the thing that this region is about: its price, its hours."""
    for each in others:
        shared = len(each.stems & region.stems)
        is_year = fact.kind is Kind.NUMBER and len(fact.form) == len("2026")
        if Known([each.old]).has(fact) and shared * (4 if is_year else 2) > min(len(each.stems), len(region.stems)):
            return each
    return None


def _hours_in_data(text: str, others: list[_Replaced], new: Shown) -> Iterator[_Copy]:
    if "open" not in text.lower():
        return
    facts = [fact for fact in new.facts_at(Place.DATA, text) if fact.kind is Kind.TIME]
    for each in others:
        copy = next((fact for fact in facts if each.old.times and Known([each.old]).has(fact)), None)
        if copy is not None and not Known(facts).has(each.new):
            yield _copy(Place.DATA, text, copy, each.new)
