"""The receipt: what changed between two builds for visitors, taken from the pages and not from what an agent says.

A file that a build has given another name because its content changed is the same file all the same: only files that
builds name so, such as styles and pictures, and only where exactly one of a name went and one came in the same folder.
What a person has called otherwise is another file, and hosts and links to elsewhere are never touched.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.site.read.elements import Page, loosened
from webordinary.site.read.index import SiteIndex, resolve
from webordinary.site.read.looks import Look, find_otherwise, pairs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence


_NAMED_BY_BUILDS = frozenset({
    "css", "js", "mjs", "map", "json", "wasm", "woff", "woff2", "ttf", "otf", "avif", "gif", "jpeg", "jpg", "png",
    "svg", "webp", "ico",
})  # fmt: skip
_MARKED = re.compile(r"(?P<stem>.*?)[._-](?P<mark>[0-9A-Za-z_-]{6,64})(?P<endings>(?:\.[a-z0-9]{1,12}){1,3})")
_DATE = re.compile(r"(?:19|20)\d\d(?:[-_]?\d\d){0,2}|\d{1,2}[-_]\d{1,2}[-_]\d{2,4}")
_INTEGRITY = re.compile(r" integrity=\S+")


@dataclass(frozen=True, slots=True)
class Renamed:
    """Which files of two builds are the same: the plain name for each of their names, and whose content changed."""

    names: dict[str, str]
    changed: frozenset[str]

    def plain(self, site: SiteIndex) -> dict[str, str]:
        """Return the marks of a site's files by their plain names; pages keep their own."""
        return {self.names.get(path, path): mark for path, mark in site.files.items()}

    def links(self, page: str, links: Sequence[str], site: SiteIndex) -> Sequence[str]:
        """Return links with the plain names of what is the same file with the same content."""
        if not self.names:
            return links
        return [self._plain(page, link, site, self.changed) for link in links]

    def deeds(self, page: str, deeds: Sequence[str], site: SiteIndex) -> Sequence[str]:
        """Return what a page does with the plain names of its own files; how they changed is told with the files."""
        return [self._plain_deed(page, deed, site) for deed in deeds]

    def _plain_deed(self, page: str, deed: str, site: SiteIndex) -> str:
        kind, _, rest = deed.partition(" ")
        target, space, more = rest.partition(" ")
        place = resolve(page, target)
        if place is None or place not in site.files:
            return deed
        name = self.names.get(place, place)
        if name in self.changed:
            more = _INTEGRITY.sub("", f" {more}").strip()
        return f"{kind} {name if place in self.names else target}{space}{more}".rstrip()

    def _plain(self, page: str, link: str, site: SiteIndex, changed: Iterable[str]) -> str:
        place = resolve(page, link)
        name = self.names.get(place or "")
        return link if name is None or place not in site.files or name in changed else name


def find_renamed(old: SiteIndex, new: SiteIndex) -> Renamed:
    """Find the files that only the build calls otherwise."""
    gone = _by_plain_name(path for path in old.files if path not in new.files)
    come = _by_plain_name(path for path in new.files if path not in old.files)
    names: dict[str, str] = {}
    changed = {path for path, mark in old.files.items() if new.files.get(path, mark) != mark}
    for name in gone.keys() & come.keys():
        for was, is_now in _same(gone[name], come[name], old, new):
            plain = name if len(gone[name]) == len(come[name]) == 1 else is_now
            names |= {was: plain, is_now: plain}
            if old.files[was] != new.files[is_now]:
                changed.add(plain)
    return Renamed(names, frozenset(changed))


def _same(gone: list[str], come: list[str], old: SiteIndex, new: SiteIndex) -> list[tuple[str, str]]:
    if len(gone) == len(come) == 1:
        return [(gone[0], come[0])] if len(gone[0]) == len(come[0]) else []
    # Several of one name: only the same content tells which is which.
    by_mark = {new.files[path]: path for path in come}
    return [(path, by_mark[old.files[path]]) for path in gone if old.files[path] in by_mark]


