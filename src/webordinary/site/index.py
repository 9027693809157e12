"""The index of a built site: its pages, a mark of every file's content, and what must never be public."""

from __future__ import annotations

import hashlib
import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import msgspec

from webordinary.site.leaks import Leak, find_leaks
from webordinary.site.page import Page, read_page
from webordinary.site.programs import find_programs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PAGES = (".html", ".htm", ".xhtml")
_LARGEST_PAGE = 2_000_000
_MOST_PAGES = 5_000
# Kept with each index: one that an older version has written is made anew.
_VERSION = 3


@dataclass(frozen=True, slots=True)
class SiteIndex:
    """A built site: its pages by their paths, each file's digest, and the marks of what must never be public."""

    pages: dict[str, Page] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    leaks: dict[str, Leak] = field(default_factory=dict)
    # Where links lead, and the marks of programs in pages with a page that holds them.
    links: dict[str, str] = field(default_factory=dict)
    programs: dict[str, str] = field(default_factory=dict)
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


def index_site(built: Path) -> SiteIndex:
    """Read a built site; a link in it is not followed."""
    index = SiteIndex(version=_VERSION)
    for path in _files(built):
        name = path.relative_to(built).as_posix()
        if path.is_symlink():
            index.links[name] = str(path.readlink())
            continue
        content = path.read_bytes()
        index.files[name] = hashlib.sha256(content).hexdigest()
        index.leaks.update((leak.mark, leak) for leak in find_leaks(name, content))
        index.programs.update((mark, name) for mark in find_programs(name, content))
        is_page = name.lower().endswith(_PAGES) and len(content) <= _LARGEST_PAGE and len(index.pages) < _MOST_PAGES
        if is_page:
            index.pages[name] = read_page(content.decode(errors="replace"))
    return index


def _files(built: Path) -> Iterator[Path]:
    for path in sorted(built.rglob("*")):
        if path.is_symlink() or path.is_file():
            yield path


def write_index(index: SiteIndex) -> bytes:
    return msgspec.json.encode(index)


def read_index(text: bytes) -> SiteIndex:
    index = msgspec.json.decode(text, type=SiteIndex)
    if index.version != _VERSION:
        raise msgspec.ValidationError(f"an index of version {index.version}; this is version {_VERSION}")
    return index
