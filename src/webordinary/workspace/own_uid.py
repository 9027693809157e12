"""A uid of its own for each checkout's programs: it owns what it may write, and can read what everybody can."""

from __future__ import annotations

import os
import stat
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Iterable

# What lies in here anybody can download; builds read it while others enter and leave.
OPEN_TO_ALL = "dependencies"
# Numbers that nobody gives away: above what systems use for people, services and containers.
_FIRST, _COUNT = 1_879_048_192, 268_435_455
# Where the kernel knows only the numbers of one container; two checkouts may meet there, which is the weaker wall.
_FIRST_OF_FEW, _FEW = 64_222, 1_200
_OTHERS, _OTHERS_AND_GROUP = 0o007, 0o077


def uid_of(checkout: Path) -> int:
    """Return the uid of the programs that work in this folder, the same each time."""
    first, count = _numbers()
    return first + zlib.crc32(os.fsencode(checkout)) % count


def hand_over(places: tuple[Path, ...], data: Path | None) -> None:
    """Give these folders to the uid of the first; inside `data` it finds one way to each of them, past closed doors."""
    uid = uid_of(places[0])
    for place in places:
        _give(place, uid)
        place.chmod(stat.S_IMODE(place.stat().st_mode) & ~_OTHERS_AND_GROUP)
    if data is not None:
        _leave_a_way([place for place in places if place.is_relative_to(data)], data)
    closed = next((folder for folder in places[0].parents if not folder.stat().st_mode & stat.S_IXOTH), None)
    if closed is not None:
        raise Misconfigured(
            f"Programs with a uid of their own cannot reach {places[0]}, because {closed} is closed to others: "
            f"move `data` to a folder such as /var/lib/webordinary, or install bubblewrap."
        )


def take_back(place: Path) -> None:
    """Make a folder ours again: everybody may read it, and no program with a uid of its own can change it."""
    if os.geteuid() == 0:
        _give(place, os.geteuid())
        place.chmod(0o755)


def _give(place: Path, uid: int) -> None:
    for parent, _, names in os.walk(place):
        for path in (parent, *(os.path.join(parent, name) for name in names)):  # noqa: PTH118 - a hundred thousand files
            with suppress(FileNotFoundError):
                # A link is given, never what it leads to.
                if os.lstat(path).st_uid != uid:
                    os.chown(path, uid, uid, follow_symlinks=False)


def _leave_a_way(places: list[Path], data: Path) -> None:
    """Let it pass through our own folders above the places, and close everything that lies beside the way."""
    ways = {folder for place in places for folder in place.parents if folder.is_relative_to(data)}
    for folder in ways:
        folder.chmod(stat.S_IMODE(folder.stat().st_mode) & ~_OTHERS | stat.S_IXOTH)
        _close(beside for beside in folder.iterdir() if beside not in ways and not _is_open(beside, data))


def _close(places: Iterable[Path]) -> None:
    for place in places:
        with suppress(FileNotFoundError):
            mode = place.lstat().st_mode
            # A folder that can be passed and not looked into is somebody else's way, who may be on it just now.
            is_way = stat.S_ISDIR(mode) and mode & _OTHERS == stat.S_IXOTH
            if not stat.S_ISLNK(mode) and not is_way:
                place.chmod(stat.S_IMODE(mode) & ~_OTHERS)


def _is_open(place: Path, data: Path) -> bool:
    return place.is_relative_to(data / OPEN_TO_ALL)


@cache
def _numbers() -> tuple[int, int]:
    """Return the first number and how many there are, as far as this machine knows them."""
    lines = Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()
    spans = [(int(inside), int(count)) for inside, _, count in (line.split() for line in lines)]
    is_whole = any(first <= _FIRST and first + count >= _FIRST + _COUNT for first, count in spans)
    return (_FIRST, _COUNT) if is_whole else (_FIRST_OF_FEW, _FEW)
