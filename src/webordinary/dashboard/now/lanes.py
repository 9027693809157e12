"""The lanes in which something happens, each with what runs in it, what it did last and what waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dashboard.now.standing import say_job, say_lane

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from webordinary.audit.entry import Entry
    from webordinary.engines.installation import Installation
    from webordinary.jobs.job import Job
    from webordinary.overview import LaneView

_STEPS = 4
_IN_LINE = 5
# Of a longer line only the length is told: the page stays quick.
_LONGEST_LINE = 50


@dataclass(frozen=True, slots=True)
class JobNow:
    """A job that is not over, and what it waits for."""

    job: Job
    words: str
    steps: Sequence[Entry] = ()


@dataclass(frozen=True, slots=True)
class LaneNow:
    """A lane as it is at this moment."""

    lane: LaneView
    words: str
    running: JobNow | None
    waiting: Sequence[JobNow]
    idle_since: datetime | None

    @property
    def more(self) -> int:
        """How many jobs wait that are not shown."""
        return max(0, self.lane.pending - len(self.waiting) - (self.running is not None))


def active_lanes(here: Installation, after: str, limit: int) -> list[LaneNow]:
    """Return the lanes that have an owner or wait for one, first those with an owner."""
    now = here.clock.now()
    return [_look_at(here, lane, now.wall_at) for lane in here.engine.overview.active(now, after=after, limit=limit)]


def _look_at(here: Installation, lane: LaneView, now: datetime) -> LaneNow:
    words = say_lane(lane, here.limits, now)
    line = here.engine.overview.live(lane.lane) if 0 < lane.pending <= _LONGEST_LINE else ()
    running = next((job for job in line if job.id == lane.running), None) or _find(here, lane.running)
    waiting = [JobNow(job, say_job(job, lane, now)) for job in line if running is None or job.id != running.id]
    runs = JobNow(running, say_job(running, lane, now), _steps(here, running)) if running else None
    return LaneNow(lane, words, runs, waiting[:_IN_LINE], None if lane.pending else _idle_since(here, lane))


def _find(here: Installation, job: str | None) -> Job | None:
    return here.engine.overview.job(job) if job else None


def _steps(here: Installation, job: Job) -> Sequence[Entry]:
    return here.engine.trail.newest(limit=_STEPS, job=job.id)


def _idle_since(here: Installation, lane: LaneView) -> datetime | None:
    """Return when the last job of the lane was over; nobody pays for knowing it."""
    if not here.config.traits.has_free_looks:
        return None
    last = next(iter(here.engine.overview.jobs(lane=lane.lane, limit=1)), None)
    return last.finished_at if last else None