def _by_plain_name(paths: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in paths:
        if (name := plain_name(path)) is not None:
            found.setdefault(name, []).append(path)
    return found


def plain_name(path: str) -> str | None:
    """Return a file's name without what a build made of its content; None when no build has made it."""
    folder, name = posixpath.split(path)
    found = _MARKED.fullmatch(name)
    if found is None or found["endings"].rpartition(".")[2] not in _NAMED_BY_BUILDS or not _is_mark(found["mark"]):
        return None
    return posixpath.join(folder, f"{found['stem']}{found['endings']}")


def _is_mark(text: str) -> bool:
    """Tell whether this is no word and no date, but what programs make of a content."""
    if _DATE.match(text):
        return False
    has_figure = any(letter.isdigit() for letter in text)
    is_mixed = text.lower() != text != text.upper() and not text.istitle()
    return (has_figure and not text.isdigit()) or is_mixed or (text.isdigit() and len(text) > len("20261116"))


_MARKS = re.compile(r" #\w+\.(\w+)\.\w+$")
_TOLD_TOGETHER = 500
_PICTURES = (".avif", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp")


class PagePart(StrEnum):
    """Where on a page something changed; only texts are seen by everybody."""

    TEXT = "text"
    TITLE = "title"
    DESCRIPTION = "description"
    PICTURE_TEXT = "picture_text"
    LINK = "link"
    DATA = "data"
    # Words outside of the texts: hints in fields, choices, what is read aloud.
    OTHER = "other"
    # What the page does: its programs, frames, forms and styles.
    DEED = "deed"


@dataclass(frozen=True, slots=True)
class TextChange:
    """One place of a page: how it read and how it reads now; empty where there was or is nothing."""

    before: str
    after: str
    place: PagePart = PagePart.TEXT


@dataclass(frozen=True, slots=True)
class PageChange:
    """What changed on one page."""

    path: str
    title: str
    words: tuple[TextChange, ...] = ()
    pictures_added: tuple[str, ...] = ()
    pictures_gone: tuple[str, ...] = ()
    # Something else is different too: how it looks, or how it is made.
    look_changed: bool = False
    # In which attributes of which elements.
    looks: tuple[str, ...] = field(default=(), compare=False)

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
    # What new pages say that stood nowhere before, and what styles and programs of the site do otherwise.
    beside: tuple[PageChange, ...] = ()

    @property
    def is_empty(self) -> bool:
        return self == _EMPTY


_EMPTY = Receipt()


def take_receipt(old: SiteIndex, new: SiteIndex, noise: Receipt | None = None) -> Receipt:
    """Compare two builds; `noise` is what differs between two builds of the same commit."""
    receipt = compare(old, new, noise)
    return receipt if noise is None else without_noise(receipt, noise, old)


def compare(old: SiteIndex, new: SiteIndex, noise: Receipt | None = None) -> Receipt:
    """Return every difference."""
    renamed = find_renamed(old, new)
    made_anew = {page.path: page.looks for page in noise.pages} if noise else {}
    looked_at = (path for path in _pages_to_compare(old, new) if path in old.pages and path in new.pages)
    changes = (_Comparison(path, old, new, renamed, made_anew.get(path, ())).change() for path in looked_at)
    had, has = renamed.plain(old), renamed.plain(new)
    return Receipt(
        tuple(change for change in changes if change is not None),
        tuple(_not_in(old, new)),
        tuple(_not_in(new, old)),
        tuple(
            sorted(name for name in had.keys() & has.keys() if had[name] != has[name] and not _is_page(name, old, new))
        ),
        tuple(sorted(name for name in has.keys() - had.keys() if name not in new.pages)),
        tuple(sorted(name for name in had.keys() - has.keys() if name not in old.pages)),
        (*_new_pages(old, new), *_assets(old, new, renamed)),
    )


def _pages_to_compare(old: SiteIndex, new: SiteIndex) -> list[str]:
    """Return the pages of which something may be different: they themselves, or a picture that they show."""
    changed = {path for path in new.pages if not new.is_same(path, old)}
    files = old.files.keys() | new.files.keys()
    others = {path for path in files if old.files.get(path) != new.files.get(path)} - changed
    for path in others:
        changed.update(old.pages_with_picture(path))
    return sorted(changed)


def _is_page(name: str, old: SiteIndex, new: SiteIndex) -> bool:
    return name in old.pages and name in new.pages


def _not_in(site: SiteIndex, other: SiteIndex) -> list[str]:
    """Return the pages of the other site that are no files of this one."""
    return sorted(path for path in other.files.keys() - site.files.keys() if path in other.pages)


def _new_pages(old: SiteIndex, new: SiteIndex) -> Iterator[PageChange]:
    for path in _not_in(old, new):
        page = new.pages[path]
        texts = [text for text in (*page.texts, *page.alts, *page.others) if not old.says(text)]
        if texts:
            yield PageChange(path, page.title, tuple(TextChange("", text) for text in _joined(texts)))


def _joined(texts: Sequence[str]) -> Iterator[str]:
    """Put texts together to some that can be told."""
    now = ""
    for text in texts:
        if now and len(now) + len(text) > _TOLD_TOGETHER:
            yield now
            now = ""
        now = f"{now} · {text}" if now else text
    yield now


def _assets(old: SiteIndex, new: SiteIndex, renamed: Renamed) -> Iterator[PageChange]:
    """Compare the styles and programs of the site; new ones are held against nothing."""
    was = {renamed.names.get(path, path): page for path, page in old.assets.items()}
    for path, page in sorted(new.assets.items()):
        name = renamed.names.get(path, path)
        before = was.get(name, Page())
        change = _Comparison(path, old, new, renamed).between(before, page)
        if before != page and change is not None:
            yield replace(change, path=name, title="")


@dataclass(frozen=True, slots=True)
class _Comparison:
    """One page as it was and as it is."""

    path: str
    old: SiteIndex
    new: SiteIndex
    renamed: Renamed
    noise: tuple[str, ...] = ()

    def change(self) -> PageChange | None:
        before, after = self.old.pages[self.path], self.new.pages[self.path]
        if before == after and not self._has_other_files(before):
            return None
        return self.between(before, after)

    def between(self, before: Page, after: Page) -> PageChange | None:
        texts = list(pairs(before.texts, after.texts))
        added, gone, is_reordered = self._pictures(before, after)
        looks = self._looks(before, after, texts, has_pictures=(bool(added), bool(gone)))
        looks += ["pictures"] if is_reordered else []
        words = (
            *_at(PagePart.TITLE, [before.title], [after.title]),
            *_told(before.texts, after.texts, texts, PagePart.TEXT),
        )
        words += tuple(self._rest(before, after))
        title = after.title or before.title
        change = PageChange(self.path, title, words, added, gone, look_changed=bool(looks), looks=tuple(looks))
        return None if change.is_empty else change

    def _has_other_files(self, page: Page) -> bool:
        return any(self._mark(self.old, source) != self._mark(self.new, source) for source in page.pictures)

    def _rest(self, before: Page, after: Page) -> Iterator[TextChange]:
        yield from _at(PagePart.DESCRIPTION, [before.description], [after.description])
        yield from _at(PagePart.PICTURE_TEXT, before.alts, after.alts)
        yield from _at(PagePart.OTHER, before.others, after.others)
        yield from _at(PagePart.LINK, self._plain(self.old, before.links), self._plain(self.new, after.links))
        yield from _at(PagePart.DATA, before.data, after.data)
        deeds = [self.renamed.deeds(self.path, page.deeds, site) for page, site in self._sides(before, after)]
        yield from _at(PagePart.DEED, *deeds)

    def _sides(self, before: Page, after: Page) -> tuple[tuple[Page, SiteIndex], tuple[Page, SiteIndex]]:
        return (before, self.old), (after, self.new)

    def _plain(self, site: SiteIndex, links: Sequence[str]) -> Sequence[str]:
        return self.renamed.links(self.path, links, site)

    def _looks(
        self,
        before: Page,
        after: Page,
        texts: Sequence[tuple[int | None, int | None]],
        *,
        has_pictures: tuple[bool, bool],
    ) -> list[str]:
        if (before.look, before.styles) == (after.look, after.styles):
            return []
        looks = Look(before, self.noise), Look(after, self.noise)
        return [key for key in find_otherwise(*looks, texts, has_pictures=has_pictures) if key not in self.noise]

    def _pictures(self, before: Page, after: Page) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
        """Return which pictures came and went, by their content, and whether the others are in another order."""
        was = [(self._mark(self.old, source), source) for source in before.pictures]
        is_now = [(self._mark(self.new, source), source) for source in after.pictures]
        had, has = ({mark for mark, _ in marks} for marks in (was, is_now))
        stayed = [[mark for mark, _ in marks if mark in had & has] for marks in (was, is_now)]
        added = (resolve(self.path, source) or source for mark, source in is_now if mark not in had)
        gone = (resolve(self.path, source) or source for mark, source in was if mark not in has)
        return tuple(dict.fromkeys(added)), tuple(dict.fromkeys(gone)), stayed[0] != stayed[1]

    def _mark(self, site: SiteIndex, source: str) -> str:
        """Name a picture by its content, or by its address if it lies elsewhere."""
        return site.files.get(resolve(self.path, source) or "", source)


def _at(place: PagePart, before: Sequence[str], after: Sequence[str]) -> Iterator[TextChange]:
    return _told(before, after, pairs(before, after), place) if before != after else iter(())


def _told(
    before: Sequence[str],
    after: Sequence[str],
    found: Iterator[tuple[int | None, int | None]] | list[tuple[int | None, int | None]],
    place: PagePart,
) -> Iterator[TextChange]:
    for one, other in found:
        words = TextChange("" if one is None else before[one], "" if other is None else after[other], place)
        if words.before != words.after:
            yield words


def without_noise(receipt: Receipt, noise: Receipt, old: SiteIndex) -> Receipt:
    """Leave out what two builds of the same commit differ in: the date of the build, a random number."""
    noisy = {page.path: page for page in noise.pages}
    known = {words.after for page in noise.pages for words in page.words}
    pages = []
    for page in receipt.pages:
        other = noisy.get(page.path)
        left = page if other is None else _without(page, other, known.union(old.pages[page.path].words))
        if not left.is_empty:
            pages.append(left)
    beside = {page.path for page in noise.beside}
    made_anew = frozenset(noise.files_changed)
    files = tuple(path for path in receipt.files_changed if path not in made_anew)
    rest = tuple(page for page in receipt.beside if page.path not in beside)
    return replace(receipt, pages=tuple(pages), files_changed=files, beside=rest)


def _without(page: PageChange, noise: PageChange, known: Collection[str]) -> PageChange:
    places = Counter((each.before, each.place) for each in noise.words)
    words = tuple(each for each in page.words if not _is_noise(each, places, known))
    # Pictures that every build names anew are the same on both sides.
    added = tuple(name for name in page.pictures_added if name not in noise.pictures_added)
    gone = tuple(name for name in page.pictures_gone if name not in noise.pictures_gone)
    return replace(page, words=words, pictures_added=added, pictures_gone=gone)


def _is_noise(words: TextChange, places: Collection[tuple[str, PagePart]], known: Collection[str]) -> bool:
    """Tell whether a build made this anew: at a place where it does so, and nothing that nobody has seen there."""
    if (words.before, words.place) not in places:
        return False
    return not words.after or words.after in known or _loose(words.before) == _loose(words.after)


def _loose(text: str) -> str:
    """Return what is left of a text without its figures; of a program its second mark, which was made without them."""
    marks = _MARKS.search(text)
    return marks[1] if marks else loosened(text)


def plain_deed(deed: str) -> str:
    """Return what a page does as a person may read it: of the marks of a program the beginning."""
    return _MARKS.sub(lambda found: f" ({found[0][2:6]})", deed)


def is_picture(path: str) -> bool:
    return path.lower().endswith(_PICTURES)
