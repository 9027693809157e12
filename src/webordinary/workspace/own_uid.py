"""A uid of its own for each checkout's programs where the worker is root: nothing that is not ours ever runs as root.

It owns what it may write, and can read what everybody can.
"""

from __future__ import annotations

import os
import stat
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured
from webordinary.workspace.installation import named_files
from webordinary.workspace.leaving import DEEPEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# What lies in here anybody can download; builds read it while others enter and leave.
OPEN_TO_ALL = "dependencies"
# Numbers that nobody gives away: above what systems use for people, services and containers.
_FIRST, _COUNT = 1_879_048_192, 268_435_455
# Where the kernel knows only the numbers of one container; two checkouts may meet there, which is the weaker wall.
_FIRST_OF_FEW, _FEW = 64_222, 1_200
_OTHERS, _OTHERS_AND_GROUP = 0o007, 0o077


def is_root() -> bool:
    """Say whether this process has to change its user before it starts a program that is not ours."""
    return os.geteuid() == 0


def whom() -> str:
    """Say as whom programs run that are not ours."""
    return "a uid of their own for each checkout, never as root" if is_root() else f"your own user (uid {os.geteuid()})"


def closed_to_programs(command: Sequence[str]) -> Path | None:
    """Return the first file that a command names and that its uid could not read."""
    files = named_files(command) if is_root() else ()
    return next((path for path in files if not path.stat().st_mode & stat.S_IROTH), None)


def uid_of(checkout: Path) -> int:
    """Return the uid of the programs that work in this folder, the same each time."""
    first, count = _numbers()
    return first + zlib.crc32(os.fsencode(checkout)) % count


def hand_over(places: tuple[Path, ...]) -> None:
    """Give these folders to the uid of the first, and close them to everybody else."""
    uid = uid_of(places[0])
    for place in places:
        _give(place, uid)
        place.chmod(stat.S_IMODE(place.stat().st_mode) & ~_OTHERS_AND_GROUP)


def leave_a_way(places: tuple[Path, ...], data: Path | None) -> None:
    """Let the uid of the first reach them where root cannot set a stage: past closed doors, and by one way only."""
    if data is not None:
        _open_a_way([place for place in places if place.is_relative_to(data)], data)
    closed = next((folder for folder in places[0].parents if not folder.stat().st_mode & stat.S_IXOTH), None)
    if closed is not None:
        raise Misconfigured(
            f"Programs with a uid of their own cannot reach {places[0]}, because {closed} is closed to others: "
            f"move `data` to a folder such as /var/lib/webordinary, or start `webordinary serve` as a user of its own."
        )


def take_back(place: Path) -> None:
    """Make a folder ours again: everybody may read it, and no program with a uid of its own can change it."""
    if is_root():
        _give(place, os.geteuid())
        place.chmod(0o755)


def _give(place: Path, uid: int) -> None:
    opened = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if os.fstat(opened).st_uid != uid:
            os.fchown(opened, uid, uid)
        _give_what_is_in(opened, uid, 0)
    finally:
        os.close(opened)


def _give_what_is_in(folder: int, uid: int, depth: int) -> None:
    """Walk by what is opened and never by names: a link is given, and never what it leads to."""
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                status = entry.stat(follow_symlinks=False)
                is_folder = stat.S_ISDIR(status.st_mode)
                # A second name of a file that somebody else has elsewhere must not give that one away.
                if status.st_uid != uid and (is_folder or status.st_nlink == 1):
                    os.chown(entry.name, uid, uid, dir_fd=folder, follow_symlinks=False)
                if is_folder and depth < DEEPEST:
                    _give_inner(folder, entry.name, uid, depth + 1)


def _give_inner(folder: int, name: str, uid: int, depth: int) -> None:
    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        _give_what_is_in(inner, uid, depth)
    finally:
        os.close(inner)


def _open_a_way(places: list[Path], data: Path) -> None:
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
