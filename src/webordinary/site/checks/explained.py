"""Whether a request explains what changed: words far from what was asked for wait for an ok.

A change is explained when it shares a word with the request, when only figures in it changed, which are held against
the request by themselves, or when the same words became others where it is explained. On a page that the request
speaks of, a few more may change with it; on other pages none. Equal changes on many pages are one, and so is a new part
of several paragraphs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from webordinary.languages import any_of
from webordinary.site.checks.neighbours import stems_of
from webordinary.site.checks.run import Finding, Problem
from webordinary.site.checks.terms import terms_of
from webordinary.site.facts.amounts import NUMBERS
from webordinary.site.read.elements import loosened
from webordinary.site.read.index import resolve
from webordinary.site.receipt.changes import PagePart, TextChange

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from webordinary.site.read.index import SiteIndex
    from webordinary.site.receipt.changes import PageChange, Receipt

_READ = frozenset({PagePart.TEXT, PagePart.TITLE, PagePart.DESCRIPTION, PagePart.PICTURE_TEXT, PagePart.OTHER})
_IN_ROWS = frozenset({PagePart.TEXT, PagePart.PICTURE_TEXT, PagePart.OTHER})
_ANY_WORD = re.compile(r"\w+")
# On a page that was asked about so much may change beside what was asked for.
_NEAR = 4
_MOST_TOLD = 4
_EVERYWHERE = re.compile(any_of(lambda each: each.site.everywhere))
_A_FEW_PAGES, _FEW = 3, 3
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class _Change:
    """What became what, wherever it did."""

    before: str
    after: str

    @property
    def core(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the words that differ, without those around them."""
        one, other = self.before.split(), self.after.split()
        while one and other and one[0] == other[0]:
            one, other = one[1:], other[1:]
        while one and other and one[-1] == other[-1]:
            one, other = one[:-1], other[:-1]
        return tuple(one), tuple(other)

    @property
    def stems(self) -> frozenset[str]:
        return stems_of(f"{self.before} {self.after}")

    def goes_with(self, pages: Collection[str]) -> bool:
        """Tell whether a text is gone that names a page which went: the words of a link to it."""
        return not self.after and not set(_ANY_WORD.findall(self.before.lower())).isdisjoint(pages)

    @property
    def is_of_figures(self) -> bool:
        return is_of_figures(self.before, self.after)


def is_of_figures(before: str, after: str) -> bool:
    """Tell whether nothing but numbers differs, in figures or in words."""
    return bool(before and after) and _without_figures(before) == _without_figures(after)


def topic_of(request: str, site: SiteIndex) -> frozenset[str]:
    """Return how the words begin that say what a request is about."""
    return _without_name(stems_of(request), site)


def find_unexplained(
    request: str, old: SiteIndex, new: SiteIndex, receipt: Receipt, *, most: int = 0, is_all_told: bool = True
) -> tuple[Finding, ...]:
    """Return what has nothing to do with the request, if it is more than `most` texts.

    Where not all of a change is told, this is: each text by itself, and none beside what was asked for goes unnamed.
    """
    if not request.strip() or _EVERYWHERE.search(request.lower()):
        return ()
    topic = topic_of(request, old)
    changes = _changes(receipt, is_all_told=is_all_told)
    added = {path: _Change("", _said_on(new, path)) for path in receipt.pages_added}
    for page in (path for path, change in added.items() if change.stems & topic):
        topic |= _without_name(stems_of(new.pages[page].title), old)
    gone = _asked_to_go(request, receipt)
    explained = {change for change in changes if change.is_of_figures or change.stems & topic or change.goes_with(gone)}
    cores = {change.core for change in explained}
    left = [change for change in changes if change not in explained and change.core not in cores]
    # What changed in every footer says nothing about which page is meant.
    meant = _meant(
        topic, old, receipt, {path for each in explained if len(changes[each]) <= _FEW for path in changes[each]}
    )
    if not explained and not meant and left:
        meant = {_most_changed(left, changes)}
    said = {stem for page in receipt.pages for words in page.words for stem in stems_of(words.after)} if left else set()
    far = [change for change in left if meant.isdisjoint(changes[change]) or _is_removed(change, said)]
    far += [change for change in added.values() if not change.stems & topic]
    far += _links_gone(topic, old, new, receipt)
    near = [change for change in left if change not in far]
    found = [*(far if len(far) > most else ()), *(near if len(near) > (most + _NEAR if is_all_told else 0) else ())]
    return tuple(
        Finding(Problem.UNEXPLAINED, f"{change.before or '-'} → {change.after or '-'}") for change in found[:_MOST_TOLD]
    )


