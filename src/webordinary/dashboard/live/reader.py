"""Reads the trail from where it has come to, a piece at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.audit.entry import Entry
    from webordinary.audit.trail import Trail

# More than that at one look is told in one word: everything.
AT_ONCE = 1000


class TrailReader:
    """Knows the last number that was read; belongs to one thread, but for that number."""

    def __init__(self, trail: Trail, late: int = 0) -> None:
        """Read a trail in which an entry may turn up behind those with numbers that are greater by `late`."""
        self._trail = trail
        self._late = late
        self._seen: set[int] = set()
        self.number: int | None = None
        self.looks = 0

    def look(self) -> Sequence[Entry] | None:
        """Return what is new; None when it is too much, or when nobody knows because this is the first look."""
        self.looks += 1
        if self.number is None:
            self.number = self._trail.last_number()
            return None
        found = self._trail.read(after=self.number - self._late, limit=AT_ONCE)
        fresh = [entry for entry in found if entry.number not in self._seen] if self._late else found
        if len(found) == AT_ONCE:
            self.number = self._trail.last_number()
            return None
        self.number = max([self.number, *(entry.number for entry in fresh)])
        if self._late:
            self._seen = {entry.number for entry in found if entry.number > self.number - self._late}
        return fresh
