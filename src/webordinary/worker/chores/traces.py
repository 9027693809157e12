"""One trace for each mail whose job is over and answered, made of the trail and sent once."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from webordinary.jobs.figures import ENDS
from webordinary.jobs.spans import is_told, spans_of
from webordinary.mail.tallies import TallyLimit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine
    from webordinary.jobs.spans import WaySpan

_log = logging.getLogger(__name__)
_MOST_AT_ONCE = 1000
# For how long an answer is waited for before the trace goes without it.
_UNANSWERED = timedelta(minutes=10)
_REST = timedelta(minutes=1)


class TraceSink(Protocol):
    """Where traces go; it takes a moment at most and never fails."""

    def send(self, trace: str, spans: Sequence[WaySpan]) -> bool:
        """Send a trace under a name; False when nobody took it."""


@dataclass(slots=True)
class Traces:
    """Every worker may look: of all who follow the trail, one sends the trace of a job."""

    name: str
    engine: Engine
    clock: Clock
    sink: TraceSink
    _after: int = -1
    _ended: deque[tuple[str, float]] = field(default_factory=deque)
    _rests_until: float = 0

    def look(self) -> None:
        """Send what is over; who cannot send rests for a minute, because nothing may wait for a trace."""
        now = self.clock.now()
        self._follow(now)
        for _ in range(len(self._ended)):
            if now.boot < self._rests_until:
                return
            job, since = self._ended.popleft()
            if not self._is_done_with(job, now.boot - since >= _UNANSWERED.total_seconds(), now):
                self._ended.append((job, since))

    def _follow(self, now: Moment) -> None:
        trail = self.engine.trail
        found = trail.newest(limit=_MOST_AT_ONCE) if self._after < 0 else trail.read(after=self._after)
        self._after = found[-1].number if found else max(self._after, 0)
        self._ended += [(entry.job, now.boot) for entry in found if entry.what in ENDS and entry.job is not None]
        while len(self._ended) > _MOST_AT_ONCE:
            self._ended.popleft()

    def _is_done_with(self, job: str, is_late: bool, now: Moment) -> bool:  # noqa: FBT001 - asked in one place
        entries, found = self.engine.trail.read(job=job), self.engine.overview.job(job)
        if found is None or found.state.is_live or found.mail is None:
            return True
        if not is_told(entries) and not is_late:
            return False
        # The first worker that is recorded owns it (a claim); that worker may retry.
        if self.engine.tallies.note(self.name, [TallyLimit(f"trace:{job}", 1)], now) is not None:
            return True
        if not self.sink.send(found.mail, spans_of(found, entries)):
            _log.warning("nobody takes traces; those of this minute are tried again")
            self._rests_until = (now + _REST).boot
            return False
        return True
