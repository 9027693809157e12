"""Totals: what was counted since the installation began, and up to which number of the trail.

The port keeps them where the trail is kept, so that no restart, no second process and no restore sets a counter back
or counts anything twice.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Protocol

import msgspec

# Upper limits in seconds: from a claim within milliseconds to a job that waited for hours.
LIMITS = (0.05, 0.1, 0.5, 1.0, 5.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0, 3600.0, 14400.0)
# Between the values of labels, none of which can hold it.
_BETWEEN = "\t"


class Spread(msgspec.Struct):
    """How long things took: how many within each limit but not within the one before, and all seconds together."""

    counts: list[int] = msgspec.field(default_factory=lambda: [0] * (len(LIMITS) + 1))
    seconds: float = 0.0

    def note(self, seconds: float) -> None:
        self.counts[bisect_left(LIMITS, seconds)] += 1
        self.seconds += seconds


class Totals(msgspec.Struct):
    """Everything counted so far; the values of its labels stand joined in one text."""

    # The last entry of the trail that is counted.
    number: int = 0
    # Whether the end of the trail was reached once: before that the counters are half of the truth.
    is_whole: bool = False
    counts: dict[str, dict[str, float]] = {}
    spreads: dict[str, dict[str, Spread]] = {}
    # What the rows of living workers said when they were last looked at: claims lost and failed.
    workers: dict[str, tuple[int, int]] = {}

    def add(self, name: str, *labels: str, by: float = 1) -> None:
        """Count one more, or so many more."""
        of_name, key = self.counts.setdefault(name, {}), key_of(*labels)
        of_name[key] = of_name.get(key, 0) + by

    def note(self, name: str, seconds: float, *labels: str) -> None:
        """Count something that took so long."""
        self.spreads.setdefault(name, {}).setdefault(key_of(*labels), Spread()).note(seconds)


def key_of(*labels: str) -> str:
    """Return the key of a series with these values of its labels."""
    return _BETWEEN.join(labels)


def labels_in(key: str) -> list[str]:
    """Return the values of the labels under which something was counted."""
    return key.split(_BETWEEN)


class KeptTotals(Protocol):
    """Keeps the totals of an installation; of two who went on from the same number only one is believed."""

    def read(self) -> Totals | None:
        """Return what was kept last; None if nobody ever counted."""

    def replace(self, totals: Totals, before: int | None) -> bool:
        """Keep these instead of those up to the number `before`; False when somebody else has gone on from there."""
