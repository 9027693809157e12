"""The number beside "Needs you" on every page: counted again after a few seconds, not for every page."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.dashboard.needs.gather import count_needs, gather
from webordinary.dashboard.needs.need import NeedsAsked
from webordinary.overview.filters import Count

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.dashboard.looks import Looks
    from webordinary.dashboard.needs.gather import GatheredNeeds
    from webordinary.engines.installation import Installation

_GOOD_FOR = timedelta(seconds=5)
# As many kinds of viewers are remembered: each client has a number of their own.
_MOST = 200


@dataclass(slots=True)
class NeedsBadge:
    """What was counted last for each kind of viewer."""

    here: Installation
    looks: Looks
    _known: dict[tuple[str, ...] | None, tuple[datetime, Count]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, projects: tuple[str, ...] | None) -> Count:
        """Return how much needs a viewer of these projects."""
        now = self.here.clock.now()
        at, known = self._known.get(projects, (None, Count(0)))
        if at is not None and timedelta(0) <= now.wall_at - at < _GOOD_FOR:
            return known
        return self.note(projects, gather(NeedsAsked(self.here, self.looks, now, projects)))

    def note(self, projects: tuple[str, ...] | None, gathered: list[GatheredNeeds]) -> Count:
        """Remember what somebody has just counted."""
        counted = count_needs(gathered)
        with self._lock:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[projects] = (self.here.clock.now().wall_at, counted)
        return counted
