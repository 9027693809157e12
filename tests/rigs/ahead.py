"""A clock that a test moves ahead, for all processes of its rig: how far stands in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.clock import TurnedClock

if TYPE_CHECKING:
    from datetime import datetime

AHEAD = "TESTS_AHEAD"


class Ahead(TurnedClock):
    """The machine's clock; only the wall is moved, as for somebody who slept."""

    def move_to(self, at: datetime) -> None:
        """Let it be a moment after this one, and go on from there."""
        self.turn_to(at)
