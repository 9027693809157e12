"""A stage: root's own view of the files, changed for one program before that program stops being root.

What the program is given may lie behind doors that are closed to everybody else, such as a home folder or the data of
an installation. Here such a door is covered with an empty folder in which only what the program is given appears, at
its usual path. Where there are no other walls everything else can only be read then, the settings of the kernel too;
the folders that all programs share are covered with new ones, and the repository is kept as it is.
"""

from __future__ import annotations

import ctypes
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NEW_MOUNTS = 0x00020000
# The same number on every architecture.
_SET_ATTRIBUTES, _HERE, _RECURSIVE = 442, -100, 0x8000
_READ_ONLY, _NO_SETUID, _NO_DEVICES, _REMOUNT, _BIND, _ALL_BELOW, _FOLLOW = 1, 2, 4, 32, 4096, 16384, 1 << 19
_FORBIDDEN = 0b1111
_NEW_ONE, _COVER = "mode=1777,size=1g", "mode=0755,size=16m"
_PEOPLE = {
    Path("/etc/passwd"): "root:x:0:0::/root:/bin/false\nnobody:x:65534:65534::/:/bin/false\n"
    "sandbox:x:{uid}:{uid}::{home}:/bin/sh\n",
    Path("/etc/group"): "root:x:0:\nnogroup:x:65534:\nsandbox:x:{uid}:\n",
}

_libc = ctypes.CDLL(None, use_errno=True)


class _Attributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "spread", "user"))


class _Place(NamedTuple):
    """A place as it was before anything was covered."""

    path: Path
    opened: int
    forbidden: int


def set_stage(uid: int, readable: Iterable[str], writable: Iterable[str], shared: Iterable[str]) -> None:
    """Cover every door that is closed to `uid` on its way to these places, and the shared folders with new ones."""
    _leave_the_view_of_others()
    new = [folder for folder in map(Path, shared) if folder.is_dir() and not folder.is_symlink()]
    places = [*_by_all_names(readable, may_write=False), *_by_all_names(writable, may_write=True)]
    covers = _topmost({*new, *(door for path, _ in places for door in _closed_doors(path, uid))})
    covered = [(path, may) for path, may in places if (may and new) or not covers.isdisjoint((path, *path.parents))]
    kept = [_open(path, may_write=may) for path, may in covered]
    if new:
        _let_nothing_be_written()
    for cover in covers:
        _mount("tmpfs", cover, "tmpfs", _NO_SETUID | _NO_DEVICES, _NEW_ONE if cover in new else _COVER)
    # The outer ones first: an inner one may be writable in one that is not.
    for place in sorted(kept, key=lambda each: len(each.path.parts)):
        _show(place)


def keep_repository(checkout: str) -> None:
    """Let nobody on the stage change, rename or remove the repository, or the file that says where it is."""
    path = Path(checkout, ".git")
    with suppress(FileNotFoundError):
        opened = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
        if not stat.S_ISLNK(os.fstat(opened).st_mode):
            _bind(opened, path, _READ_ONLY | _NO_SETUID | _NO_DEVICES)


def introduce(uid: int, home: str, draft: str) -> None:
    """Give the program a name: some look themselves up, and break when nobody knows them; `draft` is a new folder."""
    for place, lines in _PEOPLE.items():
        if place.is_file():
            path = Path(draft, ".introduced")
            path.write_text(lines.format(uid=uid, home=home.replace(":", "").replace("\n", "")), encoding="utf-8")
            path.chmod(0o444)
            _bind(os.open(path, os.O_PATH | os.O_CLOEXEC), place, _READ_ONLY | _NO_SETUID | _NO_DEVICES)
            path.unlink()


def _leave_the_view_of_others() -> None:
    if _libc.unshare(_NEW_MOUNTS):
        raise OSError(ctypes.get_errno(), "root may not have a view of its own of the files here")
    # What is mounted outside from now on still appears in here, and nothing that is mounted here appears outside.
    _mount(None, Path("/"), None, _ALL_BELOW | _FOLLOW, None)


def _by_all_names(places: Iterable[str], *, may_write: bool) -> Iterator[tuple[Path, bool]]:
    """Name each place as it is asked for and as it is without links: a program walks both ways."""
    for place in places:
        if os.path.exists(place):  # noqa: PTH110 - a bare word
            for path in dict.fromkeys((os.path.normpath(place), os.path.realpath(place))):
                yield Path(path), may_write


def _closed_doors(path: Path, uid: int) -> Iterator[Path]:
    for folder in path.parents[:-1]:
        status = folder.stat()
        if not status.st_mode & (stat.S_IXUSR if status.st_uid == uid else stat.S_IXOTH):
            yield folder


def _topmost(folders: set[Path]) -> set[Path]:
    return {folder for folder in folders if folders.isdisjoint(folder.parents)}


def _let_nothing_be_written() -> None:
    wanted = _Attributes(_READ_ONLY | _NO_SETUID, 0, 0, 0)
    words = (_HERE, b"/", _RECURSIVE, ctypes.byref(wanted), ctypes.c_size_t(ctypes.sizeof(wanted)))
    if _libc.syscall(_SET_ATTRIBUTES, *words):
        code = ctypes.get_errno()
        raise OSError(code, f"the machine's files could not be made read-only ({os.strerror(code)})")


def _open(path: Path, *, may_write: bool) -> _Place:
    # Whatever is forbidden there stays so.
    forbidden = os.statvfs(path).f_flag & _FORBIDDEN | _NO_SETUID | _NO_DEVICES | (0 if may_write else _READ_ONLY)
    return _Place(path, os.open(path, os.O_PATH | os.O_CLOEXEC), forbidden)


def _show(place: _Place) -> None:
    place.path.parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISDIR(os.fstat(place.opened).st_mode):
        place.path.mkdir(exist_ok=True)
    elif not place.path.exists():
        place.path.touch()
    _bind(place.opened, place.path, place.forbidden)


def _bind(opened: int, path: Path, forbidden: int) -> None:
    _mount(f"/proc/self/fd/{opened}", path, None, _BIND | _ALL_BELOW, None)
    _mount(None, path, None, _BIND | _REMOUNT | forbidden, None)
    os.close(opened)


def _mount(source: str | None, target: Path, kind: str | None, flags: int, options: str | None) -> None:
    words = (None if word is None else os.fsencode(word) for word in (source, target, kind))
    last = None if options is None else options.encode()
    if _libc.mount(*words, ctypes.c_ulong(flags), last):
        code = ctypes.get_errno()
        raise OSError(code, f"{target} could not be made ready ({os.strerror(code)})")
