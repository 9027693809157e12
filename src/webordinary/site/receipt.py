"""The receipt: what visibly changed between two builds, taken from the pages and not from what an agent says."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from webordinary.site.index import Page, SiteIndex, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PICTURES = (".avif", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp")
# Names that a build makes from the content: the same file under another name is the same file.
_HASHED = re.compile(r"[._-][0-9A-Za-z_-]*\d[0-9A-Za-z_-]{5,}(?=\.[a-z0-9]+$)")
_LONGEST_PAGE = 4_000
_NOTHING = Page()


@dataclass(frozen=True, slots=True)
class Words:
    """One place of a page: how it read and how it reads now; empty where there was or is nothing."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PageChange:
    """What changed on one page."""

    path: str
    title: str
    words: tuple[Words, ...] = ()
    pictures_added: tuple[str, ...] = ()
    pictures_gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a visitor would notice."""

    pages: tuple[PageChange, ...] = ()
    pages_added: tuple[str, ...] = ()
    pages_gone: tuple[str, ...] = ()
    # Pictures, styles and documents whose content changed under the same name.
    files_changed: tuple[str, ...] = ()
    files_added: tuple[str, ...] = ()
    files_gone: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return self == _EMPTY

    def texts_before(self) -> Iterator[str]:
        return (words.before for page in self.pages for words in page.words)

    def texts_after(self) -> Iterator[str]:
        return (words.after for page in self.pages for words in page.words)


_EMPTY = Receipt()


def take_receipt(old: SiteIndex, new: SiteIndex, noise: Receipt | None = None) -> Receipt:
    """Compare two builds; `noise` is what differs between two builds of the same commit."""
    both = sorted(old.pages.keys() & new.pages.keys())
    changes = [change for path in both if (change := _page_change(path, old, new)) is not None]
    receipt = Receipt(
        tuple(changes),
        tuple(sorted(new.pages.keys() - old.pages.keys())),
        tuple(sorted(old.pages.keys() - new.pages.keys())),
        tuple(_changed_files(old, new)),
        tuple(sorted(_by_plain_name(new).keys() - _by_plain_name(old).keys())),
        tuple(sorted(_by_plain_name(old).keys() - _by_plain_name(new).keys())),
    )
    return without_noise(receipt, noise) if noise is not None else receipt


def _page_change(path: str, old: SiteIndex, new: SiteIndex) -> PageChange | None:
    before, after = old.pages[path], new.pages[path]
    shown_before, shown_after = _pictures(path, before, old), _pictures(path, after, new)
    change = PageChange(
        path,
        after.title or before.title,
        tuple(_words((before.title, *before.texts), (after.title, *after.texts))),
        tuple(name for mark, name in shown_after.items() if mark not in shown_before),
        tuple(name for mark, name in shown_before.items() if mark not in shown_after),
    )
    return change if change.words or change.pictures_added or change.pictures_gone else None


def _words(before: Sequence[str], after: Sequence[str]) -> Iterator[Words]:
    if before == after:
        return
    matcher = SequenceMatcher(None, before[:_LONGEST_PAGE], after[:_LONGEST_PAGE], autojunk=False)
    for kind, from_a, to_a, from_b, to_b in matcher.get_opcodes():
        if kind != "equal":
            yield from _pairs(before[from_a:to_a], after[from_b:to_b])
    if before[_LONGEST_PAGE:] != after[_LONGEST_PAGE:]:
        yield Words(" ".join(before[_LONGEST_PAGE:])[:200], " ".join(after[_LONGEST_PAGE:])[:200])


def _pairs(gone: Sequence[str], come: Sequence[str]) -> Iterator[Words]:
    """Put what is gone beside what came in its place, in order; what is left over stands alone."""
    shared = min(len(gone), len(come))
    for before, after in zip(gone[:shared], come[:shared], strict=True):
        yield Words(before, after)
    for before in gone[shared:]:
        yield Words(before, "")
    for after in come[shared:]:
        yield Words("", after)


def _pictures(path: str, page: Page, site: SiteIndex) -> dict[str, str]:
    """Return the pictures that a page shows by the mark of their content, or by their address if they lie elsewhere."""
    found = {}
    for source in page.pictures:
        place = resolve(path, source)
        mark = site.files.get(place or "", source)
        found[mark] = place or source
    return found


def _changed_files(old: SiteIndex, new: SiteIndex) -> Iterator[str]:
    """Return files that look otherwise now; pages speak for themselves, and renamed ones are the same."""
    had, has = _by_plain_name(old), _by_plain_name(new)
    for name in sorted(had.keys() & has.keys()):
        if had[name] != has[name]:
            yield name


def _by_plain_name(site: SiteIndex) -> dict[str, str]:
    return {_HASHED.sub("", path): mark for path, mark in site.files.items() if path not in site.pages}


def without_noise(receipt: Receipt, noise: Receipt) -> Receipt:
    """Leave out what two builds of the same commit differ in: the date of the build, a random number."""
    noisy = {page.path: page for page in noise.pages}
    pages = []
    for page in receipt.pages:
        other = noisy.get(page.path)
        words = tuple(each for each in page.words if other is None or not _is_noise(each, other))
        if words or page.pictures_added or page.pictures_gone:
            pages.append(PageChange(page.path, page.title, words, page.pictures_added, page.pictures_gone))
    files = tuple(path for path in receipt.files_changed if path not in noise.files_changed)
    return replace(receipt, pages=tuple(pages), files_changed=files)


def _is_noise(words: Words, noise: PageChange) -> bool:
    return any(words.before == each.before for each in noise.words)


def is_picture(path: str) -> bool:
    return path.lower().endswith(_PICTURES)
