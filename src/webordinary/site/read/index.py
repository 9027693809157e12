"""The index of a built site: its pages, a mark of every file's content, and what must never be public."""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Mapping  # noqa: TC003 - msgspec reads it
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import msgspec

from webordinary.site.content import PAGES, ending_of
from webordinary.site.read.elements import Page, PageContents, excerpt, mark, one_line
from webordinary.site.read.markup import decode
from webordinary.site.read.page_reader import read_page
from webordinary.site.read.snapshot import KeptPages, Snapshot, key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from webordinary.site.read.snapshot import Postings

_READ_BY_SERVERS = PAGES | {"svg", "xml"}
# PHP's signs, long and short, and the directives of server-side includes.
_BEGINS = re.compile(r"(<\?(?:php|=|\s)|<!--#)", re.IGNORECASE)
# Behind so many of them everything counts as one more.
_MOST = 1_000
_ENDS = {"<?": "?>", "<!": "-->"}


def is_read_by_servers(path: str) -> bool:
    """Tell whether some servers look for programs in a file of this kind."""
    return ending_of(path) in _READ_BY_SERVERS


def find_programs(path: str, content: bytes) -> Iterator[str]:
    """Return a mark for each program in a page; the same program has the same mark wherever it stands."""
    if not is_read_by_servers(path):
        return
    # Split and not searched to the end: a page of nothing but beginnings takes no longer than another one.
    _, *parts = _BEGINS.split(content.decode("latin-1"), maxsplit=_MOST)
    for begins, rest in zip(parts[::2], parts[1::2], strict=True):
        program = begins + rest.partition(_ENDS[begins[:2]])[0]
        yield hashlib.sha256(program.encode()).hexdigest()[:16]


_STORAGE = re.compile(
    rb"s3://|gs://|(?:\.|//)s3(?:[.-][a-z0-9-]+){0,3}\.amazonaws\.com|X-Amz-Signature=|blob\.core\.windows\.net"
    rb"|X-Goog-Signature=",
    re.ASCII | re.IGNORECASE,
)
# What an address is made of; it is looked at only where something was found.
_ADDRESS_BEFORE = re.compile(rb"[\w.:/-]{0,80}\Z", re.ASCII)
_ADDRESS_AFTER = re.compile(rb"[\w.:/%?=&-]{0,200}", re.ASCII)
_SECRETS = re.compile(
    rb"AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|sk-ant-[A-Za-z0-9_-]{20,200}|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----"
    rb"|gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{30,200}|glpat-[A-Za-z0-9_-]{20,200}"
    rb"|[sr]k_live_[A-Za-z0-9]{20,200}|xox[abpr]-[A-Za-z0-9-]{20,200}|AIza[0-9A-Za-z_-]{35}",
    re.ASCII,
)
# What is found has no more letters than this, with those around it that belong to it.
_LONGEST, _BEFORE = 500, 80
_TEXTS = (".html", ".htm", ".xhtml", ".js", ".mjs", ".css", ".json", ".xml", ".txt", ".svg", ".md", ".map", ".csv")


class Secrecy(StrEnum):
    """What was found."""

    SECRET = "secret"  # noqa: S105 - the name of a problem
    STORAGE_ADDRESS = "storage_address"


@dataclass(frozen=True, slots=True)
class Leak:
    """Something of which nobody should know, and the file in which it stands; the mark names it without telling it."""

    secrecy: Secrecy
    path: str
    mark: str


def is_text(path: str) -> bool:
    """Tell whether a file is of a kind in which anybody could read a secret."""
    return path.lower().endswith(_TEXTS)


