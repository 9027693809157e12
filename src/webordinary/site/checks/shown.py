"""The facts that a built site shows: in its texts, behind its links and in what it tells to programs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from webordinary.site.facts.fact import exact, plain
from webordinary.site.facts.find import FactKind, Known, facts_of_link, find_facts
from webordinary.site.receipt.changes import PagePart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webordinary.site.facts.find import Fact
    from webordinary.site.read.elements import Page
    from webordinary.site.read.index import SiteIndex
    from webordinary.site.receipt.changes import TextChange


def replaced_in(place: TextChange, old: Shown, new: Shown) -> Iterator[tuple[Fact, Fact]]:
    """Yield each fact that gave way to another one of its kind, with that one."""
    before, after = old.facts_at(place.place, place.before), new.facts_at(place.place, place.after)
    come, gone = differing(place, before, after)
    for kind in dict.fromkeys(fact.kind for fact in gone):
        was, now = ([fact for fact in facts if fact.kind is kind] for facts in (gone, come))
        yield from zip(was, now, strict=False)


def differing(place: TextChange, before: Sequence[Fact], after: Sequence[Fact]) -> tuple[list[Fact], list[Fact]]:
    """Return the facts that came and those that are gone; in the same sentence each is held against its own place."""
    if len(before) == len(after) and _frame(place.before, before) == _frame(place.after, after):
        pairs = [(old, new) for old, new in zip(before, after, strict=True) if not Known([old]).has(new)]
        return [new for _, new in pairs], [old for old, _ in pairs]
    had, has = Known(before), Known(after)
    return [fact for fact in after if not had.has(fact)], [fact for fact in before if not has.has(fact)]


def _frame(text: str, facts: Sequence[Fact]) -> list[str]:
    """Return the words around the facts of a text."""
    ends = [0, *(fact.end for fact in facts)]
    starts = [*(fact.at for fact in facts), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


_PRICE = re.compile(r"price\"?\s*[:=]\s*\"?(\d+(?:\.\d+)?)", re.IGNORECASE)
# What a page tells to programs also says when it was built, and where its pictures lie.
_IN_DATA = frozenset(
    {FactKind.LINK, FactKind.PHONE, FactKind.MAIL, FactKind.ACCOUNT, FactKind.PRICE, FactKind.TIME, FactKind.ADDRESS}
)


def facts_at(place: PagePart, text: str) -> tuple[Fact, ...]:
    """Return the facts of a text as they count in this place."""
    if place is PagePart.DEED:
        # What a page does is no fact; whoever changes it is asked for that.
        return ()
    if place is PagePart.LINK:
        return facts_of_link(text)
    return _facts_of_data(text) if place is PagePart.DATA else find_facts(text)


@lru_cache(maxsize=2_000)
def _facts_of_data(text: str) -> tuple[Fact, ...]:
    found = (fact for fact in find_facts(text) if fact.kind in _IN_DATA)
    prices = (plain(FactKind.PRICE, f"{float(price):g}") for price in _PRICE.findall(text))
    return (*(_host_alone(fact) if fact.kind is FactKind.LINK else fact for fact in found), *prices)


def _host_alone(fact: Fact) -> Fact:
    """Return where a link leads without its path, which a build may write anew."""
    return exact(FactKind.LINK, fact.form.partition("/")[0]).found(fact.written, fact.at)


def places_of(page: Page) -> Iterator[tuple[PagePart, str]]:
    """Yield everything that a page says, with its place."""
    yield PagePart.TITLE, page.title
    yield from ((PagePart.TEXT, text) for text in page.texts)
    yield PagePart.DESCRIPTION, page.description
    yield from ((PagePart.PICTURE_TEXT, text) for text in page.alts)
    yield from ((PagePart.OTHER, text) for text in page.others)
    yield from ((PagePart.LINK, link) for link in page.links)
    yield from ((PagePart.DATA, text) for text in page.data)


@dataclass(frozen=True)
class Shown:
    """A site's facts, each text read once however many pages have it."""

    site: SiteIndex

    @cached_property
    def _texts(self) -> dict[tuple[PagePart, str], None]:
        return dict.fromkeys(each for page in self.site.pages.values() for each in places_of(page))

    @cached_property
    def counts_to_24(self) -> bool:
        """Whether the site writes 18:00 somewhere, and means the morning with 9:00."""
        return any(
            fact.is_late()
            for place, text in self._texts
            if place is not PagePart.DATA
            for fact in facts_at(place, text)
        )

    def facts_at(self, place: PagePart, text: str) -> tuple[Fact, ...]:
        """Return the facts of a text in the style of the site."""
        return self.in_style(facts_at(place, text)) if text else ()

    def in_style(self, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """Return the facts as the site means them."""
        found = tuple(facts)
        if not found or not self.counts_to_24:
            return found
        return tuple(fact.in_the_morning() if fact.kind is FactKind.TIME else fact for fact in found)

    @cached_property
    def known(self) -> Known:
        """Everything that people can read, or follow."""
        seen = (each for each in self._texts if each[0] is not PagePart.DATA)
        return Known(fact for place, text in seen for fact in self.facts_at(place, text))

    @cached_property
    def currencies(self) -> set[str]:
        """The currencies of its prices."""
        return {fact.currency for fact in self.known.facts} - {""}

    @cached_property
    def hosts(self) -> set[str]:
        """Where its links lead, by their hosts."""
        return {host_of(link) for page in self.site.pages.values() for link in page.links}


def host_of(link: str) -> str:
    """Return the host that a link leads to; other links stand for themselves."""
    scheme, _, rest = link.partition(":")
    if link.startswith("//"):
        rest, scheme = link, "https"
    return rest.strip("/").partition("/")[0].lower() if scheme.lower() in {"http", "https"} else link
