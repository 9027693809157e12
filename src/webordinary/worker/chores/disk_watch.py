"""Tells the agency of a disk that has been nearly full for minutes: mails are put off then, and no job says it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.reply.outbox import outage
from webordinary.worker.outages import LITTLE, is_full

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.clock import Clock
    from webordinary.reply.outbox import Letter, Outbox

_IT_LASTS = timedelta(minutes=2)


@dataclass(slots=True)
class DiskWatch:
    """Every worker may look: the letter of a day has one name. What a full disk did not take is written later."""

    data: Path
    outbox: Outbox
    clock: Clock
    agency: str
    little: int = LITTLE
    _since: float | None = None
    _untold: Letter | None = None
    _told: str = ""

    def look(self) -> None:
        now = self.clock.now()
        if not is_full(self.data, self.little):
            self._since = None
        elif self._since is None:
            self._since = now.boot
        elif now.boot - self._since >= _IT_LASTS.total_seconds():
            reason = f"the disk under {self.data} is full or nearly so, free some space; mails are put off until then"
            letter = outage(reason, self.agency, now.wall_at, "disk")
            self._untold = letter if letter.key != self._told else None
        if self._untold is not None:
            self.outbox.add(self._untold, now)
            self._told, self._untold = self._untold.key, None
