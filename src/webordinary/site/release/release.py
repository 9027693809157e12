"""A release: a whole copy of a built site, in which nothing leads out and nothing can be run."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured, TryAgain
from webordinary.workspace.extent import DEEPEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from webordinary.errors import JobFailed

_MAY_PASS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.EAGAIN})
_PART = 1 << 18
_NOW_OR_NEVER = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# Of more files than these the disk is told once for all.
_ONE_BY_ONE = 200
_ONLY_READ = 0o444


@dataclass(frozen=True, slots=True)
class KnownRelease:
    """A release that nobody writes into, and the digests of its files as they were when it was made."""

    folder: Path
    digests: Mapping[str, str] = field(default_factory=dict)


def copy_whole(
    source: Path,
    into: Path,
    failed: type[JobFailed],
    *,
    leaves_out: Callable[[str], bool] = lambda _name: False,
    like: KnownRelease | None = None,
    digests: dict[str, str] | None = None,
) -> int:
    """Copy a tree byte by byte and return how many files it has.

    A hard link to the source would let the build change the copy afterwards, so there is none; modes and times are not
    copied either, because a release is new and none of its files is a program. Only a file that `like` has already is a
    link to that one. A caller that wants the digests of all files gives a place for them.
    """
    root = os.path.realpath(source)
    return _Copying(root, failed, leaves_out, like, digests).copy("", into)


@dataclass(slots=True)
class _Copying:
    root: str
    failed: type[JobFailed]
    leaves_out: Callable[[str], bool]
    like: KnownRelease | None
    digests: dict[str, str] | None
    # What is newer than the release itself was changed by somebody.
    made_ns: int = 0

    def __post_init__(self) -> None:
        with suppress(OSError):
            self.made_ns = self.like.folder.stat().st_mtime_ns if self.like else 0

    def copy(self, name: str, into: Path) -> int:
        """Copy one folder; `name` is its path in the tree, with a slash at its end."""
        if name.count("/") > DEEPEST:
            raise self.failed(f"the built site has more than {DEEPEST} folders in each other")
        into.mkdir(parents=True, exist_ok=True)
        with os.scandir(f"{self.root}/{name}") as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        above = f"{into}/"
        return sum(self._copy_entry(entry, name, above) for entry in found if not self.leaves_out(entry.name))

    def _copy_entry(self, entry: os.DirEntry[str], above: str, into: str) -> int:
        name, target = f"{above}{entry.name}", f"{into}{entry.name}"
        if entry.is_symlink():
            leads_to = _inner_link(Path(self.root), Path(self.root, name), self.failed)
            os.symlink(leads_to, target)  # noqa: PTH211 - of thousands
            return 0
        if entry.is_dir():
            return self.copy(f"{name}/", Path(target))
        if not entry.is_file():
            raise self.failed(f"{name} in the built site is neither a file nor a folder")
        if not self._is_shared(entry, name, target):
            self._copy_file(entry.path, name, target)
        return 1

    def _is_shared(self, entry: os.DirEntry[str], name: str, target: str) -> bool:
        """Share a file of a release with the next one; whatever speaks against it means a copy."""
        if self.like is None:
            return False
        there = f"{self.like.folder}/{name}"
        with suppress(OSError):
            status, own = os.lstat(there), entry.stat(follow_symlinks=False)
            if not stat.S_ISREG(status.st_mode) or status.st_size != own.st_size:
                return False
            if os.path.samestat(status, own) or self._has_same_content(entry.path, name, there, status):
                os.link(there, target, follow_symlinks=False)
                return True
        return False

    def _has_same_content(self, path: str, name: str, there: str, status: os.stat_result) -> bool:
        known = self.like.digests.get(name) if self.like else None
        if self.digests is None or not known or status.st_mtime_ns > self.made_ns:
            return _is_same(path, there)
        digest = _digest_of(path)
        if digest != known:
            return False
        self.digests[name] = digest
        return True

    def _copy_file(self, source: str, name: str, target: str) -> None:
        """Copy as much as a file says it has when it is opened: one that grows meanwhile would never end."""
        # Without waiting, and without following: in place of the file that was seen there may be something else by now.
        opened = os.open(source, _NOW_OR_NEVER)
        digest = hashlib.sha256()
        with os.fdopen(opened, "rb", buffering=0) as file, open(target, "xb", buffering=0) as copy:  # noqa: PTH123 - of thousands
            left = os.fstat(opened).st_size
            while left > 0 and (part := file.read(min(left, _PART))):
                copy.write(part)
                digest.update(part)
                left -= len(part)
        if self.digests is not None:
            self.digests[name] = digest.hexdigest()


def _digest_of(path: str) -> str:
    opened = os.open(path, _NOW_OR_NEVER)
    try:
        part = os.read(opened, _PART)
        digest = hashlib.sha256(part)
        # Of a file that ends within the first part nothing more is asked for.
        while len(part) == _PART:
            part = os.read(opened, _PART)
            digest.update(part)
        return digest.hexdigest()
    finally:
        os.close(opened)


def _is_same(one: str, other: str) -> bool:
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
    unsealed, folders = [], []
    for parent, _, names in os.walk(folder):
        folders.append(parent)
        for path in (f"{parent}/{name}" for name in names):
            status = os.lstat(path)
            if stat.S_ISREG(status.st_mode) and status.st_nlink == 1:
                os.chmod(path, _ONLY_READ)  # noqa: PTH101 - of thousands
                unsealed.append(path)
    if len(unsealed) > _ONE_BY_ONE:
        os.sync()
        return
    for place in (*unsealed, *folders):
        sync(Path(place))


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
