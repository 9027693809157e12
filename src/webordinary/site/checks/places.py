"""The places of a page in which facts stand, and the facts as they count there."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from webordinary.site.facts.fact import exact, plain
from webordinary.site.facts.find import FactKind, facts_of_link, find_facts
from webordinary.site.receipt.changes import PagePart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.site.facts.find import Fact
    from webordinary.site.read.elements import Page

_PRICE = re.compile(r"price\"?\s*[:=]\s*\"?(\d+(?:\.\d+)?)", re.IGNORECASE)
# What a page tells to programs also says when it was built, and where its pictures lie.
_IN_DATA = frozenset(
    {FactKind.LINK, FactKind.PHONE, FactKind.MAIL, FactKind.ACCOUNT, FactKind.PRICE, FactKind.TIME, FactKind.ADDRESS}
)


def facts_at(place: PagePart, text: str) -> tuple[Fact, ...]:
    """Return the facts of a text as they count in this place."""
    if place is PagePart.DEED:
        # What a page does is no fact; a change of it needs an ok by itself.
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


def host_or_link(link: str) -> str:
    """Return the host that a link leads to; other links stand for themselves."""
    scheme, _, rest = link.partition(":")
    if link.startswith("//"):
        rest, scheme = link, "https"
    return rest.strip("/").partition("/")[0].lower() if scheme.lower() in {"http", "https"} else link
