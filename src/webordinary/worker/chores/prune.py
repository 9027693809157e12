"""Prunes what is older than anybody wants to keep: a few rows in each round, until all were looked at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine
    from webordinary.jobs.retention import Lifetimes

_REST = timedelta(hours=1)


@dataclass(slots=True)
class Prune:
    """Goes through everything once an hour; every worker may do it, because what is gone is gone."""

    engine: Engine
    clock: Clock
    kept_for: Lifetimes
    _next_look: float = 0
    _begins: bool = True

    def look(self) -> None:
        """Do one small step, and rest when there is nothing more to look at."""
        now = self.clock.now()
        if now.boot < self._next_look:
            return
        if self._begins:
            self._forget_soon_forgotten(now)
        self._begins = self.engine.retention.prune(self.kept_for, now).is_through
        if self._begins:
            self._next_look = (now + _REST).boot

    def _forget_soon_forgotten(self, now: Moment) -> None:
        kept = [project.rules.retention.interruptions for project in self.engine.projects.all()]
        if kept:
            self.engine.trail.forget_before(now.wall_at - max(kept))
        self.engine.tallies.forget_before(now)
