"""The sweep: what waited or ran too long fails with an answer, and what nobody heard is rung again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import Entry, What
from webordinary.engines.embedded.breaker import count_failure
from webordinary.engines.embedded.database import changed, rows
from webordinary.engines.embedded.line import bells_for, end_job, refresh
from webordinary.engines.embedded.rows import find_job, write_entry
from webordinary.jobs.job import Ending, Job, State

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.engines.embedded.signals import Bells
    from webordinary.jobs.limits import Limits

# A committing job is never failed by time: its commit may be live already, so it is settled instead. One whose owner
# is gone does not run, so that its time does not run either: it waits to be taken over.
_OVERDUE = """
SELECT j.id FROM jobs AS j JOIN lanes AS l USING (lane)
WHERE (j.state = 'preparing' AND j.prepare_by <= :now)
   OR (j.state IN ('queued', 'parked') AND j.start_by <= :now AND l.paused IS NULL)
   OR (j.state = 'running' AND j.deadline <= :now AND l.lease_boot = :boot_id AND l.lease_until > :boot)
LIMIT 50
"""
_LAPSED = "owner IS NOT NULL AND (lease_boot != :boot_id OR lease_until <= :boot)"
# Those that wait longest; the others' turn comes as soon as these are taken.
_AT_MOST = 200
_REASONS = {
    State.PREPARING: "its attachments could not be made ready in time",
    State.QUEUED: "no worker came in time",
    State.PARKED: "no worker came in time to resume it",
    State.RUNNING: "it took longer than its deadline",
}


def fail_overdue(database: Database, signals: Bells, limits: Limits, now: Moment) -> int:
    """Fail every job whose time is over, each with its answer."""
    values = {"now": now.seconds, "boot": now.boot, "boot_id": now.boot_id}
    with database.read() as cursor:
        overdue = [row[0] for row in cursor.execute(_OVERDUE, values)]
    if not overdue:
        return 0
    with database.write() as cursor:
        still = {row[0] for row in cursor.execute(_OVERDUE, values)}
        jobs = [job for job in (find_job(cursor, id_) for id_ in overdue if id_ in still) if job]
        for job in jobs:
            ending = _out_of_time(job)
            end_job(cursor, job, ending, now)
            if ending.blames_project:
                count_failure(cursor, job, ending, limits, now)
            refresh(cursor, job.lane.key, now)
        # An owner must stop what it runs, or the next in the line may start.
        bells = [bells_for(cursor, lane, limits, now) for lane in {job.lane.key for job in jobs}]
    for each in bells:
        signals.ring(each)
    return len(jobs)


def _out_of_time(job: Job) -> Ending:
    # That nobody came, or came too late, is no fault of the project.
    took_too_long = job.state == State.RUNNING
    words = "timed_out" if took_too_long else "our_fault"
    # One that was put back waits for what it was put back for.
    error = f"it waited too long: {job.error}" if job.state == State.QUEUED and job.error else _REASONS[job.state]
    return Ending(State.FAILED, error=error, words=words, blames_project=took_too_long)


def ring_what_waits(database: Database, signals: Bells, limits: Limits, now: Moment) -> int:
    """Ring for ready lanes and lapsed leases, and clear owners who are gone from empty lanes."""
    values: dict[str, Any] = {"now": now.seconds, "boot": now.boot, "boot_id": now.boot_id}
    with database.read() as cursor:
        ready = [
            row[0]
            for row in cursor.execute(
                "SELECT * FROM (SELECT lane FROM lanes WHERE ready_since IS NOT NULL AND not_before <= :now"  # noqa: S608 - constants
                f" ORDER BY ready_since LIMIT {_AT_MOST})"
                " UNION ALL"
                f" SELECT * FROM (SELECT lane FROM lanes WHERE {_LAPSED} ORDER BY lease_until LIMIT {_AT_MOST})",
                values,
            )
        ]
    if not ready:
        return 0
    bells: list[str] = []
    with database.write() as cursor:
        _clear_gone_owners(cursor, values, now)
        for lane in ready:
            bells += bells_for(cursor, lane, limits, now)
    signals.ring(bells)
    return len(ready)


def _clear_gone_owners(cursor: apsw.Cursor, values: dict[str, Any], now: Moment) -> None:
    gone = f"SELECT lane, fence FROM lanes WHERE {_LAPSED} AND pending = 0 LIMIT {_AT_MOST}"  # noqa: S608 - constants
    for lane, fence in rows(cursor, gone, values):
        sql = "UPDATE lanes SET owner = NULL, nonce = NULL WHERE lane = ? AND fence = ? AND pending = 0"
        if changed(cursor, sql, (lane, fence)):
            write_entry(cursor, Entry(What.LEASE_LAPSED, now.wall_at, lane=lane, fence=fence))
