"""The file as the store of dispatch: each operation is one IMMEDIATE transaction, and workers are woken after it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

from webordinary.child import identity
from webordinary.dispatch.store import Rounds
from webordinary.engines.embedded.database import rows
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
    from webordinary.dispatch.store import DoneStep
    from webordinary.engines.embedded.database import Database
    from webordinary.engines.embedded.signals import Wakeups
    from webordinary.jobs.callbacks import Callback
    from webordinary.jobs.job import Job
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
# A limit has passed on the wall, or on the boot clock on which the deadline of what runs is.
_OVERDUE = """
SELECT lane FROM lanes WHERE overdue_at <= :now
UNION ALL
SELECT lane FROM lanes INDEXED BY lanes_owned
WHERE owner IS NOT NULL AND running IS NOT NULL AND NOT committing AND runs_until <= :boot AND lease_boot = :boot_id
"""
# Whatever is paused, in its own row or in that of its project; there is not much of it.
_BEHIND = """
SELECT lane FROM lanes INDEXED BY lanes_paused LEFT JOIN projects USING (project)
WHERE lanes.paused IS NOT NULL AND lanes.paused IS NOT projects.paused AND ifnull(lanes.project = ?1, 1)
UNION ALL
SELECT lane FROM projects INDEXED BY projects_paused CROSS JOIN lanes USING (project)
WHERE projects.paused IS NOT NULL AND lanes.paused IS NULL AND ifnull(projects.project = ?1, 1)
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
            try:
                result = decide(write)
                write.write()
                rings = write.rings()
            finally:
                write.close()
        for workers in rings:
            self._signals.wake(workers)
        self._database.sync()
        return result

    def put_off(self, claim: Claim, job: Job, done: DoneStep) -> None:
        """A write costs next to nothing here."""

    def has_put_off(self, claim: Claim, job: Job) -> bool:
        del claim, job
        return False

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
            overdue = rows(cursor, _OVERDUE, values)
            waiting = rows(cursor, _WAITING, values)
            behind = rows(cursor, _BEHIND, (None,))
        return Rounds(
            list(dict.fromkeys(row[0] for row in overdue)), [row[0] for row in behind], [row[0] for row in waiting]
        )

    def lanes_behind(self, project: str) -> list[str]:
        with self._database.read() as cursor:
            return [row[0] for row in rows(cursor, _BEHIND, (project,))]

    def tidy(self, rounds: Rounds, now: Moment) -> int:
        del rounds, now
        return 0

    def lanes_of(self, worker: str) -> list[str]:
        with self._database.read() as cursor:
            return [row[0] for row in rows(cursor, "SELECT lane FROM lanes WHERE owner = ?", (worker,))]

    def renew(self, claim: Claim, job: str | None, lease: timedelta, now: Moment) -> LaneRow:
        del job
        with self._database.write() as cursor:
            before = find_lane(cursor, claim.lane.key)
            if before is None:
                raise LostOwnership(f"there is no lane {claim.lane.key}")
            row = lane_from(before)
            row.renew(claim, lease, now)
            update_lane(cursor, row, before)
        return row

    def running(self, row: LaneRow, job: str) -> JobRow | None:
        if row.running != job:
            return None
        with self._database.read() as cursor:
            return find_job(cursor, job)

    def is_waited_for(self, row: JobRow, now: Moment) -> bool:
        """A caller that waits here reads the answer whenever it comes."""
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
        """A caller that waits here reads the answer whenever it comes, so that nothing has to be written."""
        del now
        waiting = self.callback(token)
        if waiting is None or waiting.answer is not None:
            raise LostOwnership("nobody waits for this token any more")
