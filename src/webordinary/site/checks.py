"""The checks between build and publish: what may go live, what somebody has to look at first, and what may not.

None of them is made by a model, and each says in its own words what it found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.mail.message import without_struck
from webordinary.site.facts import Fact, Kind, find_facts, forms_of, is_among, numbers_in
from webordinary.site.index import resolve
from webordinary.site.receipt import Place, Words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from webordinary.site.index import SiteIndex
    from webordinary.site.page import Page
    from webordinary.site.receipt import Receipt

_WORD = re.compile(r"[^\W\d_]{4,}")
_MOST_TOLD = 8
_A_THIRD = 2 / 3
_IN_LINKS = frozenset({Kind.LINK, Kind.PHONE, Kind.MAIL})
_AMOUNTS = frozenset({Kind.NUMBER, Kind.TIME})
_MONEY = re.compile(r"[€$£]|\b(?:eur|euros?|chf|usd|fr|sfr|franken|francs)\b", re.IGNORECASE)
# With these a request speaks of such a fact without saying it: "take the phone number off".
_SPEAKS_OF = {
    Kind.PHONE: re.compile(r"phone|fon\b|telefon|tel\b|teléfono|téléphone|num[bm]er|num[ée]ro|número|mobil|handy|fax"),
    Kind.MAIL: re.compile(r"mail|courriel|correo|address|adresse|dirección"),
    Kind.LINK: re.compile(r"link|lien|enlace|website|web"),
}
# They stand in every other mail and say nothing about a sentence of the site.
_SMALL_WORDS = (
    "about also change from have hello home into just make more page please section sentence site some text thank"
    " thanks that their them then there they this what when will with would your bitte danke dann dass diese diesen"
    " eine einen einer haben hallo ihre jetzt kann machen mehr nicht noch oder seite sehr sich sind unser unsere wird"
    " wurde avec bonjour cette dans elle faire leur mais merci notre nous plus pour sont texte tous tout votre vous"
    " como cuando desde esta está este esto gracias hacer hola nuestra nuestro para pero página sitio sobre texto todo"
    " todos"
)
_COMMON = frozenset(_SMALL_WORDS.split())
_SHORT_NAME = 4


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
    UNREAD = "unread"
    NEW_PROGRAM = "new_program"
    NEW_FRAME = "new_frame"
    NEW_FORM = "new_form"
    NEW_ORDER = "new_order"
    NEW_HOST = "new_host"
    UNEXPLAINED = "unexplained"
    MORE_THAN_TOLD = "more_than_told"
    NEW_LOOK = "new_look"
    DEED_GONE = "deed_gone"
    NEW_DATA = "new_data"
    # A sentence in the answer.
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found, and what it is about."""

    problem: Problem
    about: str

    @property
    def needs_ok(self) -> bool:
        return self.problem not in _NO_OK


_NO_OK = frozenset({Problem.STORAGE_ADDRESS, Problem.SECRET, Problem.MISSING})


