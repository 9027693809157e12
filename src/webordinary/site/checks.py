"""The checks between build and publish: what may go live, what somebody has to look at first, and what may not.

None of them is made by a model, and each says in its own words what it found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.site.facts import Fact, Kind, find_facts, forms_of, is_among, numbers_in
from webordinary.site.receipt import Place, Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from webordinary.site.index import SiteIndex
    from webordinary.site.receipt import Receipt

_WORD = re.compile(r"[^\W\d_]{4,}")
_MOST_TOLD = 8
_A_THIRD = 2 / 3
_IN_LINKS = frozenset({Kind.LINK, Kind.PHONE, Kind.MAIL})


class Problem(StrEnum):
    """What a check can find; the words for it stand with the words of all mails."""

    # The job fails.
    STORAGE_ADDRESS = "storage_address"
    SECRET = "secret"  # noqa: S105 - the name of a problem
    # Somebody has to say ok.
    UNASKED = "unasked"
    BROKEN_LINK = "broken_link"
    PAGE_GONE = "page_gone"
    SHRUNK = "shrunk"
    # A sentence in the answer.
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found, and what it is about."""

    problem: Problem
    about: str

    @property
    def needs_ok(self) -> bool:
        return self.problem in {Problem.UNASKED, Problem.BROKEN_LINK, Problem.PAGE_GONE, Problem.SHRUNK}


def check_change(
    request: str, old: SiteIndex, new: SiteIndex, receipt: Receipt, *, brought: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """Return what somebody should know or decide before the change goes live.

    `brought` are words that came along, such as the names of files: they may be shown and need not be.
    """
    found = [
        *_unasked("\n".join((request, *brought)), receipt, old, new),
        *_broken_links(old, new),
        *_pages_gone(request, receipt, old),
        *_shrunk(old, new),
        *_missing(request, old, new),
    ]
    return tuple(dict.fromkeys(found))


def find_new_leak(old: SiteIndex, new: SiteIndex) -> Finding | None:
    """Return what must never be on a public site and is not there yet: what is public already fails no change."""
    leak = next((leak for mark, leak in new.leaks.items() if mark not in old.leaks), None)
    return Finding(Problem(leak.secrecy.value), leak.path) if leak else None


def _missing(request: str, old: SiteIndex, new: SiteIndex) -> Iterator[Finding]:
    """Find facts of the request that stand nowhere on the site; what stood there was named in order to go."""
    shown = _shown(new) | _shown(old)
    for fact in find_facts(request):
        if not forms_of(fact) & shown and not _is_in_a_link(fact, new) and not _is_in_a_link(fact, old):
            yield Finding(Problem.MISSING, fact.written)


def _is_in_a_link(fact: Fact, new: SiteIndex) -> bool:
    if fact.kind not in _IN_LINKS:
        return False
    links = (link.lower() for page in new.pages.values() for link in page.links)
    if fact.kind == Kind.PHONE:
        links = (re.sub(r"[\s()/.-]", "", link) for link in links)
    return any(fact.form in link for link in links)


def _shown(site: SiteIndex) -> set[str]:
    texts = (text for page in site.pages.values() for text in page.words)
    facts = [fact for text in texts for fact in find_facts(text)]
    return {form for fact in facts for form in forms_of(fact) | numbers_in(fact)}


def _unasked(request: str, receipt: Receipt, old: SiteIndex, new: SiteIndex) -> Iterator[Finding]:
    """Find facts that changed, or came, or went, and that the request does not name."""
    asked = _all_forms(find_facts(request))
    words = set(_WORD.findall(request.lower()))
    known = asked | _shown(old) if receipt.pages or receipt.pages_added else asked
    places = [place for page in receipt.pages for place in page.words if _tells_people(place, old)]
    places += [Words("", text) for path in receipt.pages_added for text in new.pages[path].words]
    # A new sentence may repeat what stands elsewhere; a sentence that was there may not get another fact.
    found = (place for place in places if _is_unasked(place, asked if place.before else known, words))
    for place, _ in zip(found, range(_MOST_TOLD), strict=False):
        yield Finding(Problem.UNASKED, f"{place.before or '-'} → {place.after or '-'}")


def _tells_people(place: Words, old: SiteIndex) -> bool:
    """Leave out what follows from the rest: data for programs, links that went, and links to where others lead."""
    if place.place != Place.LINK:
        return place.place != Place.DATA
    return bool(place.before and place.after) or (bool(place.after) and _host(place.after) not in _hosts(old))


def _hosts(site: SiteIndex) -> set[str]:
    return {_host(link) for page in site.pages.values() for link in page.links}


def _host(link: str) -> str:
    scheme, _, rest = link.partition(":")
    return rest.strip("/").partition("/")[0].lower() if scheme.lower() in {"http", "https"} else link


def _facts_at(place: Place, text: str) -> tuple[Fact, ...]:
    """Return the facts of a text; numbers in the address of a page say nothing."""
    found = find_facts(text)
    return found if place != Place.LINK else tuple(fact for fact in found if fact.kind in _IN_LINKS)


def _is_unasked(place: Words, asked: set[str], words: set[str]) -> bool:
    before, after = _facts_at(place.place, place.before), _facts_at(place.place, place.after)
    had, has = _all_forms(before), _all_forms(after)
    come = [fact for fact in after if not forms_of(fact) & had]
    if come:
        return any(not is_among(fact, asked) for fact in come)
    gone = [fact for fact in before if not forms_of(fact) & has]
    # A sentence that the request speaks of may go with whatever it says.
    is_meant = any(is_among(fact, asked) for fact in gone) or words & set(_WORD.findall(place.before.lower()))
    return bool(gone) and not is_meant


def _all_forms(facts: Iterable[Fact]) -> set[str]:
    return {form for fact in facts for form in forms_of(fact)}


def _broken_links(old: SiteIndex, new: SiteIndex) -> Iterator[Finding]:
    before = old.broken_links()
    for page, links in new.broken_links().items():
        for link in links:
            if link not in before.get(page, ()):
                yield Finding(Problem.BROKEN_LINK, f"{page}: {link}")


def _pages_gone(request: str, receipt: Receipt, old: SiteIndex) -> Iterator[Finding]:
    said = request.lower()
    for path in receipt.pages_gone:
        stem = path.rpartition("/")[2].rpartition(".")[0].lower()
        name = stem if stem != "index" else path.rpartition("/")[0].rpartition("/")[2].lower()
        titles = set(_WORD.findall(old.pages[path].title.lower())) if path in old.pages else set()
        if not (name and name in said) and not titles & set(_WORD.findall(said)):
            yield Finding(Problem.PAGE_GONE, path)


def _shrunk(old: SiteIndex, new: SiteIndex) -> Iterator[Finding]:
    before, after = len(old.files), len(new.files)
    if before > 2 and after < before * _A_THIRD:  # noqa: PLR2004 - a site of two files shrinks by half with one page
        yield Finding(Problem.SHRUNK, f"{before} → {after}")