def _asked_to_go(request: str, receipt: Receipt) -> set[str]:
    """Return the names of pages that went and that the request names."""
    said = set(_ANY_WORD.findall(request.lower()))
    return {name for path in receipt.pages_gone if (name := PurePosixPath(path).stem.lower()) in said}


def _without_figures(text: str) -> list[str]:
    """Return the words of a text, with the same sign for each number, in figures or not."""
    return ["0" if word.strip(".,;:!?") in NUMBERS else word for word in loosened(text).lower().split()]


def _is_removed(change: _Change, said: Collection[str]) -> bool:
    """Tell whether a text is gone, and not a part of another one now."""
    if change.after:
        return False
    return not change.stems or not change.stems <= set(said)


def _links_gone(topic: Collection[str], old: SiteIndex, new: SiteIndex, receipt: Receipt) -> Iterator[_Change]:
    """Find pages that a page leads to no longer, and that the request does not speak of."""
    found: dict[_Change, None] = {}
    for page in receipt.pages:
        for words in page.words:
            target = resolve(page.path, words.before) if words.place is PagePart.LINK and not words.after else None
            if target is None or target not in new.files or words.before in new.pages[page.path].links:
                continue
            title = old.pages[target].title if target in old.pages else ""
            if stems_of(f"{title} {target}").isdisjoint(topic):
                found[_Change(words.before, "")] = None
    yield from found


def _changes(receipt: Receipt, *, is_all_told: bool) -> dict[_Change, set[str]]:
    """Return what changed, each once, with its pages."""
    found = defaultdict[_Change, set[str]](set)
    # What a new page says is judged as a whole.
    beside = (page for page in receipt.beside if page.path not in receipt.pages_added)
    for page in (*receipt.pages, *beside):
        for change in _of_page(page, is_all_told=is_all_told):
            found[change].add(page.path)
    return dict(found)


def _of_page(page: PageChange, *, is_all_told: bool) -> Iterator[_Change]:
    read = (words for words in page.words if words.place in _READ)
    for is_one, group in groupby(read, key=_side):
        each = list(group)
        if is_one and is_all_told:
            yield _Change(
                " ".join(words.before for words in each).strip(), " ".join(words.after for words in each).strip()
            )
        else:
            yield from (_Change(words.before, words.after) for words in each)


def _side(words: TextChange) -> str:
    """Return whether a text came or went: those that did so one behind the other are a part of the page."""
    if words.place not in _IN_ROWS or (words.before and words.after):
        return ""
    return f"{words.place} {'come' if words.after else 'gone'}"


def _said_on(site: SiteIndex, path: str) -> str:
    page = site.pages[path]
    return " ".join((page.title or path, *page.texts))[:_LONGEST]


def _without_name(stems: frozenset[str], site: SiteIndex) -> frozenset[str]:
    """Leave out what most titles have in common: it says nothing about one page."""
    if len(site.pages) < _A_FEW_PAGES:
        return stems
    return frozenset(stem for stem in stems if terms_of(site).count(f"title {stem}") * 2 <= len(site.pages))


def _meant(topic: Collection[str], old: SiteIndex, receipt: Receipt, explained: Iterable[str]) -> set[str]:
    """Return the pages that the request speaks of, by their names or by what changed on them."""
    named = {page.path for page in receipt.pages if not stems_of(_called(page, old)).isdisjoint(topic)}
    return named | set(explained)


def _called(page: PageChange, old: SiteIndex) -> str:
    return f"{old.pages[page.path].title} {page.path.removesuffix('.html')}"


def _most_changed(left: Iterable[_Change], changes: dict[_Change, set[str]]) -> str:
    counts = Counter(path for change in left for path in changes[change])
    return min(counts, key=lambda path: (-counts[path], path != "index.html", path.count("/"), path))
