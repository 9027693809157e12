"""The copy itself: pages one after the other, with what they show, until all are there or a limit is reached."""

from __future__ import annotations

import tempfile
import time
from collections import deque
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

from webordinary.errors import Refused, TryAgain
from webordinary.setup.copying.links import SiteLinks
from webordinary.setup.copying.places import place_of
from webordinary.setup.copying.reach import NAME, WebOrigin, WebReach

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from webordinary.setup.copying.reach import WebAnswer

_PAGE = frozenset({"text/html", "application/xhtml+xml"})
_STYLES = "text/css"
_SECONDS_IN_ALL = 900.0
_MOST_WAITING = 20_000
# As much of it as every reader has to take (RFC 9309).
_LARGEST_ROBOTS = 500 * 1024
NOTE = "WEBORDINARY.md"
_NOTE = """\
# A copy

These files are a copy of {address}, fetched page by page on {day} by `webordinary project copy`: {pages} pages and
{others} other files. The site there was not changed. Forms, searches and logins of it do not work in a copy.
"""


@dataclass(frozen=True, slots=True)
class CopyLimits:
    """How much is fetched at most."""

    pages: int = 500
    files: int = 5_000
    total: int = 300 * 1024 * 1024


@dataclass(slots=True)
class Copied:
    """What was fetched, and what was left out and why."""

    pages: int = 0
    others: int = 0
    total: int = 0
    left_out: dict[str, int] = field(default_factory=dict)

    def leave_out(self, why: str) -> None:
        self.left_out[why] = self.left_out.get(why, 0) + 1


def copy_site(address: str, folder: Path, limits: CopyLimits, reach: WebReach, now: datetime) -> Copied:
    """Copy a site into a folder that is not there yet; Refused when it may not be copied, or nothing was found."""
    if folder.exists():
        raise Refused(f"{folder} exists already; remove it, or name another folder.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".copy-") as scratch:
        draft = Path(scratch) / "site"
        draft.mkdir()
        # Not part of the built site, but of the repository: whoever edits it reads it. No page may take its place.
        note = draft / NOTE
        note.touch()
        copied = _Crawl(address, draft, limits, reach).run()
        told = _NOTE.format(address=address, day=f"{now:%Y-%m-%d}", pages=copied.pages, others=copied.others)
        note.write_text(told, encoding="utf-8")
        draft.rename(folder)
    return copied


def is_copy_of(address: str, folder: Path) -> bool:
    """Whether a folder says of itself that it is the copy of an address."""
    try:
        return f"are a copy of {address}, fetched" in (folder / NOTE).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False


class _Crawl:
    """One walk over a site."""

    def __init__(self, address: str, folder: Path, limits: CopyLimits, reach: WebReach) -> None:
        self._begin = address
        self._folder = folder
        self._limits = limits
        self._reach = reach
        self._seen: set[str] = set()
        self._waiting: deque[str] = deque()
        self._found = Copied()
        self._robots = RobotFileParser()
        self._until = time.monotonic() + _SECONDS_IN_ALL

    def run(self) -> Copied:
        first = self._reach.ask(self._begin)
        site = WebOrigin.of(first.address)
        asked = WebOrigin.of(self._begin)
        if site is None or asked is None or not asked.is_neighbour(site):
            raise Refused(f"{self._begin} leads to {first.address[:200]}, which is another site; name that one.")
        self._read_robots(first.address)
        self._require_allowed(first)
        self._seen.add(_plain(first.address))
        self._keep(first, site)
        while self._waiting and self._has_room():
            self._visit(self._waiting.popleft(), site)
        if self._waiting:
            self._found.leave_out("more than the limits allow")
        return self._found

    def _require_allowed(self, first: WebAnswer) -> None:
        if not self._robots.can_fetch(NAME, first.address):
            raise Refused(
                f"The robots.txt of {first.address} does not allow copies; ask its owner, or bring the files."
            )
        if first.code != HTTPStatus.OK or first.kind not in _PAGE:
            raise Refused(f"{first.address} shows no page ({first.code} {first.kind[:60]}); look at the address.")

    def _read_robots(self, address: str) -> None:
        answer = replace(self._reach, largest=_LARGEST_ROBOTS).ask(urljoin(address, "/robots.txt"))
        if answer.code >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            why = f"cannot be read ({answer.code})"
            raise Refused(f"The robots.txt of {address} {why}, so nobody knows what its owner allows; try again later.")
        is_there = answer.code == HTTPStatus.OK
        self._robots.parse(answer.content.decode(errors="replace").splitlines() if is_there else [])

    def _has_room(self) -> bool:
        found, limits = self._found, self._limits
        is_full = (
            found.pages >= limits.pages or found.pages + found.others >= limits.files or found.total >= limits.total
        )
        return not is_full and time.monotonic() < self._until

    def _visit(self, address: str, site: WebOrigin) -> None:
        if not self._robots.can_fetch(NAME, address):
            self._found.leave_out("not allowed by robots.txt")
            return
        try:
            answer = self._reach.ask(address)
        except TryAgain:
            self._found.leave_out("no answer")
            return
        origin = WebOrigin.of(answer.address)
        if origin is None or not origin.is_neighbour(site):
            self._found.leave_out("leads to another site")
        elif answer.code != HTTPStatus.OK:
            self._found.leave_out(f"answered with {int(answer.code)}")
        else:
            self._keep(answer, site)

    def _keep(self, answer: WebAnswer, site: WebOrigin) -> None:
        is_page = answer.kind in _PAGE
        if is_page and urlsplit(answer.address).query:
            # A file has no questions: one page for each would be the first of an endless row.
            self._found.leave_out("a page with a question in its address")
            return
        content = answer.content
        links: list[str] = []
        if is_page:
            text, links = SiteLinks(content.decode("latin-1"), answer.address, site).of_page()
            content = text.encode("latin-1", errors="xmlcharrefreplace")
        elif answer.kind == _STYLES:
            links = SiteLinks(content.decode("latin-1"), answer.address, site).of_styles()
        if self._write(answer.address, content, is_page=is_page):
            self._await(links)

    def _write(self, address: str, content: bytes, *, is_page: bool) -> bool:
        place = place_of(address, is_page=is_page)
        if place is None:
            self._found.leave_out("a name that no file can have")
            return False
        path = self._folder / place
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(content)
        except FileExistsError:
            return False
        except (NotADirectoryError, IsADirectoryError):
            self._found.leave_out("a file and a folder of the same name")
            return False
        self._found.total += len(content)
        if is_page:
            self._found.pages += 1
        else:
            self._found.others += 1
        return True

    def _await(self, links: list[str]) -> None:
        for address in links:
            plain = _plain(address)
            if plain not in self._seen and len(self._seen) < _MOST_WAITING:
                self._seen.add(plain)
                self._waiting.append(address)


def _plain(address: str) -> str:
    """Return what two addresses of the same file share; of all questions about one path only the first is asked."""
    parts = urlsplit(address)
    return f"{parts.path or '/'}{'?' if parts.query else ''}"


def told(copied: Copied, by: Callable[[str], None]) -> None:
    """Say what was fetched and what was not."""
    by(f"{copied.pages} pages and {copied.others} other files, {copied.total / 1024 / 1024:.1f} MB; it is a copy.")
    for why, count in copied.left_out.items():
        by(f"Left out: {count}, {why}.")
