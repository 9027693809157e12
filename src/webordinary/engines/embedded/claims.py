"""Claims in SQLite: one conditional write takes a lane, and the row count says who won."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import Entry, What
from webordinary.child import identity
from webordinary.clock import from_seconds
from webordinary.engines.embedded.cancels import obey_cancel
from webordinary.engines.embedded.database import changed, one, rows
from webordinary.engines.embedded.line import (
    LEFT_BEHIND,
    bells_for,
    end_job,
    entry_for,
    find_head,
    idle_workers,
    others_wait,
    read_lane,
    refresh,
    require_owner,
    start_head,
    start_job,
)
from webordinary.engines.embedded.rows import find_job, write_entry
from webordinary.errors import LostOwnership
from webordinary.interrupts.interrupt import Interrupt, Why
from webordinary.jobs.job import Ending, Job, State
from webordinary.ownership.claim import Beat, Claim, Claimed, Next
from webordinary.ownership.claims import LostClaim
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from datetime import datetime

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.interrupts.signals import Signals
    from webordinary.jobs.limits import Limits

_READY = """
SELECT lane FROM lanes WHERE ready_since IS NOT NULL AND owner IS NULL AND not_before <= :now
ORDER BY ready_since LIMIT 1
"""
_LAPSED = f"SELECT lane FROM lanes WHERE {LEFT_BEHIND} ORDER BY lease_until LIMIT 1"  # noqa: S608 - constants
_TAKE = """
UPDATE lanes SET fence = fence + 1, owner = :worker, nonce = :nonce, lease_until = :until, lease_boot = :boot_id,
  ready_since = NULL, last_worker = :worker, rung_at = 0
