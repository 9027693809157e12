"""Copies a folder in which somebody else's program works just now: by what is opened, and never by names.

That program can put a link in the place of a folder between two looks at it. A copy that went by names would then bring
us, who stand outside of the sandbox, anything on this machine.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.workspace.extent import DEEPEST, MEGABYTE, Bound, Excess, Overgrown, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from webordinary.routing.project import Size

_REPOSITORY = ".git"
_PART = 1 << 20
_RUNS = 0o100
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def mark_of(folder: Path, size: Size) -> str:
    """Return a mark of everything in a folder by what the disk says about it: another one when anything has changed."""
    digest = hashlib.sha256()
    for entry in entries_in(folder, size):
        status = entry.status
        about = (entry.name, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        digest.update(repr(about).encode(errors="surrogatepass"))
    return digest.hexdigest()


def copy_tree(folder: Path, into: Path, size: Size, check: Callable[[], None] = lambda: None) -> None:
    """Copy files, folders and links, without the repository; Overgrown when that is more than a site may have.

    Links stay what they are: a build in the copy finds them as they were. `check` may end it before any of them.
    """
    into.mkdir()
    left_bytes = size.megabytes * MEGABYTE
    for entry in entries_in(folder, size):
        check()
        target = into / entry.name
        if stat.S_ISDIR(entry.status.st_mode):
            target.mkdir()
        elif stat.S_ISLNK(entry.status.st_mode):
            target.symlink_to(os.readlink(entry.leaf, dir_fd=entry.above))
        elif stat.S_ISREG(entry.status.st_mode):
            left_bytes -= _copy(entry, target, left_bytes)
        if left_bytes < 0:
            raise Overgrown(Excess(Bound.BYTES, (str(size.megabytes),)))


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One thing in a folder, as it was when it was looked at."""

    name: str
    leaf: str
    # The folder that it lies in, opened.
    above: int
    status: os.stat_result


def entries_in(folder: Path, size: Size) -> Iterator[TreeEntry]:
    """Yield what lies in a folder, each folder before what is in it; what goes away meanwhile is left out.

    Folders count as files do: Overgrown when there are more of them than a site may have.
    """
    for number, entry in enumerate(_entries(os.open(folder, _FOLDER), "", size.files)):
        if number >= size.files:
            raise Overgrown(Excess(Bound.FILES, (str(size.files),)))
        yield entry


def _entries(opened: int, above: str, most: int) -> Iterator[TreeEntry]:
    """Go through an opened folder, and close it; of a folder with too many names it is enough to know that."""
    try:
        if above.count("/") > DEEPEST:
            raise Overgrown(Excess(Bound.DEPTH, (told(above), str(DEEPEST))))
        with os.scandir(opened) as names:
            leaves = sorted(each.name for each in itertools.islice(names, most + 2))
        found = [each for leaf in leaves if (each := _entry(above, leaf, opened)) is not None]
        yield from found
        # Only what was a folder when it was told of is gone into: in the copy there is nothing else to write through.
        for each in found:
            if stat.S_ISDIR(each.status.st_mode) and (inner := _enter(each)) is not None:
                yield from _entries(inner, f"{each.name}/", most)
    finally:
        os.close(opened)


def _enter(folder: TreeEntry) -> int | None:
    # Gone, or something else by now: a link is not followed, and nobody waits for who might write into a pipe.
    with suppress(OSError):
        return os.open(folder.leaf, _FOLDER, dir_fd=folder.above)
    return None


def _entry(above: str, leaf: str, opened: int) -> TreeEntry | None:
    name = f"{above}{leaf}"
    if name == _REPOSITORY:
        return None
    try:
        return TreeEntry(name, leaf, opened, os.stat(leaf, dir_fd=opened, follow_symlinks=False))
    except FileNotFoundError:
        return None


def _copy(entry: TreeEntry, target: Path, most: int) -> int:
    """Copy a file as long as it is when it is opened, and return how much that was."""
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        opened = os.open(entry.leaf, flags, dir_fd=entry.above)
    except OSError:
        # Gone, or something else by now.
        return 0
    with os.fdopen(opened, "rb", buffering=0) as source:
        status = os.fstat(opened)
        if not stat.S_ISREG(status.st_mode) or status.st_size > most:
            return status.st_size
        left = status.st_size
        with target.open("xb", buffering=0) as copy:
            while left > 0 and (part := source.read(min(left, _PART))):
                copy.write(part)
                left -= len(part)
        target.chmod(0o755 if status.st_mode & _RUNS else 0o644)
    return status.st_size - left
