"""The kernel's process table, as far as it is needed to know who is who."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the process table."""

    pid: int
    state: str
    parent: int
    group: int
    session: int
    started: int

    @property
    def lives(self) -> bool:
        """A dead process stays in the table until its parent has asked how it ended."""
        return self.state not in {"Z", "X"}

    @property
    def is_stopped(self) -> bool:
        """A stopped process keeps whatever it holds and lets nobody have it."""
        return self.state in {"T", "t"}


def read_entry(pid: int) -> Entry | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The program's name stands in brackets and may itself contain blanks and brackets.
    fields = text[text.rindex(b")") + 2 :].split()
    return Entry(pid, fields[0].decode(), int(fields[1]), int(fields[2]), int(fields[3]), int(fields[19]))


def living() -> list[Entry]:
    entries = (read_entry(int(folder.name)) for folder in Path("/proc").iterdir() if folder.name.isdecimal())
    return [entry for entry in entries if entry is not None and entry.lives]
