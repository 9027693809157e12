"""Cancels: set for one job under one fence, and obeyed also when the owner that should have obeyed is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import one
from webordinary.engines.embedded.line import end_job, park_job
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import Ending, Job, State

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment
    from webordinary.jobs.limits import Limits


# A person does not wait, whatever the wall clock is set to meanwhile.
AT_ONCE = 0.0


def set_cancel(cursor: apsw.Cursor, job: Job, why: Why, by: str, due: float) -> None:
    """Ask exactly this attempt of this job to stop."""
    cursor.execute(
        "UPDATE jobs SET cancel = ?, cancel_by = ?, cancel_fence = ?, cancel_not_before = ? WHERE id = ?",
        (why.value, by, job.fence, due, job.id),
    )


def hasten_cancel(cursor: apsw.Cursor, job: Job, by: str) -> None:
    """Interrupt by hand: who asked before keeps the say and the turn, and is only due at once."""
    cursor.execute(
        "UPDATE jobs SET cancel = coalesce(cancel, ?), cancel_by = coalesce(cancel_by, ?), cancel_fence = ?,"
        " cancel_not_before = ? WHERE id = ?",
        (Why.INTERRUPT.value, by, job.fence, AT_ONCE, job.id),
    )


def obey_cancel(cursor: apsw.Cursor, job: Job, worker: str, limits: Limits, now: Moment) -> bool:
    """Park or end a running job that was asked to stop; False when nobody asked."""
    row = one(cursor, "SELECT cancel, cancel_by FROM jobs WHERE id = ? AND cancel IS NOT NULL", (job.id,))
    if row is None:
        return False
    if row[0] == Why.INTERRUPT:
        park_job(cursor, job, limits, now, worker=worker)
    else:
        end_job(cursor, job, ending_for(Why(row[0]), row[1]), now, worker=worker)
    return True


def stopped_by(cursor: apsw.Cursor, job: Job) -> str | None:
    """Return the person who asked a running job to stop for good."""
    row = one(cursor, "SELECT cancel_by FROM jobs WHERE id = ? AND cancel = ?", (job.id, Why.STOP.value))
    return row[0] if row else None


def ending_for(why: Why, by: str) -> Ending:
    """Return how a job ends that was stopped for good."""
    if why == Why.STOP:
        return Ending(State.STOPPED, error=f"stopped by {by}", words="stopped")
    return Ending(State.STOPPED, error=f"dropped for the newer {by}", words="dropped", facts={"newer_job": by})
