"""Tells people whose request takes its time that it is not forgotten: at most once for each request."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.jobs.job import State
from webordinary.jobs.journal import Step
from webordinary.reply.outbox import ACK, ON_HOLD, WAITS_FOR_MONEY, Letter

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
        late = self.engine.overview.late(now.wall_at - min(_SLOW, _SET_ASIDE), now)
        # The jobs behind one of these in its lane wait for the same.
        without_money = {lane.lane for job, lane in late if _has_no_money(job)}
        for job, lane in late:
            letter = _letter_for(job, lane, now, has_money=lane.lane not in without_money)
            if letter is not None and not self._was_told_why(job):
                self.engine.outbox.add(letter, now)

    def _was_told_why(self, job: Job) -> bool:
        """Tell whether somebody knows already what a request waits, or has waited, for: that is said once."""
        return self.engine.outbox.written(f"{job.id}.{WAITS_FOR_MONEY}") is not None


def _has_no_money(job: Job) -> bool:
    return job.state is State.QUEUED and Step.OUT_OF_MONEY in job.journal


def _letter_for(job: Job, lane: LaneView, now: Moment, *, has_money: bool) -> Letter | None:
    to, waits = job.request.reply_to, now.wall_at - job.received_at
    if to is None or Step.OUT_OF_MONEY in job.journal:
        # Who was told why it waits need not hear that it does.
        return None
    if job.state is State.PARKED and waits >= _SET_ASIDE:
        newer = {"newer_job": lane.running} if lane.running else {}
        return Letter(f"{job.id}.{ACK}", ACK, to, "set_aside", newer, job.id, job.mail)
    if job.state is not State.COMMITTING and waits >= _SLOW:
        if not has_money and not lane.paused:
            return Letter(f"{job.id}.{WAITS_FOR_MONEY}", ACK, to, WAITS_FOR_MONEY, {}, job.id, job.mail)
        return Letter(f"{job.id}.{ACK}", ACK, to, ON_HOLD if lane.paused else "ack", {}, job.id, job.mail)
    return None
