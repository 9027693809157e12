"""Whose branch a job works on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.jobs.about import About, Errand, read_about
from webordinary.jobs.schedules import timed_name

if TYPE_CHECKING:
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job


def branch_of(engine: Engine, job: Job) -> str:
    """Return the branch's name.

    An undo has its own, because its thread's may hold what waits for an ok; a timed change has one too, in which also
    an ok works that it turned out to need.
    """
    match read_about(job.about):
        case About(Errand.REVERT, _):
            return job.id
        case About(Errand.SCHEDULE, name):
            schedule = engine.schedules.find(name)
            return schedule.name if schedule else timed_name(name)
        case About(Errand.APPROVE, proposal):
            proposed = engine.overview.job(proposal)
            return branch_of(engine, proposed) if proposed else job.thread
        case _:
            return job.thread
