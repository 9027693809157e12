"""Tallies: how many there were of something in some time, which is what limits are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from webordinary.clock import Moment


class Tallies(Protocol):
    """Counts things by name, each once however often it is noted; what is too old is forgotten."""

    def note(self, tally: str, thing: str, now: Moment, *, most: int) -> int:
        """Note a thing and return how many there are with it; `most` + 1 when there is no room for it any more."""

    def count(self, tally: str) -> int:
        """Return how many were noted."""

    def forget_before(self, now: Moment) -> None:
        """Forget what was noted so long ago that no limit looks at it."""
