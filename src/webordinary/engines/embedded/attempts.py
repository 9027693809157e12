"""Attempts in SQLite: every write shows the fence, and a job that is over takes no second outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.audit.entry import What
from webordinary.engines.embedded.breaker import count_failure, forgive_failures
from webordinary.engines.embedded.cancels import obey_cancel, stopped_by
from webordinary.engines.embedded.database import changed, one
from webordinary.engines.embedded.head import again_in, find_head
from webordinary.engines.embedded.line import (
    end_job,
    entry_for,
    others_wait,
    park_job,
    refresh,
    require_running,
    start_head,
)
from webordinary.engines.embedded.proposals import put_forward
from webordinary.engines.embedded.rows import find_job, storable, text_of, write_entry
from webordinary.engines.embedded.schedules import add_schedule
from webordinary.engines.embedded.taking import bells_for_the_rest, count_claim, find_lane, leave_lane, take_lane
from webordinary.errors import Interrupted, LostOwnership
from webordinary.jobs.job import Ending, Job, State
from webordinary.jobs.stopped import unless_stopped
from webordinary.ownership.claim import Next

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import timedelta

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.engines.embedded.line import LaneRow
    from webordinary.engines.embedded.signals import Bells
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim, Claimed


# Whoever holds the slot must still run that job under that fence, and be alive; nothing else has to clean up.
_TAKE_SLOT = """
INSERT INTO publish_slots (project, lane, job, fence) VALUES (:project, :lane, :job, :fence)
ON CONFLICT (project) DO UPDATE SET lane = :lane, job = :job, fence = :fence
WHERE publish_slots.job = :job OR NOT EXISTS (
  SELECT 1 FROM lanes WHERE lanes.lane = publish_slots.lane AND lanes.running = publish_slots.job
  AND lanes.fence = publish_slots.fence AND lanes.lease_boot = :boot_id AND lanes.lease_until > :boot)
