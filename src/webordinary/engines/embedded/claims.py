"""Claims in SQLite: one conditional write takes a lane, and the row count says who won."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import Entry, What
from webordinary.child import identity
from webordinary.clock import from_seconds
from webordinary.engines.embedded.database import changed, one, rows
from webordinary.engines.embedded.head import again_in, find_head
from webordinary.engines.embedded.line import (
    bells_for,
    others_wait,
    require_owner,
    start_head,
)
from webordinary.engines.embedded.rows import write_entry
from webordinary.engines.embedded.taking import (
    about_lane,
    bells_for_the_rest,
    count_claim,
    find_lane,
    give_lane_back,
    take_lane,
)
from webordinary.errors import LostOwnership
from webordinary.interrupts.interrupt import Interrupt, Why
from webordinary.ownership.claim import Beat, Next
from webordinary.ownership.claims import LostClaim

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.engines.embedded.signals import Bells
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim, Claimed


_BEAT = """
UPDATE lanes SET lease_until = :until WHERE lane = :lane AND owner = :worker AND fence = :fence
  AND lease_boot = :boot_id AND lease_until > :boot
RETURNING pending
"""
# By its token: the table has no other key, and a beat must not read all of it.
_BEAT_CALLBACK = """
UPDATE callbacks SET beat_at = ? WHERE token = (SELECT token FROM jobs WHERE id = ?) AND answer IS NULL
"""


class SqliteClaims:
    """Who owns which lane."""

    def __init__(self, database: Database, signals: Bells, limits: Limits) -> None:
        self._database = database
        self._signals = signals
        self._limits = limits
        self._process = identity(os.getpid())

    def claim(self, worker: str, now: Moment) -> Claimed | None:
        with self._database.read() as cursor:
            if find_lane(cursor, now) is None:
                return None
        with self._database.write() as cursor:
            lane = find_lane(cursor, now)
            claimed = take_lane(cursor, lane, worker, self._limits, now) if lane else None
            count_claim(cursor, worker, "claims_won" if claimed else "claims_lost", now)
            bells = bells_for_the_rest(cursor, claimed, now) if claimed else ()
        if claimed is None:
            raise LostClaim("another worker was quicker between the look and the transaction")
        self._signals.ring(bells)
        return claimed

    def start(self, claim: Claim, now: Moment) -> Next:
        with self._database.read() as cursor:
            row = require_owner(cursor, claim)
            head = find_head(cursor, row.lane, row.first_thread)
            if row.running is not None or row.paused is not None or head is None or not head.can_start(now):
                return Next(others_wait=others_wait(cursor, row.lane, now), again_in=again_in(head, now))
        with self._database.write() as cursor:
            require_owner(cursor, claim)
            return Next(start_head(cursor, claim, self._limits, now))

    def beat(self, claim: Claim, job: str | None, now: Moment) -> Beat:
        with self._database.write() as cursor:
            lease = self._limits.idle_lease if job is None else self._limits.lease
            extended = one(cursor, _BEAT, _values(claim, now, lease))
            if extended is None:
                raise LostOwnership(f"the lease of {claim.lane.key} under fence {claim.fence} is over")
            waiting = others_wait(cursor, claim.lane.key, now)
            if job is None:
                return Beat(others_wait=waiting, pending=extended[0] > 0)
            cursor.execute(_BEAT_CALLBACK, (now.seconds, job))
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
                write_entry(cursor, about_lane(What.LANE_RELEASED, claim, now))
            return bool(released)

    def give_back(self, claim: Claim, now: Moment) -> None:
        with self._database.write() as cursor:
            row = require_owner(cursor, claim)
            give_lane_back(cursor, row, claim, self._limits, now)
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
            cursor.execute(
                "UPDATE lanes SET lease_until = min(lease_until, ?), rung_at = 0 WHERE owner = ?", (now.boot, worker)
            )
            cursor.execute("DELETE FROM workers WHERE worker = ?", (worker,))
            bells: list[str] = []
            for lane, fence in owned:
                about = Entry(What.LEASE_LAPSED, now.wall_at, lane=lane, worker=worker, fence=fence)
                write_entry(cursor, about)
                bells += bells_for(cursor, lane, self._limits, now)
        self._signals.ring(bells)
        return len(owned)


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


def _values(claim: Claim, now: Moment, lease: timedelta) -> dict[str, Any]:
    return {
        "lane": claim.lane.key,
        "worker": claim.worker,
        "fence": claim.fence,
        "until": (now + lease).boot,
        "boot": now.boot,
        "boot_id": now.boot_id,
    }
