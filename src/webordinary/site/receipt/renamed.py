"""Files that a build has given another name because their content changed: they are the same files all the same.

Only files that builds name so, such as styles and pictures, and only where exactly one of a name went and one came in
the same folder. What a person has called otherwise is another file, and hosts and links to elsewhere are never touched.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.site.read.index import SiteIndex, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
