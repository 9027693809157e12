"""Tallies: how many there were of something in some time, which is what limits are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.clock import Moment


class TallyLimit(NamedTuple):
    """A tally, and how many things it may hold."""

    tally: str
    most: int


class Tallies(Protocol):
    """Counts things by name, each once however often it is noted; what is too old is forgotten."""

    def note(self, thing: str, bounds: Sequence[TallyLimit], now: Moment) -> str | None:
        """Note a thing in one tally after the other; return the first that has no room for it, and note no further."""

    def count(self, tally: str) -> int:
        """Return how many were noted."""

    def forget_before(self, now: Moment) -> None:
        """Forget what was noted so long ago that no limit looks at it."""
