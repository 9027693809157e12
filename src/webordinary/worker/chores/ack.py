"""Tells people whose request takes its time that it is not forgotten: at most once for each request."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.jobs.job import State
from webordinary.reply.outbox import ACK, ON_HOLD, Letter

if TYPE_CHECKING:
    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.overview import LaneView

_LOOK_EVERY = timedelta(seconds=30)
# Who gets the answer itself within these times needs no other mail.
_SLOW = timedelta(minutes=5)
_SET_ASIDE = timedelta(minutes=1)


@dataclass(slots=True)
class Ack:
    """Looks now and then at the lanes in which somebody waits."""

    engine: Engine
    clock: Clock
    _told: set[str] = field(default_factory=set)
    _next_look: float | None = None

    def look(self) -> None:
        """Record a mail for each request that is slow or was set aside."""
        now = self.clock.now()
        if self._next_look is not None and now.boot < self._next_look:
            return
        self._next_look = (now + _LOOK_EVERY).boot
        for lane in self.engine.overview.lanes(now):
            if lane.pending:
                self._look_at(lane, now)

    def _look_at(self, lane: LaneView, now: Moment) -> None:
        for job in self.engine.overview.live(lane.lane):
            letter = _letter_for(job, lane, now)
            if letter is not None and letter.key not in self._told:
                self.engine.outbox.add(letter, now)
                self._told.add(letter.key)


def _letter_for(job: Job, lane: LaneView, now: Moment) -> Letter | None:
    to, waits = job.request.reply_to, now.wall_at - job.received_at
    if to is None:
        return None
    if job.state is State.PARKED and waits >= _SET_ASIDE:
        newer = {"newer_job": lane.running} if lane.running else {}
        return Letter(f"{job.id}.{ACK}", ACK, to, "set_aside", newer, job.id, job.mail)
    if job.state is not State.COMMITTING and waits >= _SLOW:
        return Letter(f"{job.id}.{ACK}", ACK, to, ON_HOLD if lane.paused else "ack", {}, job.id, job.mail)
    return None