class Search:
    """Looks through one file part by part; what stands across the end of a part is found all the same."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._kept = b""
        # Up to here everything was looked at.
        self._seen = 0
        self.leaks: dict[str, Leak] = {}

    @property
    def is_full(self) -> bool:
        """Whether there is more than anybody would count: nothing further is looked for."""
        return len(self.leaks) >= _MOST

    def add(self, part: bytes, *, is_last: bool = False) -> None:
        content = self._kept + part
        end = len(content) if is_last else max(self._seen, len(content) - _LONGEST)
        for secrecy, pattern in ((Secrecy.SECRET, _SECRETS), (Secrecy.STORAGE_ADDRESS, _STORAGE)):
            for match in pattern.finditer(content, self._seen):
                if match.start() >= end or self.is_full:
                    break
                mark = hashlib.sha256(_whole(content, match)).hexdigest()[:16]
                self.leaks.setdefault(mark, Leak(secrecy, self._path, mark))
        first = max(0, end - _BEFORE)
        self._kept, self._seen = content[first:], end - first


def _whole(content: bytes, match: re.Match[bytes]) -> bytes:
    """Return the whole address that something was found in: two of the same bucket are two."""
    before = _ADDRESS_BEFORE.search(content[max(0, match.start() - _BEFORE) : match.start()])
    after = _ADDRESS_AFTER.match(content, match.end())
    return (before[0] if before else b"") + match[0] + (after[0] if after else b"")


_STYLES, _PROGRAMS = (".css",), (".js", ".mjs")
_COMMENTS = re.compile(r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?")
_IMPORTS = re.compile(r"""@import\s+(?:url\(\s*)?["']?([^"')\s;]+)""", re.IGNORECASE)
_HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?![.\d])|font-size\s*:\s*0"
    r"|text-indent\s*:\s*-\d{3}|(?:left|top|right|bottom)\s*:\s*-\d{3}|clip(?:-path)?\s*:|transform\s*:\s*scale\(0",
    re.IGNORECASE,
)
LARGEST = 2_000_000


def is_asset(name: str) -> bool:
    return name.lower().endswith(_STYLES + _PROGRAMS)


def read_asset(name: str, content: bytes) -> Page:
    """Read a style or a program of the site as if it were a page without texts."""
    text = decode(content)
    if name.lower().endswith(_PROGRAMS):
        return Page(deeds=(f"code {excerpt(text)}",))
    css = _COMMENTS.sub("", text)
    told = PageContents()
    brings = [f"stylesheet {address}" for address in _IMPORTS.findall(css)]
    told.read_css(_IMPORTS.sub("", css))
    rules = (rule.rpartition("{") for rule in css.split("}"))
    hides = [f"hides {one_line(selector)}" for selector, _, body in rules if _HIDES.search(body)]
    return Page(pictures=tuple(told.pictures), others=tuple(told.others), deeds=(*brings, *told.deeds, *hides))


_PAGES = (".html", ".htm", ".xhtml")
_LARGEST_PAGE = 2_000_000
_LARGEST_TEXT = 20_000_000
_MOST_PAGES = 100_000
# About the memory that all pages of a site may take, and that one of their texts takes besides its letters.
_ROOM, _EACH = 200_000_000, 64
_PART = 1 << 20
# Kept with each index: one that an older version has written is made anew.
_VERSION = 7


def shows_key(file: str) -> str:
    """Return the key under which the snapshot has the pages that show a file."""
    return f"shows {file}"


def word_key(text: str) -> str:
    """Return the key under which the snapshot has the pages that say something."""
    return f"word {mark(text)}"


