"""Which file of which release a request means; nothing outside of that release is ever opened."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit

from webordinary.site.targets.folder import LIVE, earlier_releases

_PAGES = frozenset({"", ".html", ".htm", ".xhtml"})
_OLD_FILES_STAY = timedelta(hours=1)
_LONGEST_PATH = 2000
_LONGEST_NAME = 255


class Found(NamedTuple):
    """An opened file of one release."""

    file: IO[bytes]
    status: os.stat_result
    suffix: str
    etag: str
    size: int


def parts_of(address: str) -> list[str] | None:
    """Return the names in a request's path, the last one empty for a folder; None for one that means mischief."""
    path = urlsplit(address).path if "://" in address.partition("?")[0] else address.partition("?")[0]
    try:
        names = unquote_to_bytes(path.partition("#")[0]).decode().split("/")
    except UnicodeDecodeError:
        return None
    parts = [name for name in names[:-1] if name] + names[-1:]
    return None if len(path) > _LONGEST_PATH or any(map(_is_mischief, parts)) else parts


def _is_mischief(name: str) -> bool:
    return name in {".", ".."} or "\0" in name or len(name.encode()) > _LONGEST_NAME


def _place(root: Path, parts: list[str]) -> Path | None:
    """Return where a path leads inside the release, or None if a link would take it outside."""
    place = Path(os.path.realpath(root.joinpath(*parts)))
    return place if place.is_relative_to(root) else None


def is_folder(root: Path, parts: list[str]) -> bool:
    place = _place(root, parts)
    with suppress(OSError):
        return place is not None and place.is_dir()
    return False


def _open(root: Path, parts: list[str]) -> Found | None:
    names = [*parts[:-1], "index.html"] if parts[-1:] == [""] else parts
    place = _place(root, names)
    if place is None:
        return None
    try:
        # Not waiting: a pipe would never answer.
        opened = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    status = os.fstat(opened)
    if not stat.S_ISREG(status.st_mode):
        os.close(opened)
        return None
    # The inode, because the same size at the same time may be another text; releases that share a file share its tag.
    seed = f"{status.st_dev} {status.st_ino} {status.st_mtime_ns} {status.st_size}"
    etag = f'"{hashlib.sha256(seed.encode()).hexdigest()[:24]}"'
    return Found(os.fdopen(opened, "rb"), status, place.suffix.lower(), etag, status.st_size)


def open_current(folder: Path, parts: list[str]) -> Found | None:
    """Open a file of the release that is shown now; once more if that was replaced while we looked into it."""
    root: Path | None = None
    found = None
    while found is None and (now := Path(os.path.realpath(folder))) != root:
        root = now
        found = _open(root, parts)
    return found


def open_older(folder: Path, parts: list[str]) -> Found | None:
    """Return a picture or style of a release before: a page that was loaded before a switch asks for it."""
    if folder.name != LIVE or Path(parts[-1]).suffix.lower() in _PAGES:
        return None
    oldest = time.time() - _OLD_FILES_STAY.total_seconds()
    for release in earlier_releases(folder.parent, oldest):
        found = _open(release, parts)
        if found is not None:
            return found
    return None
