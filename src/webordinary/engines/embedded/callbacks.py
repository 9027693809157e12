"""Callbacks in SQLite: the end of the job is the callback, there is no second orchestrator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.embedded.database import changed, one
from webordinary.engines.embedded.line import bells_for, end_job, refresh
from webordinary.engines.embedded.rows import find_job
from webordinary.errors import LostOwnership, TryAgain
from webordinary.jobs.callbacks import Callback
from webordinary.jobs.job import Ending, Outcome, State

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.engines.embedded.signals import Bells
    from webordinary.jobs.job import Job
    from webordinary.jobs.limits import Limits


class SqliteCallbacks:
    """One answer for each token."""

    def __init__(self, database: Database, signals: Bells, limits: Limits) -> None:
        self._database = database
        self._signals = signals
        self._limits = limits

    def succeed(self, token: str, output: str, now: Moment) -> None:
        self._answer(token, Ending(State.DONE, Outcome.ANSWERED, summary=output), now)

    def fail(self, token: str, error: str, now: Moment) -> None:
        self._answer(token, Ending(State.FAILED, error=error, words="failed", facts={"reason": error}), now)

    def beat(self, token: str, now: Moment) -> None:
        with self._database.write() as cursor:
            sql = "UPDATE callbacks SET beat_at = ? WHERE token = ? AND answer IS NULL"
            if not changed(cursor, sql, (now.seconds, token)):
                raise LostOwnership("nobody waits for this token any more")

    def read(self, token: str) -> Callback | None:
        with self._database.read() as cursor:
            row = one(cursor, "SELECT job, answer, output FROM callbacks WHERE token = ?", (token,))
        return Callback(row[0], row[1], row[2] or "") if row else None

    def _answer(self, token: str, ending: Ending, now: Moment) -> None:
        with self._database.write() as cursor:
            job = _waiting_job(cursor, token)
            if job.state == State.COMMITTING:
                raise TryAgain("the job has passed its commit point: wait, and read its outcome")
            end_job(cursor, job, ending, now)
            refresh(cursor, job.lane.key, now)
            bells = bells_for(cursor, job.lane.key, self._limits, now)
        self._signals.ring(bells)


def _waiting_job(cursor: apsw.Cursor, token: str) -> Job:
    row = one(cursor, "SELECT job FROM callbacks WHERE token = ? AND answer IS NULL", (token,))
    job = find_job(cursor, row[0]) if row else None
    if job is None:
        raise LostOwnership("nobody waits for this token any more")
    return job
