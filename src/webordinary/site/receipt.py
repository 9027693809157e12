"""The receipt: what changed between two builds for visitors, taken from the pages and not from what an agent says."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.site.index import SiteIndex, resolve
from webordinary.site.page import Page, plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PICTURES = (".avif", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp")
_LONGEST_PAGE = 4_000
# How many pairs of the same text two pages may have: putting them in order takes longer than their number.
_MOST_PAIRS = 200_000


class Place(StrEnum):
    """Where on a page something changed; only texts are seen by everybody."""

    TEXT = "text"
    TITLE = "title"
    DESCRIPTION = "description"
    PICTURE_TEXT = "picture_text"
    LINK = "link"
    DATA = "data"


@dataclass(frozen=True, slots=True)
class Words:
    """One place of a page: how it read and how it reads now; empty where there was or is nothing."""

    before: str
    after: str
    place: Place = Place.TEXT


@dataclass(frozen=True, slots=True)
class PageChange:
    """What changed on one page."""

    path: str
    title: str
    words: tuple[Words, ...] = ()
    pictures_added: tuple[str, ...] = ()
    pictures_gone: tuple[str, ...] = ()
    # Something else is different; in a receipt only where nothing of what is told above is.
    look_changed: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.words or self.pictures_added or self.pictures_gone or self.look_changed)


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


_EMPTY = Receipt()


def take_receipt(old: SiteIndex, new: SiteIndex, noise: Receipt | None = None) -> Receipt:
    """Compare two builds; `noise` is what differs between two builds of the same commit."""
    receipt = compare(old, new)
    receipt = receipt if noise is None else without_noise(receipt, noise)
    return replace(receipt, pages=tuple(_said_once(page) for page in receipt.pages))


def compare(old: SiteIndex, new: SiteIndex) -> Receipt:
    """Return every difference, also those that follow from others."""
    both = sorted(old.pages.keys() & new.pages.keys())
    changes = [change for path in both if (change := _page_change(path, old, new)) is not None]
    return Receipt(
        tuple(changes),
        tuple(sorted(new.pages.keys() - old.pages.keys())),
        tuple(sorted(old.pages.keys() - new.pages.keys())),
        tuple(_changed_files(old, new)),
        tuple(sorted(_by_plain_name(new).keys() - _by_plain_name(old).keys())),
        tuple(sorted(_by_plain_name(old).keys() - _by_plain_name(new).keys())),
    )


def _said_once(page: PageChange) -> PageChange:
    """Leave out that the page looks otherwise where it is said how."""
    return replace(page, look_changed=False) if not replace(page, look_changed=False).is_empty else page


def _page_change(path: str, old: SiteIndex, new: SiteIndex) -> PageChange | None:
    before, after = old.pages[path], new.pages[path]
    shown_before, shown_after = _pictures(path, before, old), _pictures(path, after, new)
    change = PageChange(
        path,
        after.title or before.title,
        tuple(_all_words(before, after)),
        tuple(name for mark, name in shown_after.items() if mark not in shown_before),
        tuple(name for mark, name in shown_before.items() if mark not in shown_after),
        look_changed=before.look != after.look,
    )
    return None if change.is_empty else change


def _all_words(before: Page, after: Page) -> Iterator[Words]:
    texts = list(_words(before.texts, after.texts))
    yield from _at(Place.TITLE, [before.title], [after.title])
    yield from texts
    yield from _at(Place.DESCRIPTION, [before.description], [after.description])
    yield from _at(Place.PICTURE_TEXT, before.alts, after.alts)
    links = _at(Place.LINK, [plain_name(link) for link in before.links], [plain_name(link) for link in after.links])
    # Whoever adds a line with a link into the site has added one thing, not two.
    came_with_text = any(not words.before or not words.after for words in texts)
    yield from (words for words in links if not came_with_text or _leads_out(words) or (words.before and words.after))
    yield from _at(Place.DATA, before.data, after.data)


def _at(place: Place, before: Sequence[str], after: Sequence[str]) -> Iterator[Words]:
    return (replace(words, place=place) for words in _words(before, after) if words.before != words.after)


def _leads_out(words: Words) -> bool:
    return ":" in (words.before or words.after).partition("/")[0] or (words.before or words.after).startswith("//")


def _words(before: Sequence[str], after: Sequence[str]) -> Iterator[Words]:
    if before == after:
        return
    for gone, come in _differences(before[:_LONGEST_PAGE], after[:_LONGEST_PAGE]):
        yield from _pairs(gone, come)
    if before[_LONGEST_PAGE:] != after[_LONGEST_PAGE:]:
        yield Words(" ".join(before[_LONGEST_PAGE:])[:200], " ".join(after[_LONGEST_PAGE:])[:200])


def _differences(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield what is gone and what came in its place; texts that repeat themselves too often are not put in order."""
    counts = Counter(after)
    if sum(counts[text] for text in before) > _MOST_PAIRS:
        first = _alike(before, after)
        last = _alike(before[first:][::-1], after[first:][::-1])
        yield before[first : len(before) - last], after[first : len(after) - last]
        return
    for kind, from_a, to_a, from_b, to_b in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield before[from_a:to_a], after[from_b:to_b]


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many of the first texts are the same."""
    shared = min(len(one), len(other))
    return next((place for place in range(shared) if one[place] != other[place]), shared)


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
    return {plain_name(path): mark for path, mark in site.files.items() if path not in site.pages}


def without_noise(receipt: Receipt, noise: Receipt) -> Receipt:
    """Leave out what two builds of the same commit differ in: the date of the build, a random number."""
    noisy = {page.path: page for page in noise.pages}
    pages = []
    for page in receipt.pages:
        other = noisy.get(page.path)
        left = page if other is None else _without(page, other)
        if not left.is_empty:
            pages.append(left)
    made_anew = frozenset(noise.files_changed)
    files = tuple(path for path in receipt.files_changed if path not in made_anew)
    return replace(receipt, pages=tuple(pages), files_changed=files)


def _without(page: PageChange, noise: PageChange) -> PageChange:
    known = frozenset((each.before, each.place) for each in noise.words)
    words = tuple(each for each in page.words if (each.before, each.place) not in known)
    # Pictures that every build names anew are the same on both sides.
    added = tuple(name for name in page.pictures_added if name not in noise.pictures_added)
    gone = tuple(name for name in page.pictures_gone if name not in noise.pictures_gone)
    look = page.look_changed and not noise.look_changed
    return replace(page, words=words, pictures_added=added, pictures_gone=gone, look_changed=look)


def is_picture(path: str) -> bool:
    return path.lower().endswith(_PICTURES)
