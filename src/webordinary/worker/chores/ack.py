"""Tells people whose request takes its time that it is not forgotten: at most once for each request."""

from __future__ import annotations

from dataclasses import dataclass
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
    """Looks now and then who has waited for long."""

    engine: Engine
    clock: Clock
    _next_look: float | None = None

    def look(self) -> None:
        """Record a mail for each request that is slow or was set aside."""
        now = self.clock.now()
        if self._next_look is not None and now.boot < self._next_look:
            return
        self._next_look = (now + _LOOK_EVERY).boot
        for job, lane in self.engine.overview.late(now.wall_at - min(_SLOW, _SET_ASIDE), now):
            letter = _letter_for(job, lane, now)
            if letter is not None:
                self.engine.outbox.add(letter, now)


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
