"""How much somebody else's program may leave behind: counted by what it says it has, before anything is read or copied.

A file of holes takes no room until it is copied, and one with many names, or with links to it, is copied as often.
"""

from __future__ import annotations

import os
import stat
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.errors import JobFailed
from webordinary.jobs.lines import KindLine, write_line
from webordinary.mail.mime.charset import clean_text

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from pathlib import Path

    from webordinary.routing.project import Size

MEGABYTE = 1_000_000
# Deeper than any site, and far from what Python can climb down.
DEEPEST = 100
# As much as the key of an object in a bucket may have, with room for what stands before it.
LONGEST_PATH = 900
_LONGEST_TOLD = 100


class Bound(StrEnum):
    """What is bounded; the words for it stand with the words of all mails."""

    FILES = "all_files"
    BYTES = "all_bytes"
    LARGEST = "one_file"
    DEPTH = "too_deep"
    LENGTH = "long_name"
    NAME = "strange_name"


_FOR_THE_TRAIL = {
    Bound.FILES: "there would be more than {} files",
    Bound.BYTES: "it would take more than {} MB",
    Bound.LARGEST: "{} would have more than {} MB",
    Bound.DEPTH: "{} lies in more than {} folders in each other",
    Bound.LENGTH: "the path of {} would have more than {} bytes",
    Bound.NAME: "the name {} cannot be written as text",
}


@dataclass(frozen=True, slots=True)
class Excess:
    """Which bound was passed, and by what."""

    bound: Bound
    about: tuple[str, ...]

    @property
    def reason(self) -> str:
        """The fact for the answer, which tells it in the person's language."""
        return write_line(KindLine(self.bound.value, self.about))

    def __str__(self) -> str:
        """Say it in the words of the trail."""
        return _FOR_THE_TRAIL[self.bound].format(*self.about)


class Overgrown(JobFailed):
    """A change would leave more behind than the project allows."""

    def __init__(self, excess: Excess) -> None:
        self.excess = excess
        super().__init__(f"the change cannot be kept: {excess}")


def find_excess(folder: Path, size: Size, *, leaves_out: Callable[[str], bool] = lambda _name: False) -> Excess | None:
    """Return the first bound that a tree passes, or None; it is left as soon as it is known to be too much.

    A link counts as what it leads to: where there are no links it is a copy.
    """
    count = _Count(size)
    with closing(_entries(os.path.realpath(folder), leaves_out)) as entries:
        return next((excess for name, length in entries if (excess := count.add(name, length)) is not None), None)


def sum_up(folder: Path, names: Iterable[str], size: Size) -> Excess | None:
    """Do the same with these files of a folder alone; one that is not there any more counts for nothing."""
    count = _Count(size)
    for name in names:
        try:
            status = os.lstat(os.path.join(folder, name))  # noqa: PTH118 - a hundred thousand files
        except OSError:
            continue
        if (excess := count.add(name, status.st_size if stat.S_ISREG(status.st_mode) else 0)) is not None:
            return excess
    return None


def is_tellable(name: str) -> bool:
    """Say whether a name can stand in a mail, a list and an address: text, of one line, and nothing unseen in it."""
    if name.isascii() and name.isprintable():
        return True
    return clean_text(name) == name and not {"\n", "\t"} & set(name)


def judge_name(name: str) -> Excess | None:
    """Return what is wrong with the path of a file inside of a site, or None."""
    if name.count("/") > DEEPEST:
        return Excess(Bound.DEPTH, (told(name), str(DEEPEST)))
    if len(os.fsencode(name)) > LONGEST_PATH:
        return Excess(Bound.LENGTH, (told(name), str(LONGEST_PATH)))
    return None if is_tellable(name) else Excess(Bound.NAME, (told(name),))


def told(name: str) -> str:
    """Return a name in letters that can be shown, and not too many of them."""
    shown = "".join(letter if is_tellable(letter) else _escaped(letter) for letter in name[: 4 * _LONGEST_TOLD])
    return shown if len(shown) <= _LONGEST_TOLD else f"…{shown[-_LONGEST_TOLD + 1 :]}"


def _escaped(letter: str) -> str:
    if "\udc80" <= letter <= "\udcff":
        # What is no text was a byte.
        return f"\\x{ord(letter) - 0xDC00:02x}"
    return f"\\x{ord(letter):02x}" if ord(letter) < 0x100 else f"\\u{ord(letter):04x}"  # noqa: PLR2004 - two digits


class _Count:
    """What was seen so far."""

    def __init__(self, size: Size) -> None:
        self._size = size
        self._files = self._bytes = 0

    def add(self, name: str, length: int) -> Excess | None:
        size = self._size
        self._files += 1
        self._bytes += length
        if (unfit := judge_name(name)) is not None:
            return unfit
        if self._files > size.files:
            return Excess(Bound.FILES, (str(size.files),))
        if length > size.largest * MEGABYTE:
            return Excess(Bound.LARGEST, (told(name), str(size.largest)))
        if self._bytes > size.megabytes * MEGABYTE:
            return Excess(Bound.BYTES, (str(size.megabytes),))
        return None


def _entries(root: str, leaves_out: Callable[[str], bool]) -> Generator[tuple[str, int]]:
    """Yield what lies in a tree, folders too, with its length; links may lead a reader in circles."""
    waiting = [(root, "")]
    while waiting:
        folder, above = waiting.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if leaves_out(entry.name):
                    continue
                name = f"{above}{entry.name}"
                place, status = _leads_to(entry, root)
                yield name, status.st_size if status is not None and stat.S_ISREG(status.st_mode) else 0
                # What leads to where it lies itself would never end; a bucket refuses it by its own words.
                is_circle = f"{folder}/".startswith(f"{place}/")
                if status is not None and stat.S_ISDIR(status.st_mode) and not is_circle:
                    waiting.append((place, f"{name}/"))


def _leads_to(entry: os.DirEntry[str], root: str) -> tuple[str, os.stat_result | None]:
    """Return where something is and what it is; nothing for a link that leads out of the tree, or nowhere."""
    if not entry.is_symlink():
        return entry.path, entry.stat(follow_symlinks=False)
    place = os.path.realpath(entry.path)
    try:
        return place, os.stat(place) if place.startswith(f"{root}/") else None  # noqa: PTH116 - a hundred thousand
    except OSError:
        return place, None