WHERE lane = :lane AND (owner IS NULL OR lease_boot != :boot_id OR lease_until <= :boot)
RETURNING fence
"""


class SqliteClaims:
    """Who owns which lane."""

    def __init__(self, database: Database, signals: Signals, limits: Limits) -> None:
        self._database = database
        self._signals = signals
        self._limits = limits
        self._process = identity(os.getpid())

    def claim(self, worker: str, now: Moment) -> Claimed | None:
        with self._database.read() as cursor:
            if _find_lane(cursor, now) is None:
                return None
        with self._database.write() as cursor:
            lane = _find_lane(cursor, now)
            claim = self._take(cursor, lane, worker, now) if lane else None
            _count(cursor, worker, "claims_won" if claim else "claims_lost", now)
            job = self._go_on(cursor, claim, now) if claim else None
            bells = idle_workers(cursor, None) if claim and others_wait(cursor, claim.lane.key, now) else ()
        if claim is None:
            raise LostClaim("another worker was quicker between the look and the transaction")
        self._signals.ring(bells)
        return Claimed(claim, job)

    def _go_on(self, cursor: apsw.Cursor, claim: Claim, now: Moment) -> Job | None:
        return self._take_over(cursor, claim, now) or start_head(cursor, claim, self._limits, now)

    def start(self, claim: Claim, now: Moment) -> Next:
        with self._database.read() as cursor:
            row = require_owner(cursor, claim)
            head = find_head(cursor, row.lane, row.first_thread)
            if row.running is not None or row.paused is not None or head is None or not head.can_start(now):
                return Next(others_wait=others_wait(cursor, row.lane, now))
        with self._database.write() as cursor:
            require_owner(cursor, claim)
            return Next(start_head(cursor, claim, self._limits, now))

    def beat(self, claim: Claim, job: str | None, now: Moment) -> Beat:
        with self._database.write() as cursor:
            extended = changed(
                cursor,
                "UPDATE lanes SET lease_until = :until WHERE lane = :lane AND owner = :worker AND fence = :fence"
                " AND lease_boot = :boot_id AND lease_until > :boot",
                _values(claim, now, self._limits),
            )
            if not extended:
                raise LostOwnership(f"the lease of {claim.lane.key} under fence {claim.fence} is over")
            waiting = others_wait(cursor, claim.lane.key, now)
            if job is None:
                return Beat(others_wait=waiting)
            cursor.execute("UPDATE callbacks SET beat_at = ? WHERE job = ? AND answer IS NULL", (now.seconds, job))
            return _beat_of(cursor, claim, job, others=waiting)

    def release(self, claim: Claim, now: Moment) -> bool:
        with self._database.write() as cursor:
            require_owner(cursor, claim)
            released = changed(
                cursor,
                "UPDATE lanes SET owner = NULL, nonce = NULL WHERE lane = ? AND fence = ? AND pending = 0",
                (claim.lane.key, claim.fence),
            )
            if released:
                write_entry(cursor, _about(What.LANE_RELEASED, claim, now))
            return bool(released)

    def give_back(self, claim: Claim, now: Moment) -> None:
        with self._database.write() as cursor:
            row = require_owner(cursor, claim)
            running = find_job(cursor, row.running) if row.running else None
            if running is not None and running.state == State.COMMITTING:
                # It must be settled, so only its lease ends; the lane stays with its unfinished commit.
                cursor.execute("UPDATE lanes SET lease_until = 0 WHERE lane = ?", (row.lane,))
            else:
                if running is not None and not obey_cancel(cursor, running, claim.worker, self._limits, now):
                    _put_back(cursor, running, claim.worker, now)
                cursor.execute(
                    "UPDATE lanes SET owner = NULL, nonce = NULL, running = NULL WHERE lane = ?", (row.lane,)
                )
            write_entry(cursor, _about(What.LANE_GIVEN_BACK, claim, now))
            refresh(cursor, row.lane, now)
            bells = bells_for(cursor, row.lane, self._limits, now)
        self._signals.ring(bells)

    def wait_for_work(self, worker: str, now: Moment) -> None:
        with self._database.write() as cursor:
            cursor.execute(
                "INSERT INTO workers (worker, process, idle, idle_at, seen_at)"
                " VALUES (:worker, :process, 1, :now, :now)"
                " ON CONFLICT (worker) DO UPDATE SET idle = 1, idle_at = :now, seen_at = :now",
                {"worker": worker, "process": self._process, "now": now.seconds},
            )

    def say_health(self, worker: str, *, failures: int, holds_back_until: datetime | None, now: Moment) -> None:
        until = holds_back_until.timestamp() if holds_back_until else None
        with self._database.write() as cursor:
            cursor.execute(
                "UPDATE workers SET claims_failed = claims_failed + ?, holds_back_until = ?, seen_at = ?"
                " WHERE worker = ?",
                (failures, until, now.seconds, worker),
            )

    def lapse(self, worker: str, now: Moment) -> int:
        with self._database.write() as cursor:
            owned = rows(cursor, "SELECT lane, fence FROM lanes WHERE owner = ?", (worker,))
            cursor.execute("UPDATE lanes SET lease_until = 0, rung_at = 0 WHERE owner = ?", (worker,))
            cursor.execute("DELETE FROM workers WHERE worker = ?", (worker,))
            bells: list[str] = []
            for lane, fence in owned:
                about = Entry(What.LEASE_LAPSED, now.wall_at, lane=lane, worker=worker, fence=fence)
                write_entry(cursor, about)
                bells += bells_for(cursor, lane, self._limits, now)
        self._signals.ring(bells)
        return len(owned)

    def _take(self, cursor: apsw.Cursor, lane: str, worker: str, now: Moment) -> Claim | None:
        nonce = secrets.token_hex(8)
        before = read_lane(cursor, lane)
        until = (now + self._limits.lease).boot
        values = {
            "lane": lane,
            "worker": worker,
            "nonce": nonce,
            "until": until,
            "boot": now.boot,
            "boot_id": now.boot_id,
        }
        row = one(cursor, _TAKE, values)
        if row is None:
            return None
        claim = Claim(Lane.parse(lane), row[0], worker, nonce)
        facts = {"from": before.owner} if before.owner else {}
        write_entry(cursor, _about(What.LANE_CLAIMED, claim, now, facts))
        return claim

    def _take_over(self, cursor: apsw.Cursor, claim: Claim, now: Moment) -> Job | None:
        """Go on with what the last owner left running; None when nothing did, or a cancel ended it."""
        running = read_lane(cursor, claim.lane.key).running
        job = find_job(cursor, running) if running else None
        if job is None:
            return None
        if job.state == State.COMMITTING:
            cursor.execute("UPDATE jobs SET fence = ? WHERE id = ?", (claim.fence, job.id))
            return find_job(cursor, job.id)
        if obey_cancel(cursor, job, claim.worker, self._limits, now):
            refresh(cursor, claim.lane.key, now)
            return None
        if job.attempt >= self._limits.attempts:
            reason = f"its worker died in each of {job.attempt} attempts"
            end_job(cursor, job, Ending(State.DEAD, error=reason, words="failed"), now, worker=claim.worker)
            refresh(cursor, claim.lane.key, now)
            return None
        return start_job(cursor, claim, job.id, self._limits, now)


def _find_lane(cursor: apsw.Cursor, now: Moment) -> str | None:
    values = {"now": now.seconds, "boot": now.boot, "boot_id": now.boot_id}
    row = one(cursor, _READY, values) or one(cursor, _LAPSED, values)
    return str(row[0]) if row else None


def _beat_of(cursor: apsw.Cursor, claim: Claim, job: str, *, others: bool) -> Beat:
    row = one(
        cursor,
        "SELECT state, fence, cancel, cancel_by, cancel_fence, cancel_not_before FROM jobs WHERE id = ?",
        (job,),
    )
    if row is None or row[0] not in {"running", "committing"} or row[1] != claim.fence:
        return Beat(over=True, others_wait=others)
    if row[2] is None or row[4] != claim.fence or row[0] == "committing":
        return Beat(others_wait=others)
    return Beat(Interrupt(Why(row[2]), row[3], from_seconds(row[5])), others_wait=others)


def _put_back(cursor: apsw.Cursor, job: Job, worker: str, now: Moment) -> None:
    """Return a running job to its place; giving back is not a failed attempt."""
    cursor.execute("UPDATE jobs SET state = 'queued', attempt = attempt - 1, deadline = NULL WHERE id = ?", (job.id,))
    write_entry(cursor, entry_for(What.JOB_GIVEN_BACK, job, now, worker=worker))


def _count(cursor: apsw.Cursor, worker: str, result: str, now: Moment) -> None:
    sql = f"UPDATE workers SET {result} = {result} + 1, idle = 0, seen_at = ? WHERE worker = ?"  # noqa: S608 - our own names
    cursor.execute(sql, (now.seconds, worker))


def _values(claim: Claim, now: Moment, limits: Limits) -> dict[str, Any]:
    return {
        "lane": claim.lane.key,
        "worker": claim.worker,
        "fence": claim.fence,
        "until": (now + limits.lease).boot,
        "boot": now.boot,
        "boot_id": now.boot_id,
    }


def _about(what: What, claim: Claim, now: Moment, facts: dict[str, str] | None = None) -> Entry:
    return Entry(what, now.wall_at, lane=claim.lane.key, worker=claim.worker, fence=claim.fence, facts=facts or {})
