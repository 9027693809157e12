"""The index of a built site: what a visitor sees on each page, and a mark of every file's content."""

from __future__ import annotations

import hashlib
import posixpath
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PAGES = (".html", ".htm", ".xhtml")
_LARGEST_PAGE = 2_000_000
_MOST_PAGES = 5_000
_UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "svg", "math", "iframe", "object"})
# Words inside these stay in the sentence that they stand in.
_INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "dfn", "em", "font", "i", "kbd", "label", "mark", "q", "s",
    "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
})  # fmt: skip
_EMPTY = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Page:
    """What a visitor sees of one page: its title, its texts in their order, its pictures and where its links lead."""

    title: str = ""
    texts: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SiteIndex:
    """A built site: its pages by their paths, and each file's digest."""

    pages: dict[str, Page] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def broken_links(self) -> dict[str, tuple[str, ...]]:
        """Return for each page the links that lead to nothing in the site."""
        found = {
            path: tuple(link for link in page.links if not self._leads(path, link)) for path, page in self.pages.items()
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
    index = SiteIndex()
    for path in _files(built):
        name = path.relative_to(built).as_posix()
        content = path.read_bytes()
        index.files[name] = hashlib.sha256(content).hexdigest()
        is_page = name.lower().endswith(_PAGES) and len(content) <= _LARGEST_PAGE and len(index.pages) < _MOST_PAGES
        if is_page:
            index.pages[name] = read_page(content.decode(errors="replace"))
    return index


def _files(built: Path) -> Iterator[Path]:
    for path in sorted(built.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path


def write_index(index: SiteIndex) -> bytes:
    return msgspec.json.encode(index)


def read_index(text: bytes) -> SiteIndex:
    return msgspec.json.decode(text, type=SiteIndex)


def read_page(html: str) -> Page:
    """Return what a visitor sees of a page."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader.end_text()
    return Page(
        " ".join("".join(reader.title).split()), tuple(reader.texts), tuple(reader.pictures), tuple(reader.links)
    )


class _Reader(HTMLParser):
    """Collects texts block by block; no stack of open elements, so that nothing can be nested too deep."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.texts: list[str] = []
        self.pictures: list[str] = []
        self.links: list[str] = []
        self._words: list[str] = []
        self._unseen: dict[str, int] = {}
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in _UNSEEN:
            self._unseen[tag] = self._unseen.get(tag, 0) + 1
        self._in_title = tag == "title" and "svg" not in self._unseen
        if tag not in _INLINE:
            self.end_text()
        self._look_at(tag, given)

    def _look_at(self, tag: str, given: dict[str, str]) -> None:
        if tag == "body":
            # Whoever forgot to close the head has not hidden the page with that.
            self._unseen.pop("head", None)
        if tag == "meta" and given.get("name", "").lower() == "description" and given.get("content"):
            self.texts.append(" ".join(given["content"].split()))
        if tag == "img" and (given.get("src") or given.get("srcset")):
            self.pictures.append(given.get("src") or given["srcset"].split()[0])
            if given.get("alt", "").strip():
                self.texts.append(" ".join(given["alt"].split()))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN and self._unseen.get(tag, 0) > 0:
            self._unseen[tag] -= 1
            if not self._unseen[tag]:
                del self._unseen[tag]
        if tag == "title":
            self._in_title = False
        if tag not in _INLINE and tag not in _EMPTY:
            self.end_text()

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data)
        elif not self._unseen:
            self._words.append(data)

    def end_text(self) -> None:
        text = " ".join("".join(self._words).split())
        self._words.clear()
        if text:
            self.texts.append(text)
