"""A release: a whole copy of a built site, in which nothing leads out and nothing can be run."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured, TryAgain
from webordinary.workspace.extent import DEEPEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webordinary.errors import JobFailed

_MAY_PASS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.EAGAIN})
_PART = 1 << 18
_ONLY_READ = 0o444


def copy_whole(
    source: Path,
    into: Path,
    failed: type[JobFailed],
    *,
    leaves_out: Callable[[str], bool] = lambda _name: False,
    like: Path | None = None,
) -> int:
    """Copy a tree byte by byte and return how many files it has.

    A hard link to the source would let whoever built the site change the copy afterwards, so there is none;
    modes and times are not copied either, because a release is new and none of its files is a program. Only a
    file that `like`, a release that nobody writes into, has already is a link to that one.
    """
    root = Path(os.path.realpath(source))
    return _Copying(root, failed, leaves_out).copy(root, into, like)


@dataclass(frozen=True, slots=True)
class _Copying:
    root: Path
    failed: type[JobFailed]
    leaves_out: Callable[[str], bool]

    def copy(self, source: Path, into: Path, like: Path | None) -> int:
        if len(source.parts) - len(self.root.parts) > DEEPEST:
            raise self.failed(f"the built site has more than {DEEPEST} folders in each other")
        into.mkdir(parents=True, exist_ok=True)
        count = 0
        with os.scandir(source) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if not self.leaves_out(entry.name):
                    count += self._copy_entry(entry, into / entry.name, like / entry.name if like else None)
        return count

    def _copy_entry(self, entry: os.DirEntry[str], target: Path, like: Path | None) -> int:
        if entry.is_symlink():
            target.symlink_to(_inner_link(self.root, Path(entry.path), self.failed))
            return 0
        if entry.is_dir():
            return self.copy(Path(entry.path), target, like)
        if not entry.is_file():
            raise self.failed(f"{_inside(self.root, entry.path)} in the built site is neither a file nor a folder")
        if like is None or not _link_if_same(entry, like, target):
            _copy_file(entry.path, target)
        return 1


def _copy_file(source: str, target: Path) -> None:
    """Copy as much as a file says it has when it is opened: one that grows meanwhile would never end."""
    # Without waiting, and without following: in place of the file that was seen there may be something else by now.
    opened = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(opened, "rb", buffering=0) as file, target.open("xb", buffering=0) as copy:
        left = os.fstat(opened).st_size
        while left > 0 and (part := file.read(min(left, _PART))):
            copy.write(part)
            left -= len(part)


def _link_if_same(entry: os.DirEntry[str], like: Path, target: Path) -> bool:
    """Share a file of a release with the next one; whatever speaks against it means a copy."""
    with suppress(OSError):
        status = like.lstat()
        size = entry.stat(follow_symlinks=False).st_size
        if stat.S_ISREG(status.st_mode) and status.st_size == size and _is_same(entry.path, like):
            os.link(like, target, follow_symlinks=False)
            return True
    return False


def _is_same(one: str, other: Path) -> bool:
    with open(one, "rb", buffering=0) as first, open(other, "rb", buffering=0) as second:  # noqa: PTH123 - of thousands
        while part := first.read(_PART):
            if part != second.read(_PART):
                return False
    return True


def check_whole(source: Path, failed: type[JobFailed]) -> None:
    """Refuse a tree that would lead out of itself, or that has more than files and folders in it."""
    root = Path(os.path.realpath(source))
    for parent, folders, names in os.walk(root):
        for path in (Path(parent, name) for name in (*folders, *names)):
            if path.is_symlink():
                if path.readlink().is_absolute():
                    raise failed(f"{_inside(root, path)} in the built site is a link that leads out of the site")
                _inner_link(root, path, failed)
            elif not path.is_file() and not path.is_dir():
                raise failed(f"{_inside(root, path)} in the built site is neither a file nor a folder")


def _inner_link(root: Path, link: Path, failed: type[JobFailed]) -> str:
    """Return where a link leads, in words that hold in the copy too: neither absolute nor through the outside."""
    leads_to = Path(os.path.realpath(link))
    if not leads_to.is_relative_to(root):
        raise failed(f"{_inside(root, link)} in the built site is a link that leads out of the site")
    return os.path.relpath(leads_to, link.parent)


def _inside(root: Path, path: Path | str) -> str:
    return os.path.relpath(path, root)


def seal_whole(folder: Path) -> None:
    """Return when neither a power loss nor somebody's editor can take anything from this tree.

    What it shares with an older release was sealed there.
    """
    for parent, _, names in os.walk(folder):
        for path in (Path(parent, name) for name in names):
            status = path.lstat()
            if stat.S_ISREG(status.st_mode) and status.st_nlink == 1:
                path.chmod(_ONLY_READ)
                sync(path)
        sync(Path(parent))


def sync(path: Path) -> None:
    """Sync one file, or the names in one folder."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


@contextmanager
def told_plainly(place: Path) -> Iterator[None]:
    """Say what a person has to do about a disk that does not take what we write."""
    try:
        yield
    except OSError as problem:
        reason = problem.strerror or str(problem)
        if problem.errno in _MAY_PASS:
            raise TryAgain(f"the disk of {place} cannot be used now ({reason}): look whether it is full") from problem
        raise Misconfigured(
            f"the folder {place} cannot be used ({reason}): correct its place or its permissions"
        ) from problem