def check_change(
    request: str, old: SiteIndex, new: SiteIndex, receipt: Receipt, *, brought: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """Return what somebody should know or decide before the change goes live.

    `brought` are words that came along, such as the names of files: they may be shown and need not be.
    """
    found = [
        *_unasked("\n".join((request, *brought)), receipt, old, new),
        *_broken_links(old, new),
        *_pages_gone(request, receipt, old, new),
        *_shrunk(old, new),
        *_unread(old, new),
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
    for fact in find_facts(without_struck(request)):
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
    known = asked | _shown(old) if receipt.pages or receipt.pages_added else asked
    hosts = _hosts(old)
    places = [place for page in receipt.pages for place in page.words if _tells_people(place, hosts)]
    places += [Words("", text) for path in receipt.pages_added for text in new.pages[path].words]
    # A new sentence may repeat what stands elsewhere; a sentence that was there may not get another fact.
    found = (place for place in places if _is_unasked(place, asked if place.before else known, request.lower()))
    for place, _ in zip(found, range(_MOST_TOLD), strict=False):
        yield Finding(Problem.UNASKED, f"{place.before or '-'} → {place.after or '-'}")


def _tells_people(place: Words, hosts: Collection[str]) -> bool:
    """Leave out what follows from the rest: data for programs, links that went, and links to where others lead."""
    if place.place != Place.LINK:
        return place.place not in {Place.DATA, Place.DEED}
    return bool(place.before and place.after) or (bool(place.after) and _host(place.after) not in hosts)


def _hosts(site: SiteIndex) -> set[str]:
    return {_host(link) for page in site.pages.values() for link in page.links}


def _host(link: str) -> str:
    scheme, _, rest = link.partition(":")
    return rest.strip("/").partition("/")[0].lower() if scheme.lower() in {"http", "https"} else link


def _facts_at(place: Place, text: str) -> tuple[Fact, ...]:
    """Return the facts of a text; numbers in the address of a page say nothing."""
    found = find_facts(text)
    return found if place != Place.LINK else tuple(fact for fact in found if fact.kind in _IN_LINKS)


def _is_unasked(place: Words, asked: set[str], request: str) -> bool:
    before, after = _facts_at(place.place, place.before), _facts_at(place.place, place.after)
    had, has = _all_forms(before), _all_forms(after)
    come = [fact for fact in after if not forms_of(fact) & had]
    gone = [fact for fact in before if not forms_of(fact) & has]
    if place.after and _is_lost(place, gone, come, asked, request):
        return True
    if come:
        return any(not is_among(fact, asked) for fact in come)
    # A sentence that the request speaks of may go with whatever it says.
    is_meant = any(is_among(fact, asked) for fact in gone) or own_words(request) & own_words(place.before.lower())
    return bool(gone) and not is_meant


def _is_lost(place: Words, gone: Sequence[Fact], come: Sequence[Fact], asked: set[str], request: str) -> bool:
    """Tell whether a sentence has lost a fact beside the one that was asked for, and nothing came in its place."""
    left = [fact for fact in gone if not is_among(fact, asked)]
    for kind, speaks in _SPEAKS_OF.items():
        if _count(left, {kind}) > _count(come, {kind}) and not speaks.search(request):
            return True
    # Hours are often said anew with fewer of them; prices are not.
    return bool(come and _MONEY.search(place.before)) and _count(left, _AMOUNTS) > _count(come, _AMOUNTS)


def _count(facts: Iterable[Fact], kinds: Collection[Kind]) -> int:
    return sum(fact.kind in kinds for fact in facts)


def own_words(text: str) -> set[str]:
    """Return the words of a text that say what it is about."""
    return set(_WORD.findall(text)) - _COMMON


def _all_forms(facts: Iterable[Fact]) -> set[str]:
    return {form for fact in facts for form in forms_of(fact)}


def _broken_links(old: SiteIndex, new: SiteIndex) -> Iterator[Finding]:
    before = {page: frozenset(links) for page, links in old.broken_links().items()}
    # A site below a path of its host names its pictures by that path, which its build does not have.
    is_below = any(link.startswith("/") for links in before.values() for link in links)
    for page, links in new.broken_links().items():
        shown = frozenset(new.pages[page].pictures if is_below else ())
        for link in links:
            was_there = link not in shown or resolve(page, link) in old.files
            if link not in before.get(page, ()) and was_there:
                yield Finding(Problem.BROKEN_LINK, f"{page}: {link}")


def _pages_gone(request: str, receipt: Receipt, old: SiteIndex, new: SiteIndex) -> Iterator[Finding]:
    """Find pages that are gone, or blank, and that the request names neither by their file nor by their title."""
    said = request.lower()
    # What stands in the titles of those that stay, as the name of the shop does, names none of them.
    stay = {word for page in new.pages.values() for word in _WORD.findall(page.title.lower())}
    blank = [
        each.path for each in receipt.pages if _is_blank(new.pages[each.path]) and not _is_blank(old.pages[each.path])
    ]
    for path in (*receipt.pages_gone, *blank):
        titles = set(_WORD.findall(old.pages[path].title.lower())) - (stay if path in receipt.pages_gone else set())
        if not _is_named(path, said) and not titles & own_words(said):
            yield Finding(Problem.PAGE_GONE, path)


def _is_blank(page: Page) -> bool:
    return not (page.texts or page.pictures)


def _is_named(path: str, said: str) -> bool:
    """Tell whether a file is named: "the about-us page", "die Teamseite", but not "steam" for team.html."""
    stem = path.rpartition("/")[2].rpartition(".")[0].lower()
    name = stem if stem != "index" else path.rpartition("/")[0].rpartition("/")[2].lower()
    parts = r"[\s_-]+".join(re.escape(part) for part in re.split(r"[\s_-]+", name) if part)
    ending = r"(?!\w)" if len(name) < _SHORT_NAME else ""
    return bool(parts) and re.search(rf"(?<!\w){parts}{ending}", said) is not None


def _shrunk(old: SiteIndex, new: SiteIndex) -> Iterator[Finding]:
    # Pages by themselves too: many pictures must not hide that most of them are gone.
    for before, after in ((len(old.files), len(new.files)), (len(old.pages), len(new.pages))):
        if before > 2 and after < before * _A_THIRD:  # noqa: PLR2004 - a site of two files shrinks by half with one page
            yield Finding(Problem.SHRUNK, f"{before} → {after}")
            return


def _unread(old: SiteIndex, new: SiteIndex) -> Iterator[Finding]:
    """Find what nobody has looked into; what is live already was decided before."""
    known = frozenset(old.files.values()) if new.unread else frozenset()
    for path in new.unread:
        if new.files[path] not in known:
            yield Finding(Problem.UNREAD, path)
