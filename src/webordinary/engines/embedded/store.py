"""The file as the store of dispatch: each operation is one IMMEDIATE transaction, and workers are woken after it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

from webordinary.child import identity
from webordinary.dispatch.store import Rounds
from webordinary.engines.embedded.database import changed, rows
from webordinary.engines.embedded.lane_row import find_free_lanes, find_lane, lane_from, update_lane
from webordinary.engines.embedded.rows import find_job
from webordinary.engines.embedded.write import SqliteWrite, read_callback
from webordinary.errors import LostOwnership

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime, timedelta

    from webordinary.clock import Moment
    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.lane import LaneRow
    from webordinary.engines.embedded.database import Database
    from webordinary.engines.embedded.signals import Wakeups
    from webordinary.jobs.callbacks import Callback
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim

Result = TypeVar("Result")

# Those that wait longest; the others' turn comes as soon as these are taken.
_AT_MOST = 200
_WAITING = f"""
SELECT * FROM (SELECT lane FROM lanes WHERE ready_since IS NOT NULL AND not_before <= :now
  ORDER BY ready_since LIMIT {_AT_MOST})
UNION ALL
SELECT * FROM (SELECT lane FROM lanes WHERE owner IS NOT NULL AND (lease_boot != :boot_id OR lease_until <= :boot)
  ORDER BY lease_until LIMIT {_AT_MOST})
"""  # noqa: S608 - constants
_BEHIND = "SELECT lane FROM lanes JOIN projects USING (project) WHERE lanes.paused IS NOT projects.paused"
# By its token: the table has no other key, and a beat must not read all of it.
_BEAT_CALLBACK = """
UPDATE callbacks SET beat_at = ? WHERE token = (SELECT token FROM jobs WHERE id = ?) AND answer IS NULL
"""


class SqliteStore:
    """Lanes, jobs, projects and workers in one file."""

    most_at_once = 50
    lanes_at_once = _AT_MOST

    def __init__(self, database: Database, signals: Wakeups, limits: Limits) -> None:
        self._database = database
        self._signals = signals
        self.limits = limits
        self._process = identity(os.getpid())

    def change(self, decide: Callable[[SqliteWrite], Result], now: Moment) -> Result:
        """Nobody else writes between the look and the write, so that nothing is decided twice.

        Who is woken writes before it does anything, so its own sync is behind this one: it need not wait for both.
        """
        with self._database.write_unsynced() as cursor:
            write = SqliteWrite(cursor, self.limits, now)
            result = decide(write)
            write.write()
            rings = write.rings()
        for workers in rings:
            self._signals.wake(workers)
        self._database.sync()
        return result

    def require_space(self) -> None:
        self._database.require_space()

    def free_lanes(self, now: Moment, *, besides: str = "") -> list[LaneRow]:
        with self._database.read() as cursor:
            return [lane_from(row) for row in find_free_lanes(cursor, now, besides, 1)]

    def called_for(self, worker: str) -> str | None:
        """A wake-up tells a worker nothing else."""
        del worker
        return None

    def rounds(self, now: Moment) -> Rounds:
        values = {"now": now.seconds, "boot": now.boot, "boot_id": now.boot_id}
        with self._database.read() as cursor:
            overdue = rows(cursor, "SELECT lane FROM lanes WHERE overdue_at <= ?", (now.seconds,))
            waiting = rows(cursor, _WAITING, values)
            behind = rows(cursor, _BEHIND)
        return Rounds([row[0] for row in overdue], [row[0] for row in behind], [row[0] for row in waiting])

    def lanes_behind(self, project: str) -> list[str]:
        with self._database.read() as cursor:
            return [row[0] for row in rows(cursor, f"{_BEHIND} AND lanes.project = ?", (project,))]

    def tidy(self, rounds: Rounds, now: Moment) -> int:
        del rounds, now
        return 0

    def lanes_of(self, worker: str) -> list[str]:
        with self._database.read() as cursor:
            return [row[0] for row in rows(cursor, "SELECT lane FROM lanes WHERE owner = ?", (worker,))]

    def renew(self, claim: Claim, job: str | None, lease: timedelta, now: Moment) -> LaneRow:
        with self._database.write() as cursor:
            before = find_lane(cursor, claim.lane.key)
            if before is None:
                raise LostOwnership(f"there is no lane {claim.lane.key}")
            row = lane_from(before)
            row.renew(claim, lease, now)
            update_lane(cursor, row, before)
            if job is not None:
                cursor.execute(_BEAT_CALLBACK, (now.seconds, job))
        return row

    def running(self, row: LaneRow, job: str) -> JobRow | None:
        if row.running != job:
            return None
        with self._database.read() as cursor:
            return find_job(cursor, job)

    def is_waited_for(self, row: JobRow, now: Moment) -> bool:
        """Whoever waits here reads the answer whenever it comes."""
        del row, now
        return True

    def wait_for_work(self, worker: str, now: Moment) -> None:
        with self._database.write() as cursor:
            cursor.execute(
                "INSERT INTO workers (worker, process, idle, idle_at, seen_at)"
                " VALUES (:worker, :process, 1, :now, :now)"
                " ON CONFLICT (worker) DO UPDATE SET idle = 1, idle_at = :now, seen_at = :now",
                {"worker": worker, "process": self._process, "now": now.seconds},
            )

    def say_health(self, worker: str, failures: int, holds_back_until: datetime | None, now: Moment) -> None:
        until = holds_back_until.timestamp() if holds_back_until else None
        with self._database.write() as cursor:
            cursor.execute(
                "UPDATE workers SET claims_failed = claims_failed + ?, holds_back_until = ?, seen_at = ?"
                " WHERE worker = ?",
                (failures, until, now.seconds, worker),
            )

    def forget_worker(self, worker: str) -> None:
        with self._database.write() as cursor:
            cursor.execute("DELETE FROM workers WHERE worker = ?", (worker,))

    def callback(self, token: str) -> Callback | None:
        with self._database.read() as cursor:
            return read_callback(cursor, token)

    def beat_callback(self, token: str, now: Moment) -> None:
        with self._database.write() as cursor:
            sql = "UPDATE callbacks SET beat_at = ? WHERE token = ? AND answer IS NULL"
            if not changed(cursor, sql, (now.seconds, token)):
                raise LostOwnership("nobody waits for this token any more")
