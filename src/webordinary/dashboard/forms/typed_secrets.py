"""Secrets between the form and the ok: kept in memory for some minutes, and put into no page."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from webordinary.clock import Clock

_KEPT_FOR = timedelta(minutes=15)
_MOST = 50


@dataclass(frozen=True, slots=True)
class _Typed:
    viewer: str
    until: datetime
    values: Mapping[str, str] = field(repr=False)


class TypedSecrets:
    """What was typed, by a ticket that only the same viewer can show; the oldest go first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._kept: dict[str, _Typed] = {}

    def keep(self, viewer: str, values: Mapping[str, str]) -> str:
        """Keep secrets, and return their ticket; nothing needs none."""
        if not values:
            return ""
        ticket, now = secrets.token_urlsafe(24), self._clock.now().wall_at
        with self._lock:
            fresh = {name: each for name, each in self._kept.items() if each.until > now}
            while len(fresh) >= _MOST:
                del fresh[next(iter(fresh))]
            self._kept = {**fresh, ticket: _Typed(viewer, now + _KEPT_FOR, dict(values))}
        return ticket

    def find(self, viewer: str, ticket: str) -> Mapping[str, str]:
        """Return what was kept for this viewer under a ticket; nothing if it is too old."""
        with self._lock:
            found = self._kept.get(ticket)
        if found is None or found.viewer != viewer or found.until <= self._clock.now().wall_at:
            return {}
        return found.values

    def drop(self, ticket: str) -> None:
        with self._lock:
            self._kept.pop(ticket, None)
