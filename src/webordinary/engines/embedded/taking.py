"""Taking a lane and giving it back, inside the caller's transaction: alone, or together with the end of a job."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, What
from webordinary.engines.embedded.breaker import count_failure
from webordinary.engines.embedded.cancels import obey_cancel
from webordinary.engines.embedded.database import one
from webordinary.engines.embedded.line import (
    LANE_COLUMNS,
    LEFT_BEHIND,
    LaneRow,
    end_job,
    entry_for,
    idle_workers,
    let_go,
    others_wait,
    refresh,
    start_head,
    start_head_of,
    start_job,
)
from webordinary.engines.embedded.rows import find_job, lane_of, write_entry
from webordinary.jobs.job import Ending, Job, State
from webordinary.ownership.claim import Claim, Claimed

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment
    from webordinary.jobs.limits import Limits

_READY = f"""
SELECT {LANE_COLUMNS} FROM lanes
WHERE ready_since IS NOT NULL AND owner IS NULL AND not_before <= :now AND lane != :besides
ORDER BY ready_since LIMIT 1
"""  # noqa: S608 - constants
# Leases of an earlier boot are older than any of this one.
_LAPSED = f"""
SELECT {LANE_COLUMNS}, EXISTS (SELECT 1 FROM jobs WHERE id = running AND state = 'committing') AS committing
FROM lanes WHERE lane != :besides AND {LEFT_BEHIND}
ORDER BY committing DESC, lease_boot = :boot_id, lease_until LIMIT 1
"""  # noqa: S608 - constants
_TAKE = """
UPDATE lanes SET fence = fence + 1, owner = :worker, nonce = :nonce, lease_until = :until, lease_boot = :boot_id,
  ready_since = NULL, last_worker = :worker, rung_at = 0
WHERE lane = :lane AND (owner IS NULL OR lease_boot != :boot_id OR lease_until <= :boot)
RETURNING fence
"""


def find_lane(cursor: apsw.Cursor, now: Moment, *, besides: str = "") -> LaneRow | None:
    """Return the lane that has waited longest, ready or left behind; one that may be half published comes first."""
    values = {"now": now.seconds, "boot": now.boot, "boot_id": now.boot_id, "besides": besides}
    lapsed = one(cursor, _LAPSED, values)
    left_behind = LaneRow(*lapsed[:-1]) if lapsed else None
    if lapsed and lapsed[-1]:
        return left_behind
    row = one(cursor, _READY, values)
    ready = LaneRow(*row) if row else None
    if ready is None or left_behind is None:
        return ready or left_behind
    return max(left_behind, ready, key=lambda lane: lane.waited(now))


def take_lane(cursor: apsw.Cursor, row: LaneRow, worker: str, limits: Limits, now: Moment) -> Claimed | None:
    """Own the lane under its next fence and let its head run; None when somebody else owns it."""
    claim = _take(cursor, row, worker, limits, now)
    if claim is None:
        return None
    if row.running is None:
        job = start_head_of(cursor, row, claim, limits, now)
    else:
        job = _take_over(cursor, row.running, claim, limits, now) or start_head(cursor, claim, limits, now)
    if job is None:
        # An owner with nothing to do beats less often.
        sql = "UPDATE lanes SET lease_until = ? WHERE lane = ?"
        cursor.execute(sql, ((now + limits.idle_lease).boot, row.lane))
    return Claimed(claim, job, row.waited(now))


def give_lane_back(cursor: apsw.Cursor, row: LaneRow, claim: Claim, limits: Limits, now: Moment) -> None:
    """Give the lane up, whatever waits in it; what runs goes back to its place or where its cancel says."""
    running = find_job(cursor, row.running) if row.running else None
    if running is not None and running.state == State.COMMITTING:
        # It must be settled, so only its lease ends; the lane stays with its unfinished commit.
        cursor.execute("UPDATE lanes SET lease_until = ? WHERE lane = ?", (now.boot, row.lane))
        write_entry(cursor, about_lane(What.LANE_GIVEN_BACK, claim, now))
        return
    if running is not None and not obey_cancel(cursor, running, claim.worker, limits, now):
        _put_back(cursor, running, claim.worker, now)
    leave_lane(cursor, claim, now)


def leave_lane(cursor: apsw.Cursor, claim: Claim, now: Moment) -> None:
    """Let others have the lane, in which nothing runs under this claim any more."""
    let_go(cursor, claim.lane.key, now)
    write_entry(cursor, about_lane(What.LANE_GIVEN_BACK, claim, now))


def bells_for_the_rest(cursor: apsw.Cursor, claimed: Claimed, now: Moment) -> tuple[str, ...]:
    """Return who should be rung because more lanes wait than the one that was just taken."""
    return idle_workers(cursor, None) if others_wait(cursor, claimed.claim.lane.key, now) else ()


def count_claim(cursor: apsw.Cursor, worker: str, result: str, now: Moment) -> None:
    """Count one try to claim under its result: `claims_won` or `claims_lost`."""
    sql = f"UPDATE workers SET {result} = {result} + 1, idle = 0, seen_at = ? WHERE worker = ?"  # noqa: S608 - our own names
    cursor.execute(sql, (now.seconds, worker))


def about_lane(what: What, claim: Claim, now: Moment, facts: dict[str, str] | None = None) -> Entry:
    """Return a trail entry about a claim."""
    return Entry(what, now.wall_at, lane=claim.lane.key, worker=claim.worker, fence=claim.fence, facts=facts or {})


def _take(cursor: apsw.Cursor, lane: LaneRow, worker: str, limits: Limits, now: Moment) -> Claim | None:
    nonce = secrets.token_hex(8)
    values = {
        "lane": lane.lane,
        "worker": worker,
        "nonce": nonce,
        "until": (now + limits.lease).boot,
        "boot": now.boot,
        "boot_id": now.boot_id,
    }
    row = one(cursor, _TAKE, values)
    if row is None:
        return None
    claim = Claim(lane_of(lane.lane), row[0], worker, nonce)
    facts = {"from": lane.owner} if lane.owner else {}
    write_entry(cursor, about_lane(What.LANE_CLAIMED, claim, now, facts))
    return claim


def _take_over(cursor: apsw.Cursor, running: str, claim: Claim, limits: Limits, now: Moment) -> Job | None:
    """Go on with what the last owner left running; None when it is gone, or a cancel ended it."""
    job = find_job(cursor, running)
    if job is None:
        return None
    if job.state == State.COMMITTING:
        cursor.execute("UPDATE jobs SET fence = ? WHERE id = ?", (claim.fence, job.id))
        return find_job(cursor, job.id)
    if obey_cancel(cursor, job, claim.worker, limits, now):
        refresh(cursor, claim.lane.key, now)
        return None
    if job.attempt >= limits.attempts:
        reason = f"its worker died in each of {job.attempt} attempts"
        ending = Ending(State.DEAD, error=reason, words="our_fault", blames_project=True)
        end_job(cursor, job, ending, now, worker=claim.worker)
        count_failure(cursor, job, ending, limits, now)
        refresh(cursor, claim.lane.key, now)
        return None
    return start_job(cursor, claim, job.id, limits, now)


def _put_back(cursor: apsw.Cursor, job: Job, worker: str, now: Moment) -> None:
    """Return a running job to its place; giving back is not a failed attempt."""
    cursor.execute("UPDATE jobs SET state = 'queued', attempt = attempt - 1, deadline = NULL WHERE id = ?", (job.id,))
    write_entry(cursor, entry_for(What.JOB_GIVEN_BACK, job, now, worker=worker))
