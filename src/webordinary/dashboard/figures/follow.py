"""Follows the trail by its number and adds up what it says; nothing is ever counted by looking at everything."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.jobs.counting import CLAIMS, count
from webordinary.metrics.totals import Totals

if TYPE_CHECKING:
    from datetime import timedelta

    from webordinary.clock import Moment
    from webordinary.engine import Engine

_PIECE = 1000
# A scrape waits ten seconds by itself; an old installation is caught up with over several of them.
_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Following:
    """Goes on from where anybody stopped; `behind` is how far the trail may still be written to behind its end."""

    engine: Engine
    behind: timedelta

    def catch_up(self, now: Moment) -> Totals:
        """Count what has happened since, for a second at most, and keep it."""
        known = self.engine.totals.read()
        totals, before = known or Totals(), known.number if known else None
        was_whole = totals.is_whole
        has_changed = self._read_on(totals, now) or self._count_claims(totals) or totals.is_whole != was_whole
        if (has_changed or known is None) and not self.engine.totals.replace(totals, before):
            # Another dashboard has gone on from there; what it has counted holds.
            return self.engine.totals.read() or totals
        return totals

    def _read_on(self, totals: Totals, now: Moment) -> bool:
        began, ends_at = totals.number, time.monotonic() + _SECONDS
        while time.monotonic() < ends_at:
            entries = self.engine.trail.read(after=totals.number, limit=_PIECE)
            complete = [entry for entry in entries if entry.at <= now.wall_at - self.behind] if self.behind else entries
            for entry in complete:
                count(entry, totals)
            if len(complete) < _PIECE:
                totals.is_whole = True
                break
        return totals.number != began

    def _count_claims(self, totals: Totals) -> bool:
        """Count the claims that were lost or failed, which only the rows of living workers say."""
        seen = {view.worker: (view.claims_lost, view.claims_failed) for view in self.engine.overview.workers()}
        for worker, (lost, failed) in seen.items():
            lost_before, failed_before = totals.workers.get(worker, (0, 0))
            if more := max(0, lost - lost_before):
                totals.add(CLAIMS, "lost", by=more)
            if more := max(0, failed - failed_before):
                totals.add(CLAIMS, "failed", by=more)
        has_changed = seen != totals.workers
        totals.workers = seen
        return has_changed
