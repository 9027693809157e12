"""Starts planned changes: each moment that has come becomes one job in the lane of the person who planned it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.about import moment_of
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.jobs.schedules import BY_TIME

if TYPE_CHECKING:
    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine
    from webordinary.jobs.schedules import Schedule

# It waits for its turn like everybody, and pushes nobody aside.
_QUEUE = InterruptRule(on_new_thread="queue")


@dataclass(frozen=True, slots=True)
class Punctual:
    """Everybody may look at any time: a moment has one key, so its job is accepted once."""

    engine: Engine
    clock: Clock

    def look(self) -> None:
        """Accept a job for each moment that has come, also for those that nobody was there for."""
        now = self.clock.now()
        for schedule in self.engine.schedules.due(now):
            # The job first: after a crash in between it is accepted again under the same key, and only once.
            self.engine.lanes.accept(self.job_of(schedule, now), now, ready=_QUEUE)
            self.engine.schedules.close(schedule.id, BY_TIME, now)

    def job_of(self, schedule: Schedule, now: Moment) -> NewJob:
        """Return the job of a moment; its answer finds into the conversation in which it was planned."""
        planned = self.engine.overview.job(schedule.job)
        asked = planned.request if planned else Request("")
        request = Request(
            asked.text, reply_to=schedule.reply_to, message_id=asked.message_id, references=asked.references
        )
        return NewJob(
            id=f"job-{secrets.token_hex(6)}",
            lane=schedule.lane,
            thread=schedule.thread,
            dedup_key=f"schedule:{schedule.id}",
            kind=Kind.SCHEDULED,
            subject=planned.subject if planned else "",
            request=request,
            received_at=now.wall_at,
            about=moment_of(schedule.id),
        )
