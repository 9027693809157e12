"""Copies a folder in which somebody else's program works just now: by what is opened, and never by names.

That program can put a link in the place of a folder between two looks at it. A copy that went by names would then bring
us, who stand outside of the sandbox, anything on this machine.
"""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.workspace.extent import DEEPEST, MEGABYTE, Bound, Excess, Overgrown, told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webordinary.routing.project import Size

_REPOSITORY = ".git"
_PART = 1 << 20
_RUNS = 0o100


def mark_of(folder: Path) -> str:
    """Return a mark of everything in a folder by what the disk says about it: another one when anything has changed."""
    digest = hashlib.sha256()
    for entry in entries_in(folder):
        status = entry.status
        about = (entry.name, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        digest.update(repr(about).encode(errors="surrogatepass"))
    return digest.hexdigest()


def copy_tree(folder: Path, into: Path, size: Size) -> None:
    """Copy files, folders and links, without the repository; Overgrown when that is more than a site may have.

    Links stay what they are: a build in the copy finds them as they were.
    """
    into.mkdir()
    left_files, left_bytes = size.files, size.megabytes * MEGABYTE
    for entry in entries_in(folder):
        target = into / entry.name
        if stat.S_ISDIR(entry.status.st_mode):
            target.mkdir()
            continue
        left_files -= 1
        if left_files < 0:
            raise Overgrown(Excess(Bound.FILES, (str(size.files),)))
        if stat.S_ISLNK(entry.status.st_mode):
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


def entries_in(folder: Path) -> Iterator[TreeEntry]:
    """Yield what lies in a folder, each folder before what is in it; what goes away meanwhile is left out."""
    for place, folders, files, opened in os.fwalk(folder, follow_symlinks=False):
        above = os.path.relpath(place, folder)
        if above.count("/") > DEEPEST:
            raise Overgrown(Excess(Bound.DEPTH, (told(above), str(DEEPEST))))
        found = [each for leaf in sorted((*folders, *files)) if (each := _entry(above, leaf, opened)) is not None]
        # Only what was a folder when it was told of is gone into: in the copy there is nothing else to write through.
        folders[:] = [each.leaf for each in found if stat.S_ISDIR(each.status.st_mode)]
        yield from found


def _entry(above: str, leaf: str, opened: int) -> TreeEntry | None:
    name = os.path.normpath(f"{above}/{leaf}")
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