"""
# A lease that is over stays so.
_STAY = """
UPDATE lanes SET lease_until = ? WHERE lane = ? AND lease_boot = ? AND lease_until > ? RETURNING pending, first_thread
"""


class SqliteAttempts:
    """What only the current owner may write about its job."""

    def __init__(self, database: Database, signals: Bells, limits: Limits) -> None:
        self._database = database
        self._signals = signals
        self._limits = limits

    def journal(self, claim: Claim, job: Job, step: str, facts: Mapping[str, str], now: Moment) -> Job:
        with self._database.write() as cursor:
            running = require_running(cursor, claim, job)
            steps = text_of({**running.journal, step: now.wall_at.isoformat(), **facts})
            cursor.execute("UPDATE jobs SET journal = ? WHERE id = ?", (steps, job.id))
            about = entry_for(What.STEP, running, now, worker=claim.worker, text=step, facts=dict(facts))
            write_entry(cursor, about)
            return _read(cursor, job)

    def take_publish_slot(self, claim: Claim, job: Job, now: Moment) -> bool:
        with self._database.write() as cursor:
            require_running(cursor, claim, job)
            values = {
                "project": claim.lane.project,
                "lane": claim.lane.key,
                "job": job.id,
                "fence": claim.fence,
            }
            return bool(changed(cursor, _TAKE_SLOT, {**values, "boot": now.boot, "boot_id": now.boot_id}))

    def leave_publish_slot(self, claim: Claim, job: Job, now: Moment) -> None:  # noqa: ARG002 - as the port has it
        with self._database.write() as cursor:
            require_running(cursor, claim, job)
            sql = "DELETE FROM publish_slots WHERE project = ? AND job = ? AND fence = ?"
            cursor.execute(sql, (claim.lane.project, job.id, claim.fence))

    def pass_commit_point(self, claim: Claim, job: Job, commit: str, now: Moment) -> Job:
        with self._database.write() as cursor:
            running = require_running(cursor, claim, job, only=State.RUNNING)
            due = one(
                cursor,
                "SELECT 1 FROM jobs WHERE id = ? AND cancel IS NOT NULL AND cancel_not_before <= ?",
                (job.id, now.seconds),
            )
            if due is not None:
                raise Interrupted("asked to stop before the commit point")
            # An interrupt that is not due yet has come too late: from here the job is finished first.
            cursor.execute(
                "UPDATE jobs SET state = 'committing', commit_id = ?, cancel = NULL, cancel_by = NULL,"
                " cancel_fence = NULL, cancel_not_before = NULL WHERE id = ?",
                (commit, job.id),
            )
            about = entry_for(What.COMMIT_POINT, running, now, worker=claim.worker, facts={"commit": commit})
            write_entry(cursor, about)
            return _read(cursor, job)

    def reopen(self, claim: Claim, job: Job, why: str, now: Moment) -> Job:
        with self._database.write() as cursor:
            running = require_running(cursor, claim, job, only=State.COMMITTING)
            deadline = (now + self._limits.deadline).seconds
            sql = "UPDATE jobs SET state = 'running', commit_id = NULL, deadline = ? WHERE id = ?"
            cursor.execute(sql, (deadline, job.id))
            write_entry(cursor, entry_for(What.COMMIT_REOPENED, running, now, worker=claim.worker, text=why))
            return _read(cursor, job)

    def finish(self, claim: Claim, job: Job, ending: Ending, now: Moment, *, give_way: bool = False) -> Next:
        with self._database.write() as cursor:
            running = require_running(cursor, claim, job)
            ending = unless_stopped(ending, stopped_by(cursor, running))
            end_job(cursor, running, ending, now, worker=claim.worker)
            if ending.proposal is not None:
                put_forward(cursor, ending.proposal, now)
            for schedule in ending.schedules:
                add_schedule(cursor, schedule, now)
            if ending.blames_project:
                count_failure(cursor, running, ending, self._limits, now)
            else:
                forgive_failures(cursor, running.lane.project)
            another = find_lane(cursor, now, besides=claim.lane.key) if give_way else None
            if another is None:
                return self._next(cursor, claim, now)
            claimed = self._change_lanes(cursor, claim, another, now)
            bells = bells_for_the_rest(cursor, claimed, now)
        self._signals.ring(bells)
        return Next(others_wait=True, claimed=claimed)

    def park(self, claim: Claim, job: Job, now: Moment) -> Next:
        with self._database.write() as cursor:
            running = require_running(cursor, claim, job, only=State.RUNNING)
            # Since the owner heard of the interrupt, a person may have stopped the job for good.
            if not obey_cancel(cursor, running, claim.worker, self._limits, now):
                park_job(cursor, running, self._limits, now, worker=claim.worker)
            return self._next(cursor, claim, now)

    def retry(
        self, claim: Claim, job: Job, error: str, wait: timedelta, now: Moment, *, is_counted: bool = True
    ) -> Next:
        with self._database.write() as cursor:
            # Past the commit point nothing is tried again: its commit may be live, so it is settled.
            running = require_running(cursor, claim, job, only=State.RUNNING)
            if obey_cancel(cursor, running, claim.worker, self._limits, now):
                return self._next(cursor, claim, now)
            cursor.execute(
                "UPDATE jobs SET state = 'queued', not_before = ?, error = ?, deadline = NULL, attempt = attempt - ?"
                " WHERE id = ?",
                ((now + wait).seconds, storable(error), 0 if is_counted else 1, job.id),
            )
            cursor.execute("UPDATE lanes SET running = NULL WHERE lane = ?", (claim.lane.key,))
            facts = {"attempt": str(running.attempt), "wait_s": f"{wait.total_seconds():g}"}
            about = entry_for(What.JOB_RETRIED, running, now, worker=claim.worker, text=error, facts=facts)
            write_entry(cursor, about)
            return self._next(cursor, claim, now)

    def _next(self, cursor: apsw.Cursor, claim: Claim, now: Moment) -> Next:
        refresh(cursor, claim.lane.key, now)
        if others_wait(cursor, claim.lane.key, now):
            # While others wait, a turn is one job.
            return Next(others_wait=True)
        started = start_head(cursor, claim, self._limits, now)
        return Next(started) if started else self._stay(cursor, claim, now)

    def _stay(self, cursor: apsw.Cursor, claim: Claim, now: Moment) -> Next:
        """Let an owner that has nothing to do keep its lane for as long as idle ones do."""
        lease_until = (now + self._limits.idle_lease).boot
        row = one(cursor, _STAY, (lease_until, claim.lane.key, now.boot_id, now.boot))
        head = find_head(cursor, claim.lane.key, row[1]) if row is not None and row[0] > 0 else None
        return Next(again_in=again_in(head, now))

    def _change_lanes(self, cursor: apsw.Cursor, claim: Claim, another: LaneRow, now: Moment) -> Claimed:
        """Take the lane that waits longest instead of this one, which goes to the end of those that wait."""
        leave_lane(cursor, claim, now)
        claimed = take_lane(cursor, another, claim.worker, self._limits, now)
        if claimed is None:
            raise AssertionError(f"{another.lane} was free in this very transaction")
        count_claim(cursor, claim.worker, "claims_won", now)
        return claimed


def _read(cursor: apsw.Cursor, job: Job) -> Job:
    found = find_job(cursor, job.id)
    if found is None:
        raise LostOwnership(f"there is no job {job.id}")
    return found