class _OwnPages:
    """What pages that lie in no snapshot say and show."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self.words = {text for page in pages.values() for text in page.words}
        self.pictures: dict[str, set[str]] = defaultdict(set)
        for path, page in pages.items():
            for source in page.pictures:
                if (file := resolve(path, source)) is not None:
                    self.pictures[file].add(path)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class SiteIndex:
    """A built site: its pages by their paths, each file's digest, and the marks of what must never be public.

    `unread` are the files that are too large, too many or too broken to be checked.
    """

    pages: Mapping[str, Page] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    leaks: dict[str, Leak] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    # Where links lead, and the marks of programs in pages with a page that holds them.
    links: dict[str, str] = field(default_factory=dict)
    programs: dict[str, str] = field(default_factory=dict)
    # The files in which anything of that was found, with the marks.
    marked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    # What its styles and programs show and do.
    assets: dict[str, Page] = field(default_factory=dict)
    version: int = 0
    # What the pages that lie in no snapshot answer to, as far as somebody has found it out, and what follows from all.
    entries: dict[str, list[tuple[int, str]]] = field(default_factory=dict, compare=False)
    memory: dict[str, object] = field(default_factory=dict, compare=False, repr=False)

    @property
    def own_pages(self) -> Mapping[str, Page]:
        """The pages that lie in no snapshot."""
        return self.pages.own if isinstance(self.pages, KeptPages) else self.pages

    def kept_postings(self, key: int) -> Postings:
        """Return what the snapshot has under a key."""
        return self.pages.snapshot.postings(key) if isinstance(self.pages, KeptPages) else {}

    def kept_path(self, number: int) -> str | None:
        return self.pages.path_of(number) if isinstance(self.pages, KeptPages) else None

    def pages_with_picture(self, file: str) -> set[str]:
        """Return the pages that show a file of the site."""
        own = self._own_memory.pictures.get(file, set())
        return own | self._kept_with(shows_key(file))

    def says(self, text: str) -> bool:
        """Tell whether somebody has written this on one of the pages."""
        return text in self._own_memory.words or bool(self._kept_with(word_key(text)))

    @property
    def _own_memory(self) -> _OwnPages:
        found = self.memory.get("own")
        if not isinstance(found, _OwnPages):
            found = self.memory["own"] = _OwnPages(self.own_pages)
        return found

    def _kept_with(self, key: str) -> set[str]:
        numbers = (number for each in self.kept_postings(key_of(key)).values() for number in each)
        return {path for number in numbers if (path := self.kept_path(number)) is not None}

    def is_same(self, path: str, other: SiteIndex) -> bool:
        """Tell whether a file is known to be the same in another build."""
        digest = self.files.get(path)
        return bool(digest) and digest == other.files.get(path)

    def links_broken_on(self, path: str) -> tuple[str, ...]:
        """Return the links, and the pictures, of a page for which there is nothing in the site."""
        page = self.pages.get(path)
        if page is None:
            return ()
        return tuple(link for link in (*page.links, *page.pictures) if not self._leads(path, link))

    def broken_links(self) -> dict[str, tuple[str, ...]]:
        """Return for each page the links, and the pictures, for which there is nothing in the site."""
        return {path: links for path in self.pages if (links := self.links_broken_on(path))}

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
    snapshot = "/" if path.startswith("/") else posixpath.dirname(f"/{page}") + "/"
    return posixpath.normpath(posixpath.join(snapshot, path)).strip("/")


def targets_of(file: str) -> list[str]:
    """Return what links may say that lead to a file."""
    found = [file]
    if file.endswith(".html"):
        found.append(file.removesuffix(".html"))
    folder, _, name = file.rpartition("/")
    return [*found, folder] if name in {"index.html", "index.htm"} else found


def index_site(
    built: Path,
    check: Callable[[], None] = lambda: None,
    *,
    room: int = _ROOM,
    like: SiteIndex | None = None,
    digests: Mapping[str, str] | None = None,
) -> SiteIndex:
    """Read a built site, part by part; a link in it is not followed. `check` may raise between two parts.

    What `like` has with the same content is not read again; `digests` are those that somebody has taken already.
    """
    return _Indexing(built, check, room, like or SiteIndex(), digests or {}).run()


@dataclass(slots=True)
class _Indexing:
    built: Path
    check: Callable[[], None]
    room: int
    like: SiteIndex
    digests: Mapping[str, str]
    index: SiteIndex = field(default_factory=lambda: SiteIndex(version=_VERSION))
    pages: dict[str, Page] = field(default_factory=dict)
    unread_before: frozenset[str] = frozenset()

    def run(self) -> SiteIndex:
        self.unread_before = frozenset(self.like.unread)
        for name in _files(self.built):
            if self._is_known(name):
                continue
            path = self.built / name
            if name not in self.digests and path.is_symlink():
                self.index.links[name] = str(path.readlink())
            else:
                self._read(name, path)
        return replace(self.index, pages=self._all_pages())

    def _is_known(self, name: str) -> bool:
        """Take over what is known about a file whose content is the same."""
        digest, like = self.digests.get(name), self.like
        if not digest or like.files.get(name) != digest:
            return False
        self.index.files[name] = digest
        if name in like.assets:
            self.index.assets[name] = like.assets[name]
        if name in self.unread_before:
            self.index.unread.append(name)
        if marks := like.marked.get(name):
            self._mark(name, marks, like)
        return True

    def _mark(self, name: str, marks: tuple[str, ...], like: SiteIndex) -> None:
        self.index.marked[name] = marks
        for each in marks:
            if (leak := like.leaks.get(each)) is not None:
                self.index.leaks[each] = replace(leak, path=name)
            if each in like.programs:
                self.index.programs[each] = name

    def _read(self, name: str, path: Path) -> None:
        known = len(self.pages) + len(self.like.pages)
        reading = _Reading(name, is_page=known < _MOST_PAGES and self.room > 0)
        reading.read(path, self.check)
        index, index.files[name] = self.index, reading.digest.hexdigest()
        index.leaks.update(reading.search.leaks)
        index.programs.update((each, name) for each in reading.programs)
        if marks := (*reading.search.leaks, *reading.programs):
            index.marked[name] = marks
        if reading.page is not None:
            self.pages[name] = reading.page
            self.room -= _weight(reading.page)
        if reading.asset is not None:
            index.assets[name] = reading.asset
        if reading.is_too_much:
            index.unread.append(name)

    def _all_pages(self) -> Mapping[str, Page]:
        """Return the pages: those that are known, and in place of those that changed the new ones."""
        like, files = self.like, self.index.files
        gone = {path for path in like.pages if files.get(path) != like.files.get(path)} | self.pages.keys()
        known = {path: entries for path, entries in like.entries.items() if path not in gone}
        self.index.entries.update(known)
        if isinstance(like.pages, KeptPages):
            kept = like.pages.without(gone)
            kept.own.update(self.pages)
            return kept
        same = {path: page for path, page in like.pages.items() if path not in gone}
        return {path: page for path in files if (page := self.pages.get(path) or same.get(path)) is not None}


def digests_of(built: Path) -> dict[str, str]:
    """Return the digest of every file; a link has none."""
    return {name: _digest(built / name) for name in _files(built) if not (built / name).is_symlink()}


def _digest(path: Path) -> str:
    with path.open("rb", buffering=0) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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


class _Kept(msgspec.Struct):
    """An index as it is kept: what changed since its snapshot, and by its digest that snapshot."""

    snapshot: str
    changed: dict[str, str]
    gone: list[str]
    pages: dict[str, Page]
    # A site without its files and pages.
    rest: SiteIndex


def write_index(index: SiteIndex, snapshot: str) -> bytes:
    """Return an index as it is kept beside its snapshot."""
    if not isinstance(index.pages, KeptPages):
        raise TypeError("an index without a snapshot cannot be kept")
    files, own = index.pages.snapshot.files, index.pages.own
    changed = {path: digest for path, digest in index.files.items() if files.get(path) != digest}
    gone = [path for path in files if path not in index.files]
    rest = replace(index, pages={}, files={}, memory={})
    return msgspec.json.encode(_Kept(snapshot, changed, gone, own, rest))


def read_index(text: bytes, read: Callable[[str], bytes]) -> tuple[SiteIndex, str]:
    """Return an index and the digest of its snapshot, which `read` finds."""
    kept = msgspec.json.decode(text, type=_Kept)
    if kept.rest.version != _VERSION:
        raise msgspec.ValidationError(f"an index of version {kept.rest.version}; this is version {_VERSION}")
    snapshot = Snapshot(read(kept.snapshot))
    gone = set(kept.gone)
    files = {path: digest for path, digest in snapshot.files.items() if path not in gone} | kept.changed
    other = {path for path in snapshot.paths if files.get(path) != snapshot.files[path]}
    pages = KeptPages(snapshot, frozenset(), {}).without(other)
    pages.own.update(kept.pages)
    return replace(kept.rest, pages=pages, files=files), kept.snapshot
