"""A release: a whole copy of a built site, in which nothing leads out and nothing can be run."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured, TryAgain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webordinary.errors import JobFailed

_MAY_PASS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.EAGAIN})


def copy_whole(
    source: Path,
    into: Path,
    failed: type[JobFailed],
    *,
    leaves_out: Callable[[str], bool] = lambda _name: False,
) -> int:
    """Copy a tree byte by byte and return how many files it has.

    A hard link would let whoever built the site change the copy afterwards, so there are none; modes and
    times are not copied either, because a release is new and none of its files is a program.
    """
    root = Path(os.path.realpath(source))
    return _copy_folder(root, root, into, failed, leaves_out)


def _copy_folder(
    root: Path, source: Path, into: Path, failed: type[JobFailed], leaves_out: Callable[[str], bool]
) -> int:
    into.mkdir(parents=True, exist_ok=True)
    count = 0
    with os.scandir(source) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            target = into / entry.name
            if leaves_out(entry.name):
                continue
            if entry.is_symlink():
                target.symlink_to(_inner_link(root, Path(entry.path), failed))
            elif entry.is_dir():
                count += _copy_folder(root, Path(entry.path), target, failed, leaves_out)
            elif entry.is_file():
                shutil.copyfile(entry.path, target, follow_symlinks=False)
                count += 1
            else:
                raise failed(f"{_inside(root, entry.path)} in the built site is neither a file nor a folder")
    return count


def _inner_link(root: Path, link: Path, failed: type[JobFailed]) -> str:
    """Return where a link leads, in words that hold in the copy too: neither absolute nor through the outside."""
    leads_to = Path(os.path.realpath(link))
    if not leads_to.is_relative_to(root):
        raise failed(f"{_inside(root, link)} in the built site is a link that leads out of the site")
    return os.path.relpath(leads_to, link.parent)


def _inside(root: Path, path: Path | str) -> str:
    return os.path.relpath(path, root)


def sync_whole(folder: Path) -> None:
    """Return when a power loss can no longer take anything from this tree."""
    for parent, _, names in os.walk(folder):
        for path in (Path(parent, name) for name in names):
            if not path.is_symlink():
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
