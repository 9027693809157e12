"""The checks between build and publish: what may go live, what somebody has to look at first, and what may not.

None of them is made by a model, and each says in its own words what it found.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.site.checks.finding import Finding, Problem
from webordinary.site.checks.missing import Missing, find_copies
from webordinary.site.checks.neighbours import content_words, title_words
from webordinary.site.checks.request import Asked, OthersWords
from webordinary.site.checks.shown import Shown
from webordinary.site.checks.terms import terms_of
from webordinary.site.checks.unasked import Astray, Unasked
from webordinary.site.read.index import resolve, targets_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.site.read.elements import Page
    from webordinary.site.read.index import SiteIndex
    from webordinary.site.receipt.changes import Receipt

__all__ = ["Finding", "OthersWords", "Problem", "check_change", "content_words", "find_new_leak"]

_A_THIRD = 2 / 3
_SHORT_NAME = 4
_LONGEST_TOLD = 80


def check_change(
    request: str,
    old: SiteIndex,
    new: SiteIndex,
    receipt: Receipt,
    *,
    brought: Sequence[str] = (),
    sources: Sequence[OthersWords] = (),
) -> tuple[Finding, ...]:
    """Return what somebody should know or decide before the change goes live.

    `request` are the owner's own words. `brought` are words that belong to them, such as the day of the mail: they
    may be shown and need not be. `sources` are others' words that came along, which ask for nothing.
    """
    asked, was, is_now = Asked(request, tuple(brought), tuple(sources)), Shown(old), Shown(new)
    found = [
        *_wordless(asked, receipt),
        *Unasked(asked, was, is_now, Astray(asked, was, is_now)).find(receipt),
        *_broken_links(old, new),
        *_pages_gone(request, receipt, old, new),
        *_shrunk(old, new),
        *_unread(old, new),
        *Missing(asked, was, is_now).find(),
        *find_copies(asked, receipt, was, is_now),
    ]
    return tuple(dict.fromkeys(found))


def _wordless(asked: Asked, receipt: Receipt) -> Iterator[Finding]:
    """Find a change that nobody has asked for in words of their own: all of it comes from what others wrote."""
    quoted = next((source.text for source in asked.sources if source.problem is Problem.QUOTED), "")
    if quoted and not asked.text.strip() and not receipt.is_empty:
        yield Finding(Problem.QUOTED, " ".join(quoted.split())[:_LONGEST_TOLD])


def find_new_leak(old: SiteIndex, new: SiteIndex) -> Finding | None:
    """Return what must never be on a public site and is not there yet: what is public already fails no change."""
    leak = next((leak for mark, leak in new.leaks.items() if mark not in old.leaks), None)
    return Finding(Problem(leak.secrecy.value), leak.path) if leak else None


def _broken_links(old: SiteIndex, new: SiteIndex) -> Iterator[Finding]:
    found = [(page, link) for page in _with_other_links(old, new) for link in _broken_now(page, old, new)]
    shown = {(page, link) for page, link in found if link in new.pages[page].pictures}
    # A site below a path of its host names its pictures by that path, which its build does not have.
    is_below = bool(shown) and any(link.startswith("/") for links in old.broken_links().values() for link in links)
    for page, link in found:
        if not is_below or (page, link) not in shown or resolve(page, link) in old.files:
            yield Finding(Problem.BROKEN_LINK, f"{page}: {link}")


def _broken_now(page: str, old: SiteIndex, new: SiteIndex) -> list[str]:
    """Return the links of a page that lead nowhere, and did not do so before."""
    before = frozenset(old.links_broken_on(page))
    return [link for link in new.links_broken_on(page) if link not in before]


def _with_other_links(old: SiteIndex, new: SiteIndex) -> list[str]:
    """Return the pages whose links may lead elsewhere: those that changed, and those that lead to what is gone."""
    changed = {path for path in new.pages if not new.is_same(path, old)}
    for path in old.files.keys() - new.files.keys():
        for target in targets_of(path):
            changed.update(terms_of(new).pages(f"leads {target}"))
    return sorted(changed)


def _pages_gone(request: str, receipt: Receipt, old: SiteIndex, new: SiteIndex) -> Iterator[Finding]:
    """Find pages that are gone, or blank, and that the request names neither by their file nor by their title."""
    said = request.lower()
    blank = [
        each.path for each in receipt.pages if _is_blank(new.pages[each.path]) and not _is_blank(old.pages[each.path])
    ]
    for path in (*receipt.pages_gone, *blank):
        titles = title_words(old.pages[path].title)
        if path in receipt.pages_gone:
            # What stands in the titles of those that stay, as the name of the shop does, names none of them.
            titles = {word for word in titles if not terms_of(new).has(f"called {word}")}
        if not _is_named(path, said) and not titles & content_words(said):
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
