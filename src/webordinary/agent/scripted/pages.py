"""The pages of a checkout: found, read and written without ever following a link out of it."""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import os
import re
import stat
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from webordinary.agent.agent import ProtectedPlace
from webordinary.agent.scripted.formats import ENDINGS, Format, covered, format_of
from webordinary.agent.scripted.markup import Splice, attributes, decode, spliced, tokenize
from webordinary.languages import any_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_STYLES = (".css", ".scss", ".sass")
# Without a list of what may be changed: pages as every generator has them.
_PAGE_ENDINGS = (".html", ".htm", ".md", ".markdown")
_WRITTEN_AS_PAGES = frozenset({Format.MARKUP, Format.MARKDOWN, Format.PROSE, Format.INDENTED, Format.TAGS_IN_CODE})
# Where generators keep pages; the first page in there is the home page.
_ROOT_NAMES = "src source pages _pages content contents docs site app www public static input views routes"
_ROOTS = frozenset(_ROOT_NAMES.split())
# What lies in these is put into pages.
_PART_NAMES = "layouts includes partials components templates themes shortcodes archetypes macros snippets"
_PARTS = frozenset(_PART_NAMES.split())
_FIRST = frozenset({"index", "_index", "+page"})
_LARGEST_PAGE = 2_000_000
_MOST_PAGES = 2_000
_DEEPEST_ROOT = 3
_NOT_ENTERED = frozenset({"node_modules"})
# One name for every write: what a killed agent leaves behind is found and removed by the next one.
LEFTOVER = ".webordinary-scripted.tmp"
_HOME = re.compile(
    rf"(?:the |our |my )?(?:{any_of(lambda each: each.agent.home)})"
    r"(?:[ -]?page| site)?|(?:the |our |my )?(?:web)?(?:site|page)",
    re.IGNORECASE,
)
_AROUND = re.compile(
    rf"^(?:{any_of(lambda each: each.agent.before_page)})\s+|['’]s$"
    rf"|\s*(?:web)?(?:{any_of(lambda each: each.agent.behind_page)})$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SourcePage:
    """One page or style sheet: where it lies in the checkout and what stands in it."""

    path: str
    text: str

    @property
    def is_markdown(self) -> bool:
        """Whether it is written in lines and not in tags."""
        return format_of(self.path) in {Format.MARKDOWN, Format.PROSE}

    @property
    def is_page(self) -> bool:
        """Whether it is shown by itself, and not put into other pages."""
        folders = {part.lstrip("_").lower() for part in PurePosixPath(self.path).parts[:-1]}
        return format_of(self.path) in _WRITTEN_AS_PAGES and _PARTS.isdisjoint(folders)

    @property
    def shown(self) -> str:
        """The text with all programs in it covered, each letter in its place."""
        return covered(self.path, self.text)

    @property
    def name(self) -> str:
        """The short name that people use for it: "about" for about.html and for about/index.html."""
        return route_of(self.path).rpartition("/")[2] or "home"

    @property
    def label(self) -> str:
        return f"the {self.name.replace('-', ' ').replace('_', ' ')} page"


class Site:
    """The files of one checkout that may be edited."""

    def __init__(self, root: Path, texts: Iterable[str] | None = None, closed: Mapping[str, str] | None = None) -> None:
        """Read what may be changed, `texts`, and what may not and why, `closed`; no list means the usual pages."""
        self._root = root
        with suppress(OSError):
            (root / LEFTOVER).unlink()
        paths = (
            self._found() if texts is None else [path for path in texts if format_of(path) or path.endswith(_STYLES)]
        )
        programs = {path: "program" for path in paths if format_of(path) is Format.CODE}
        self._closed = {**(closed or {}), **programs}
        self._pages = self._read_all(path for path in paths if path not in programs)

    @property
    def pages(self) -> list[SourcePage]:
        """The files whose words are read by visitors, the home page first."""
        return [SourcePage(path, text) for path, text in self._pages.items() if not path.endswith(_STYLES)]

    @property
    def styles(self) -> list[SourcePage]:
        return [SourcePage(path, text) for path, text in self._pages.items() if path.endswith(_STYLES)]

    def closed(self) -> Closed:
        """Return what may not be changed, to look whether the words stand there."""
        return Closed(self._read_all(path for path in self._closed if format_of(path)), self._closed)

    def page_called(self, phrase: str | None) -> SourcePage | None:
        """Return the one page that a phrase names, the home page for no phrase, nothing when in doubt."""
        pages = [page for page in self.pages if page.is_page]
        if phrase is None or _HOME.fullmatch(phrase.strip()):
            home = [page for page in pages if page.name == "home"]
            return next(iter(home or (pages if len(pages) == 1 else [])), None)
        bare = _bare(phrase)
        for belongs in (self._is_called, self._is_linked_as, self._is_about):
            found = [page for page in pages if bare and belongs(page, bare)]
            if len(found) == 1:
                return found[0]
        return None

    def change(self, page: SourcePage, splices: list[Splice]) -> bool:
        """Write a page with new characters in some places; say whether that changed anything."""
        text = spliced(page.text, splices)
        if text == page.text:
            return False
        self._write(page.path, text.encode("utf-8"))
        self._pages[page.path] = text
        return True

    def keep_file(self, folder: str, name: str, data: bytes) -> str | None:
        """Store a file under a name that is free, or nowhere when the folder is not a plain folder."""
        if not self._is_plain_folder(folder):
            return None
        stem, _, ending = name.rpartition(".")
        for number in range(1, 1000):
            path = str(PurePosixPath(folder, name if number == 1 else f"{stem}-{number}.{ending}"))
            present = self._bytes_of(path)
            if present == data:
                return path
            if present is None and not os.path.lexists(self._root / path):
                self._write(path, data)
                return path
        return None

    def has_folder(self, folder: str) -> bool:
        """Tell whether there is such a folder that a file may be stored in."""
        return self._is_plain_folder(folder) and (self._root / folder).is_dir()

    def root_of(self, address: str) -> str:
        """Return the folder from which a file is put out that is found at this address; empty for the site's own."""
        for folder, folders, _ in os.walk(self._root, followlinks=False):
            here = Path(folder).relative_to(self._root)
            is_deep = len(here.parts) >= _DEEPEST_ROOT
            folders[:] = (
                [] if is_deep else sorted(name for name in folders if name[0] != "." and name not in _NOT_ENTERED)
            )
            if self._bytes_of((here / address).as_posix()) is not None:
                return "" if here == Path() else here.as_posix()
        return ""

    def _is_called(self, page: SourcePage, bare: str) -> bool:
        return bare in {
            slug(page.name),
            slug(page.path),
            slug(PurePosixPath(page.path).stem),
            slug(route_of(page.path)),
        }

    def _is_linked_as(self, page: SourcePage, bare: str) -> bool:
        return any(slug(words) == bare for words in _link_words(self._pages, page.path))

    def _is_about(self, page: SourcePage, bare: str) -> bool:
        return bool(set(bare.split("-")) & set(slug(page.name).split("-")))

    def _found(self) -> list[str]:
        found: list[str] = []
        for folder, folders, files in os.walk(self._root, followlinks=False):
            folders[:] = sorted(name for name in folders if name[0] != "." and name not in _NOT_ENTERED)
            here = Path(folder).relative_to(self._root)
            found += [(here / name).as_posix() for name in sorted(files) if _is_ours(name)]
            if len(found) > _MOST_PAGES:
                break
        return found

    def _read_all(self, paths: Iterable[str]) -> dict[str, str]:
        home_first = sorted(paths, key=lambda path: (route_of(path).count("/"), bool(route_of(path)), path))
        return {path: text for path in home_first[:_MOST_PAGES] if (text := self._read(path)) is not None}

    def _read(self, path: str) -> str | None:
        data = self._bytes_of(path)
        if data is None or len(data) > _LARGEST_PAGE:
            return None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def _bytes_of(self, path: str) -> bytes | None:
        try:
            return read_plain_file(self._root / path)
        except OSError:
            return None

    def _is_plain_folder(self, folder: str) -> bool:
        here = self._root
        for part in PurePosixPath(folder).parts:
            here = here / part
            if part.startswith(".") or here.is_symlink() or (here.exists() and not here.is_dir()):
                return False
        return True

    def _write(self, path: str, data: bytes) -> None:
        target, fresh = self._root / path, self._root / LEFTOVER
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(target.lstat().st_mode) if target.exists() else 0o644
        fresh.unlink(missing_ok=True)
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        fresh.chmod(mode)
        fresh.replace(target)


class Closed(Site):
    """Files that nobody may change by mail: an edit is only tried, to see where the words come from."""

    def __init__(self, pages: dict[str, str], why: Mapping[str, str]) -> None:
        self._pages = pages
        self._why = why
        self.places: list[ProtectedPlace] = []

    def change(self, page: SourcePage, splices: list[Splice]) -> bool:
        """Note what would be written, and where."""
        for splice in sorted(splices, key=lambda each: each.start):
            line = page.text.count("\n", 0, splice.start) + 1
            before = page.text[splice.start : splice.end]
            if before != splice.new:
                self.places.append(ProtectedPlace(page.path, line, self._why.get(page.path, ""), before, splice.new))
        return spliced(page.text, splices) != page.text

    def place_of(self, page: SourcePage) -> ProtectedPlace:
        """Return where a page as a whole is written."""
        return ProtectedPlace(page.path, 1, self._why.get(page.path, ""), "", "")

    def keep_file(self, folder: str, name: str, data: bytes) -> None:  # noqa: ARG002 - nothing is kept here
        return None


def read_plain_file(path: Path, most: int = 50_000_000) -> bytes:
    """Return what stands in a regular file; a link, a pipe or a huge file is refused with OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > most:
            message = "not a plain file of a usable size"
            raise OSError(message)
        return file.read()


def slug(text: str) -> str:
    """Return a text as a safe file name: lower case letters and digits with hyphens between."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def _bare(phrase: str) -> str:
    text = phrase.strip().strip("\"'“”.,")
    while (shorter := _AROUND.sub("", text).strip()) != text:
        text = shorter
    return slug(text)


def route_of(path: str) -> str:
    """Return where a page is found on the site: "about" for src/pages/about.astro and for about/index.html."""
    *folders, name = PurePosixPath(path).parts or ("",)
    while folders and folders[0].lower() in _ROOTS:
        folders = folders[1:]
    while (short := PurePosixPath(name)).suffix[1:].lower() in ENDINGS:
        name = short.stem
    is_first = name.lower() in _FIRST or path.endswith("contents.lr")
    return "/".join(folders if is_first else [*folders, name])


def _is_ours(name: str) -> bool:
    path = PurePosixPath(name)
    if name.startswith(".") or path.suffix not in (*_PAGE_ENDINGS, ".css"):
        return False
    # README.md, WEBORDINARY.md and their like are written for the people behind the site.
    return not (path.suffix == ".md" and path.stem.isupper())


def _leads_to(target: str, path: str) -> bool:
    named = re.split(r"[#?]", target)[0].lstrip("./").rstrip("/")
    return bool(named) and route_of(named) == route_of(path)


def _link_words(pages: dict[str, str], path: str) -> set[str]:
    words: set[str] = set()
    for raw in pages.values():
        tokens = tokenize(raw)
        for tag, following in pairwise(tokens):
            if tag.name != "a" or tag.closing or following.kind != "text":
                continue
            targets = [each.value for each in attributes(raw, tag) if each.name == "href"]
            if any(_leads_to(target, path) for target in targets):
                words.add(decode(raw, following.start, following.end).text)
    return words
