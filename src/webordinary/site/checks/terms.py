"""What the checks ask about a whole site, found out once for each page and kept: where a fact stands, with which words.

Each page has entries: a key, such as a form of a fact, and perhaps a payload. What is asked about a site is a question
about a key, so that its cost does not grow with the pages.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeAlias
from weakref import ref

import msgspec

from webordinary.site.checks.hosts import ADDRESSES, MARKS, host_of, scheme_of
from webordinary.site.checks.neighbours import class_of, regions, stems_of, title_words
from webordinary.site.checks.places import facts_at, host_or_link, places_of
from webordinary.site.facts.fact import Fact, FactKind, numbers_in
from webordinary.site.read.elements import mark
from webordinary.site.read.index import resolve, shows_key, word_key
from webordinary.site.read.snapshot import key_of
from webordinary.site.receipt.changes import PagePart

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from webordinary.site.read.elements import Page
    from webordinary.site.read.index import SiteIndex

# The keys and payloads of one page.
Entries: TypeAlias = list[tuple[int, str]]

# The payload of a time that stands in what a page tells to programs; words have no such sign.
IN_DATA = "@"
WITH_WORDS = frozenset({FactKind.PRICE, FactKind.NUMBER, FactKind.TIME, FactKind.DATE})


class FactRegion(msgspec.Struct, frozen=True, array_like=True):
    """A fact that stands somewhere, the words around it and the mark of its text."""

    kind: FactKind
    form: str
    forms: tuple[str, ...]
    bare: str
    is_bare: bool
    stems: tuple[str, ...]
    text: str

    @property
    def fact(self) -> Fact:
        return Fact(self.kind, self.form, "", 0, frozenset(self.forms), self.bare, self.is_bare)


def entries_of(path: str, page: Page) -> Entries:
    """Return what a page answers to."""
    found = dict.fromkeys(_all_of(path, page))
    return [(key_of(key), payload) for key, payload in found]


def _all_of(path: str, page: Page) -> Iterator[tuple[str, str]]:
    for place, text in dict.fromkeys(places_of(page)):
        if text:
            yield from _of_facts(place, facts_at(place, text))
    yield from _of_regions(page)
    yield from ((f"text {mark(text)}", "") for text in page.texts)
    yield from ((word_key(text), "") for text in page.words)
    yield from ((f"title {stem}", "") for stem in stems_of(page.title))
    yield from ((f"called {word}", "") for word in title_words(page.title))
    for link in page.links:
        yield f"host {host_or_link(link)}", ""
    for link in (*page.links, *page.pictures):
        if (target := resolve(path, link)) is not None:
            yield f"leads {target}", ""
    for source in page.pictures:
        if (file := resolve(path, source)) is not None:
            yield shows_key(file), ""
    yield from ((key, "") for key in keys_of_deeds(page))


def _of_facts(place: PagePart, facts: Iterable[Fact]) -> Iterator[tuple[str, str]]:
    for fact in facts:
        if place in {PagePart.DATA, PagePart.LINK}:
            payload = IN_DATA if place is PagePart.DATA and fact.kind is FactKind.TIME else ""
            yield from ((f"copy {form}", payload) for form in _forms(fact))
        if place is PagePart.DATA:
            continue
        early = fact.in_the_morning().forms if fact.kind is FactKind.TIME else fact.forms
        yield from ((f"fact {form}", "") for form in early)
        yield from ((f"evening {form}", "") for form in fact.forms - early)
        if fact.bare:
            yield f"{'open' if fact.is_bare else 'complete'} {fact.bare}", ""
        yield from ((f"house {number}", "") for number in numbers_in(fact))
        if fact.currency:
            yield "currency", fact.currency
        if fact.is_late():
            yield "late", ""


def _of_regions(page: Page) -> Iterator[tuple[str, str]]:
    # Of a long text with many facts only once.
    marked = cache(mark)
    for region in regions(page.texts):
        fact, stems = region.fact, tuple(sorted(region.stems))
        yield from ((f"about {class_of(fact)} {stem}", " ".join(stems)) for stem in stems)
        yield from ((f"copy {form}", " ".join(stems)) for form in _forms(fact))
        if fact.kind in WITH_WORDS:
            kept = FactRegion(
                fact.kind, fact.form, tuple(sorted(fact.forms)), fact.bare, fact.is_bare, stems, marked(region.text)
            )
            payload = msgspec.json.encode(kept).decode()
            yield from ((f"region {form}", payload) for form in _forms(fact))
    for place, text in places_of(page):
        if place not in {PagePart.TEXT, PagePart.LINK, PagePart.DATA}:
            for region in regions([text]):
                payload = " ".join(sorted(region.stems))
                yield from ((f"copy {form}", payload) for form in _forms(region.fact))


def _forms(fact: Fact) -> set[str]:
    return {*fact.forms, fact.bare} - {""}


def keys_of_deeds(page: Page) -> Iterator[str]:
    """Yield what a page does, where it leads and what it tells to programs."""
    for deed in page.deeds:
        yield f"deed {deed}"
        if marks := MARKS.search(deed):
            yield f"code {marks['code']}"
        if deed.startswith("canonical "):
            yield f"own {host_of(deed.partition(' ')[2])}"
    if page.data:
        yield "data"
    yield from (f"data {text.partition(': ')[0]}" for text in page.data)
    targets = (deed.split(" ")[1] for deed in page.deeds if " " in deed)
    data = (address for text in page.data for address in ADDRESSES.findall(text))
    for address in (*page.links, *page.pictures, *targets, *data):
        if host := host_of(address):
            # With its way too: who was led there safely is to be led there safely.
            yield from (f"site {host}", f"site {scheme_of(address)}://{host}")


class Terms:
    """Answers for one site, from what is kept and from the entries of the pages that came since."""

    def __init__(self, site: SiteIndex) -> None:
        # The site remembers its terms: without this the two would keep each other, and a large site with them.
        self._held = ref(site)

    @property
    def _site(self) -> SiteIndex:
        if (site := self._held()) is None:
            raise ReferenceError("the site whose terms these are is not needed any more")
        return site

    def has(self, key: str) -> bool:
        return any(True for _ in self.payloads(key))

    def has_any(self, kind: str, names: Iterable[str]) -> bool:
        return any(self.has(f"{kind} {name}") for name in names)

    def count(self, key: str) -> int:
        """Return on how many pages something stands."""
        return len(self.pages(key))

    def pages(self, key: str, fits: Callable[[str], bool] = lambda _payload: True) -> list[str]:
        """Return the pages on which something stands, with a payload that fits."""
        found = self._site.kept_postings(key_of(key))
        kept = (self._site.kept_path(each) for payload, numbers in found.items() if fits(payload) for each in numbers)
        own = (path for payload, paths in self._own.get(key_of(key), {}).items() if fits(payload) for path in paths)
        return list(dict.fromkeys(path for path in (*kept, *own) if path is not None))

    def payloads(self, key: str, *, without: Collection[str] = ()) -> Iterator[str]:
        """Yield what stands under a key, on at least one page that is not left out."""
        site, own = self._site, self._own.get(key_of(key), {})
        seen = set()
        for payload, numbers in site.kept_postings(key_of(key)).items():
            if any((path := site.kept_path(each)) is not None and path not in without for each in numbers):
                seen.add(payload)
                yield payload
        for payload, paths in own.items():
            if payload not in seen and any(path not in without for path in paths):
                yield payload

    @cached_property
    def _own(self) -> dict[int, dict[str, list[str]]]:
        found: dict[int, dict[str, list[str]]] = defaultdict(dict)
        for path, entries in self.entries.items():
            for key, payload in entries:
                found[key].setdefault(payload, []).append(path)
        return dict(found)

    @cached_property
    def entries(self) -> dict[str, Entries]:
        """The entries of the pages that are not in the snapshot."""
        known = self._site.entries
        return {path: known.get(path) or entries_of(path, page) for path, page in self._site.own_pages.items()}


def terms_of(site: SiteIndex) -> Terms:
    """Return the terms of a site; they are made once."""
    made = site.memory.get("terms")
    if not isinstance(made, Terms):
        made = site.memory["terms"] = Terms(site)
    return made
