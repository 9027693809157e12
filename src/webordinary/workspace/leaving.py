"""What programs that are not ours leave behind: it comes out of a sandbox without any power, or is removed whole."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child import run
from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterator


_PATIENCE = timedelta(minutes=5)


def remove_tree(folder: Path) -> None:
    """Remove a folder, also one with locked parts or with more levels than Python can climb down."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
        return
    # Another program's work: Python climbs down by calling itself.
    for argv in (("rm", "-rf"), ("chmod", "-R", "u+rwX"), ("rm", "-rf")):
        if not folder.exists():
            return
        words = (*argv, "--", str(folder))
        run(words, cwd=folder.parent, env={"PATH": os.defpath}, deadline=_PATIENCE, stays_in_group=True)
    if folder.exists():
        raise TryAgain(f"{folder} cannot be removed; look at its rights.")


@contextmanager
def fresh_folder(within: Path, prefix: str = "tmp") -> Iterator[Path]:
    """Return a new folder that is gone after the block, whatever was put into it."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=within))
    try:
        yield folder
    finally:
        remove_tree(folder)


@contextmanager
def named_folder(within: Path, name: str) -> Iterator[Path]:
    """Do the same with a folder of this name, without what somebody who was killed has left there."""
    folder = within / name
    if folder.is_symlink() or folder.exists():
        remove_tree(folder)
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        remove_tree(folder)


def remove_oddities(folder: Path) -> None:
    """Remove pipes, sockets and devices: git neither sees nor removes them, and a build would stumble over them."""
    waiting = [str(folder)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not entry.is_file(follow_symlinks=False) and not entry.is_symlink():
                    os.unlink(entry.path)  # noqa: PTH108 - a hundred thousand files


def date_honestly(folder: Path) -> None:
    """Let no file seem older than its last change, so that git looks into it.

    Git compares times by whole seconds. It looks again at a file that was written in the second of its index, but only
    by the file's own time, which a program can put back; and by that it would not see a second change in that second.
    """
    waiting = [str(folder)]
    while waiting:
        # What we cannot enter git cannot either.
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                    continue
                status = entry.stat(follow_symlinks=False)
                if int(status.st_mtime) < int(status.st_ctime):
                    os.utime(entry.path, follow_symlinks=False)


# Deeper than any site. What lies deeper is neither given to anybody nor kept.
DEEPEST = 200
_POWERS = stat.S_ISUID | stat.S_ISGID
# A file that nobody can run has no power either.
_MAY_HAVE = _POWERS | 0o111
_CAPABILITY = "security.capability"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def take_powers(folder: Path) -> None:
    """Take setuid, setgid and capabilities from every file and folder in here, by what is opened and never by names."""
    with suppress(FileNotFoundError, NotADirectoryError):
        opened = os.open(folder, _FOLDER)
        try:
            _take_in(opened, 0)
        finally:
            os.close(opened)


def _take_in(folder: int, depth: int) -> None:
    _take_bits(folder, os.fstat(folder))
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    _take_within(folder, entry.name, depth + 1)
                elif entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_mode & _MAY_HAVE:
                    _take_from(folder, entry)
            except (FileNotFoundError, PermissionError):
                # Gone, or closed even to us who own it: then nobody else can run it either.
                continue


def _take_within(folder: int, name: str, depth: int) -> None:
    if depth > DEEPEST:
        remove_tree(Path(f"/proc/{os.getpid()}/fd/{folder}", name))
        return
    inner = os.open(name, _FOLDER, dir_fd=folder)
    try:
        _take_in(inner, depth)
    finally:
        os.close(inner)


def _take_from(folder: int, entry: os.DirEntry[str]) -> None:
    status = entry.stat(follow_symlinks=False)
    opened = os.open(entry.name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        _take_bits(opened, status)
        _take_capability(f"/proc/self/fd/{opened}", status.st_size)
    finally:
        os.close(opened)


def _take_bits(opened: int, status: os.stat_result) -> None:
    if status.st_mode & _POWERS:
        os.chmod(f"/proc/self/fd/{opened}", stat.S_IMODE(status.st_mode) & ~_POWERS)  # noqa: PTH101 - what is opened


def _take_capability(place: str, size: int) -> None:
    try:
        os.getxattr(place, _CAPABILITY)
    except OSError as problem:
        if problem.errno in {errno.ENODATA, errno.EOPNOTSUPP}:
            return
        raise
    try:
        os.removexattr(place, _CAPABILITY)
    except PermissionError:
        # Only root may; but a write to a file takes them from it.
        os.truncate(place, size)
