"""The kernel's process table, as far as it is needed to know who is who."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

_LONGEST_LINE = 4096
# Where the line says when the process began, counted from behind its name.
_STARTED = 19


@dataclass(frozen=True, slots=True)
class ProcessEntry:
    """A line of the process table."""

    pid: int
    state: str
    parent: int
    group: int
    session: int
    started: int
    name: str = ""

    @property
    def identity(self) -> str:
        """What names the process also after its number went to another."""
        return f"{self.pid}:{self.started}"

    @property
    def lives(self) -> bool:
        """A dead process stays in the table until its parent has asked how it ended."""
        return self.state not in {"Z", "X"}

    @property
    def is_stopped(self) -> bool:
        """A stopped process keeps whatever it holds and lets nobody have it."""
        return self.state in {"T", "t"}


def read_entry(pid: int) -> ProcessEntry | None:
    try:
        text = _read_status(pid)
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The program's name stands in brackets and may itself contain blanks and brackets.
    end = text.rindex(b")")
    fields = text[end + 2 :].split(None, _STARTED + 1)
    name = text[text.index(b"(") + 1 : end].decode(errors="replace")
    return ProcessEntry(
        pid, fields[0].decode(), int(fields[1]), int(fields[2]), int(fields[3]), int(fields[_STARTED]), name
    )


def living(besides: Collection[int] = ()) -> list[ProcessEntry]:
    """Return all processes that live, without those with these numbers."""
    with os.scandir("/proc") as folders:
        pids = [int(folder.name) for folder in folders if folder.name.isdecimal()]
    entries = [read_entry(pid) for pid in pids if pid not in besides]
    return [entry for entry in entries if entry is not None and entry.lives]


def _read_status(pid: int) -> bytes:
    """Read one line with as few calls as possible: a child that should die waits until the whole table is read."""
    file = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, _LONGEST_LINE)
    finally:
        os.close(file)


def resident_bytes(pid: int) -> int | None:
    """Return how much memory a process has in use; None when it is gone."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:  # noqa: PTH123 - as quick as the rest of the table
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (FileNotFoundError, ProcessLookupError):
        return None
