"""Retention: how long the rows of ended work are kept, and the port that prunes them in small steps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from webordinary.clock import Moment

# So many of the newest jobs of each lane stay, however old: `undo` reaches them after a quiet year too.
NEWEST_OF_A_LANE = 20


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How long each kind is kept when nothing needs it any more; what each is stands in the configuration."""

    jobs: timedelta = timedelta(days=180)
    letters: timedelta = timedelta(days=30)
    previews: timedelta = timedelta(days=30)
    request_keys: timedelta = timedelta(days=400)


class Pruned(NamedTuple):
    """What one step has removed, and whether everything has been looked at once."""

    rows: int
    is_through: bool


class Pruning(Protocol):
    """Removes what is old and not needed: no open proposal, timed change or live job loses anything."""

    def prune(self, kept_for: Lifetimes, now: Moment) -> Pruned:
        """Look at the next few rows and remove what is too old, in one short transaction."""
