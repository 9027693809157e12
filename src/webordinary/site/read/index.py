"""The index of a built site: its pages, a mark of every file's content, and what must never be public."""

from __future__ import annotations

import hashlib
import os
import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import msgspec

from webordinary.site.read.assets import LARGEST, is_asset, read_asset
from webordinary.site.read.leaks import Leak, Search, is_text
from webordinary.site.read.page import Page  # noqa: TC001 - kept indexes are read by it
from webordinary.site.read.page_reader import read_page
from webordinary.site.read.programs import find_programs, is_read_by_servers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_PAGES = (".html", ".htm", ".xhtml")
_LARGEST_PAGE = 2_000_000
_LARGEST_TEXT = 20_000_000
_MOST_PAGES = 5_000
# About the memory that all pages of a site may take, and that one of their texts takes besides its letters.
_ROOM, _EACH = 200_000_000, 64
_PART = 1 << 20
# Kept with each index: one that an older version has written is made anew.
_VERSION = 6


@dataclass(frozen=True, slots=True)
class SiteIndex:
    """A built site: its pages by their paths, each file's digest, and the marks of what must never be public.

    `unread` are the files that are too large, too many or too broken to be checked.
    """

    pages: dict[str, Page] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    leaks: dict[str, Leak] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    # Where links lead, and the marks of programs in pages with a page that holds them.
    links: dict[str, str] = field(default_factory=dict)
    programs: dict[str, str] = field(default_factory=dict)
    # What its styles and programs show and do.
    assets: dict[str, Page] = field(default_factory=dict)
    version: int = 0

    def broken_links(self) -> dict[str, tuple[str, ...]]:
        """Return for each page the links, and the pictures, for which there is nothing in the site."""
        found = {
            path: tuple(link for link in (*page.links, *page.pictures) if not self._leads(path, link))
            for path, page in self.pages.items()
        }
        return {path: links for path, links in found.items() if links}

    def _leads(self, page: str, link: str) -> bool:
        target = resolve(page, link)
        if target is None or target in self.files:
            return True
        folder = f"{target}/" if target else ""
        return any(each in self.files for each in (f"{folder}index.html", f"{target}.html", f"{folder}index.htm"))


def resolve(page: str, link: str) -> str | None:
    """Return the path in the site that a link on a page means; None when it leads elsewhere, or to the page itself."""
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return None
    if parts.scheme or parts.netloc or not parts.path:
        return None
    path = unquote(parts.path)
    base = "/" if path.startswith("/") else posixpath.dirname(f"/{page}") + "/"
    return posixpath.normpath(posixpath.join(base, path)).strip("/")


def index_site(built: Path, check: Callable[[], None] = lambda: None, *, room: int = _ROOM) -> SiteIndex:
    """Read a built site, part by part; a link in it is not followed. `check` may raise between two parts."""
    index = SiteIndex(version=_VERSION)
    for name in _files(built):
        if (built / name).is_symlink():
            index.links[name] = str((built / name).readlink())
            continue
        reading = _Reading(name, is_page=len(index.pages) < _MOST_PAGES and room > 0)
        reading.read(built / name, check)
        index.files[name] = reading.digest.hexdigest()
        index.leaks.update(reading.search.leaks)
        index.programs.update((mark, name) for mark in reading.programs)
        if reading.page is not None:
            index.pages[name] = reading.page
            room -= _weight(reading.page)
        if reading.asset is not None:
            index.assets[name] = reading.asset
        if reading.is_too_much:
            index.unread.append(name)
    return index


class _Reading:
    """One file, of which no more is in memory than a part of it, or what a server could run as a program."""

    def __init__(self, name: str, *, is_page: bool) -> None:
        self.digest = hashlib.sha256()
        self.search = Search(name)
        self.page: Page | None = None
        self.asset: Page | None = None
        self.programs: tuple[str, ...] = ()
        self.is_too_much = False
        self._name = name
        self._is_text = is_text(name)
        self._is_page = name.lower().endswith(_PAGES)
        self._may_be_page = self._is_page and is_page

    def read(self, path: Path, check: Callable[[], None]) -> None:
        with path.open("rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            self.is_too_much = self._is_text and size > _LARGEST_TEXT
            is_page = self._may_be_page and size <= _LARGEST_PAGE
            is_read = is_asset(self._name) and size <= LARGEST
            is_whole = is_page or is_read or (is_read_by_servers(self._name) and not self.is_too_much)
            content = bytearray()
            while part := file.read(_PART):
                check()
                self.digest.update(part)
                if self._is_text and not self.is_too_much:
                    self.search.add(part)
                if is_whole:
                    content += part
            self.search.add(b"", is_last=True)
        if is_whole:
            self.programs = tuple(find_programs(self._name, bytes(content)))
        if is_read:
            self.asset = read_asset(self._name, bytes(content))
        if is_page:
            page = read_page(bytes(content))
            self.page = None if page.is_broken else page
        self.is_too_much = self.is_too_much or self.search.is_full or (self._is_page and self.page is None)


def _weight(page: Page) -> int:
    texts = (*page.words, *page.pictures, *page.links, *page.data, *page.deeds, *page.styles, page.look)
    return sum(map(len, texts)) + _EACH * len(texts)


def _files(built: Path) -> Iterator[str]:
    """Yield the names of all files, in their order."""
    waiting = [""]
    while waiting:
        above = waiting.pop()
        with os.scandir(built / above) as entries:
            found = sorted(entries, key=lambda entry: entry.name, reverse=True)
        # From the end: what waits is taken from there.
        waiting += [f"{above}{entry.name}/" for entry in found if entry.is_dir(follow_symlinks=False)]
        yield from (f"{above}{entry.name}" for entry in reversed(found) if _is_looked_at(entry))


def _is_looked_at(entry: os.DirEntry[str]) -> bool:
    return entry.is_symlink() or entry.is_file(follow_symlinks=False)


def write_index(index: SiteIndex) -> bytes:
    return msgspec.json.encode(index)


def read_index(text: bytes) -> SiteIndex:
    index = msgspec.json.decode(text, type=SiteIndex)
    if index.version != _VERSION:
        raise msgspec.ValidationError(f"an index of version {index.version}; this is version {_VERSION}")
    return index
