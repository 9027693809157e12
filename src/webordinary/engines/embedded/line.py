"""The line of one lane: who stands at its head, who is rung, and how a job enters and leaves a state.

Every function here works inside the caller's transaction.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from webordinary.audit.entry import Entry, What
from webordinary.engines.embedded.database import changed, one
from webordinary.engines.embedded.head import LIVE_STATES, find_head
from webordinary.engines.embedded.rows import JOB_COLUMNS, find_job, job_from, storable, text_of, write_entry
from webordinary.errors import LostOwnership
from webordinary.jobs.figures import end_facts, start_facts
from webordinary.jobs.job import Ending, Job, State

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim

# A paused project's lane is taken over only to settle a commit that may be live already.
LEFT_BEHIND = """
owner IS NOT NULL AND pending > 0 AND (lease_boot != :boot_id OR lease_until <= :boot)
AND (paused IS NULL OR EXISTS (SELECT 1 FROM jobs WHERE id = running AND state = 'committing'))
"""
_START = f"""
UPDATE jobs SET state = 'running', fence = ?, attempt = attempt + 1, started_at = coalesce(started_at, ?),
  attempt_at = ?, deadline = ?, not_before = 0
WHERE id = ? RETURNING {JOB_COLUMNS}
"""  # noqa: S608 - constants
_ANOTHER_READY = "SELECT 1 FROM lanes WHERE ready_since IS NOT NULL AND not_before <= :now AND lane != :lane LIMIT 1"
_ANOTHER_LEFT_BEHIND = f"SELECT 1 FROM lanes WHERE lane != :lane AND {LEFT_BEHIND} LIMIT 1"  # noqa: S608 - constants

_REFRESH = """
UPDATE lanes SET first_thread = :first, not_before = :not_before,
  ready_since = CASE WHEN :ready THEN coalesce(ready_since, :now) END
WHERE lane = :lane
"""
_LET_GO = _REFRESH.replace("SET", "SET owner = NULL, nonce = NULL, running = NULL,", 1)
_REFRESH_AND_RING = _REFRESH.replace("SET", "SET rung_at = :now, rings = rings + 1,", 1)
_REFRESH_UNHEARD = _REFRESH.replace("SET", "SET rings_suppressed = rings_suppressed + 1,", 1)

ENDED = {
    State.DONE: What.JOB_DONE,
    State.FAILED: What.JOB_FAILED,
    State.STOPPED: What.JOB_STOPPED,
    State.DEAD: What.JOB_DEAD,
    State.REFUSED: What.JOB_FAILED,
}


LANE_COLUMNS = (
    "lane, project, fence, owner, lease_until, lease_boot, running, first_thread, last_worker, paused, pending,"
    " rung_at, ready_since"
)


class LaneRow(NamedTuple):
    """What the operations need to know of a lane, in the order of LANE_COLUMNS."""

    lane: str
    project: str
    fence: int
    owner: str | None
    lease_until: float
    lease_boot: str
    running: str | None
    first_thread: str | None
    last_worker: str | None
    paused: str | None
    pending: int
    rung_at: float
    ready_since: float | None

    def waited(self, now: Moment) -> timedelta:
        """Return how long the lane has waited for an owner: since it was ready, or since its last one was gone."""
        if self.owner is None:
            seconds = now.seconds - (self.ready_since or now.seconds)
        else:
            # Nobody knows when a lease of another boot ended; it was at the latest with that boot.
            seconds = now.boot - (self.lease_until if self.lease_boot == now.boot_id else 0)
        return timedelta(seconds=max(0.0, seconds))

    def is_owned(self, now: Moment) -> bool:
        return self.owner is not None and self.lease_boot == now.boot_id and self.lease_until > now.boot


def read_lane(cursor: apsw.Cursor, lane: str) -> LaneRow:
    """Return the lane's row, which exists since its first job."""
    row = one(cursor, f"SELECT {LANE_COLUMNS} FROM lanes WHERE lane = ?", (lane,))  # noqa: S608 - a constant
    if row is None:
        raise LostOwnership(f"there is no lane {lane}")
    return LaneRow(*row)


def require_owner(cursor: apsw.Cursor, claim: Claim) -> LaneRow:
    """Return the lane's row only if the claim is the current one."""
    row = read_lane(cursor, claim.lane.key)
    if row.owner != claim.worker or row.fence != claim.fence:
        raise LostOwnership(f"{claim.lane.key} is owned under fence {row.fence}, not {claim.fence}")
    return row


def require_running(cursor: apsw.Cursor, claim: Claim, job: Job, *, only: State | None = None) -> Job:
    """Return the job as it stands only if it still runs under this claim, on that side of the commit point."""
    row = require_owner(cursor, claim)
    # Fences are counted for each lane, so the fence alone does not tell one lane's job from another's.
    found = find_job(cursor, job.id) if row.running == job.id else None
    if found is None or found.fence != claim.fence or found.state not in {State.RUNNING, State.COMMITTING}:
        raise LostOwnership(f"job {job.id} is not running under fence {claim.fence} any more")
    if only is not None and found.state != only:
        raise LostOwnership(f"job {job.id} is {found.state.value} now, not {only.value}")
    return found


def refresh(cursor: apsw.Cursor, lane: str, now: Moment) -> None:
    """Bring the lane's readiness up to date after a job or its owner changed."""
    row = read_lane(cursor, lane)
    cursor.execute(_REFRESH, readiness(cursor, row, now))


def let_go(cursor: apsw.Cursor, lane: str, now: Moment) -> None:
    """Take the lane from its owner, and bring its readiness up to date."""
    row = read_lane(cursor, lane)._replace(owner=None)
    cursor.execute(_LET_GO, readiness(cursor, row, now))


def readiness(cursor: apsw.Cursor, row: LaneRow, now: Moment) -> dict[str, Any]:
    """Return whether and from when on somebody may take the lane."""
    first = row.first_thread if _thread_is_live(cursor, row) else None
    head = find_head(cursor, row.lane, first)
    waiting = head is not None and head.state in {"queued", "parked"}
    return {
        "lane": row.lane,
        "first": first,
        "not_before": head.not_before if head else 0,
        "ready": waiting and row.owner is None and row.paused is None,
        "now": now.seconds,
    }


def _thread_is_live(cursor: apsw.Cursor, row: LaneRow) -> bool:
    if row.first_thread is None:
        return False
    sql = f"SELECT 1 FROM jobs WHERE lane = ? AND thread = ? AND state IN {LIVE_STATES} LIMIT 1"  # noqa: S608 - a constant
    return one(cursor, sql, (row.lane, row.first_thread)) is not None


def start_job(cursor: apsw.Cursor, claim: Claim, job: str, limits: Limits, now: Moment) -> Job:
    """Let the job run under the claim: queued, parked or left running by an owner that is gone."""
    row = one(cursor, _START, (claim.fence, now.seconds, now.seconds, (now + limits.deadline).seconds, job))
    if row is None:
        raise LostOwnership(f"there is no job {job}")
    # Starting is a sign of life: an owner of many short jobs would lose its lane before its first beat.
    cursor.execute(
        "UPDATE lanes SET running = ?, lease_until = CASE WHEN lease_boot = ? AND lease_until > ? THEN ?"
        " ELSE lease_until END WHERE lane = ?",
        (job, now.boot_id, now.boot, (now + limits.lease).boot, claim.lane.key),
    )
    started = job_from(row)
    what = What.JOB_RESUMED if started.attempt > 1 or started.interruptions else What.JOB_STARTED
    write_entry(cursor, entry_for(what, started, now, worker=claim.worker, facts=_start_facts(started, now)))
    return started


def _start_facts(job: Job, now: Moment) -> dict[str, str]:
    is_first = job.attempt <= 1 and not job.interruptions
    return start_facts(job.attempt, job.received_at.timestamp() if is_first else None, now)


def start_head(cursor: apsw.Cursor, claim: Claim, limits: Limits, now: Moment) -> Job | None:
    """Start the head of an owned lane if it can start and nothing runs."""
    return start_head_of(cursor, read_lane(cursor, claim.lane.key), claim, limits, now)


def start_head_of(cursor: apsw.Cursor, row: LaneRow, claim: Claim, limits: Limits, now: Moment) -> Job | None:
    """Start the head of a lane whose row was read in this transaction."""
    if row.running is not None or row.paused is not None:
        return None
    head = find_head(cursor, row.lane, row.first_thread)
    if head is None or not head.can_start(now):
        return None
    return start_job(cursor, claim, head.job, limits, now)


def end_job(cursor: apsw.Cursor, job: Job, ending: Ending, now: Moment, *, worker: str | None = None) -> None:
    """Give the job its one final state, with the answer and the callback in the same transaction."""
    cursor.execute(
        "UPDATE jobs SET state = ?, outcome = ?, summary = ?, error = ?, finished_at = ?, cancel = NULL,"
        " cancel_by = NULL, cancel_fence = NULL, cancel_not_before = NULL WHERE id = ?",
        (
            ending.state.value,
            ending.outcome.value if ending.outcome else None,
            storable(ending.summary),
            storable(ending.error) if ending.error else None,
            now.seconds,
            job.id,
        ),
    )
    cursor.execute(
        "UPDATE lanes SET pending = pending - 1, running = CASE WHEN running = ? THEN NULL ELSE running END"
        " WHERE lane = ?",
        (job.id, job.lane.key),
    )
    _record_answer(cursor, job, ending, now)
    _record_callback(cursor, job, ending, now)
    started_at = job.started_at.timestamp() if job.started_at else None
    facts, text = end_facts(job.journal, started_at, ending, now), ending.error or ending.summary
    write_entry(cursor, entry_for(ENDED[ending.state], job, now, worker=worker, text=text, facts=facts))


def _record_answer(cursor: apsw.Cursor, job: Job, ending: Ending, now: Moment) -> None:
    if job.request.reply_to is None or not ending.words:
        return
    cursor.execute(
        "INSERT OR IGNORE INTO outbox (key, kind, job, mail, recipient, words, facts, due_at, added_at)"
        " VALUES (?, 'answer', ?, ?, ?, ?, ?, ?, ?)",
        (
            f"{job.id}.answer",
            job.id,
            job.mail,
            storable(job.request.reply_to),
            ending.words,
            text_of(ending.facts),
            now.seconds,
            now.seconds,
        ),
    )


def _record_callback(cursor: apsw.Cursor, job: Job, ending: Ending, now: Moment) -> None:
    answer = "success" if ending.state == State.DONE else "failure"
    output = {
        "job": job.id,
        "state": ending.state.value,
        "outcome": ending.outcome.value if ending.outcome else None,
    }
    changed(
        cursor,
        "UPDATE callbacks SET answer = ?, output = ?, decided_at = ? WHERE token = ? AND answer IS NULL",
        (answer, text_of(output), now.seconds, job.token),
    )


def park_job(cursor: apsw.Cursor, job: Job, limits: Limits, now: Moment, *, worker: str | None) -> None:
    """Set the job aside for the thread that interrupted it; an interruption is not a failed attempt."""
    by = one(cursor, "SELECT cancel_by FROM jobs WHERE id = ?", (job.id,))
    interrupter = str(by[0]) if by and by[0] else ""
    cursor.execute(
        "UPDATE jobs SET state = 'parked', interruptions = interruptions + 1, attempt = attempt - 1, deadline = NULL,"
        " start_by = ?, cancel = NULL, cancel_by = NULL, cancel_fence = NULL, cancel_not_before = NULL WHERE id = ?",
        ((now + limits.patience).seconds, job.id),
    )
    thread = one(cursor, "SELECT thread FROM jobs WHERE id = ?", (interrupter,))
    cursor.execute(
        "UPDATE lanes SET running = NULL, first_thread = coalesce(?, first_thread) WHERE lane = ?",
        (thread[0] if thread else None, job.lane.key),
    )
    facts = {"by": interrupter, "interruption": str(job.interruptions + 1)}
    write_entry(
        cursor,
        entry_for(What.JOB_PARKED, job, now, worker=worker, text="set aside for a newer mail", facts=facts),
    )


def announce(cursor: apsw.Cursor, row: LaneRow, limits: Limits, now: Moment) -> tuple[str, ...]:
    """Bring the readiness of a lane up to date that has a new job, and return who should be rung for it."""
    values = readiness(cursor, row, now)
    if row.owner is not None and row.is_owned(now):
        cursor.execute(_REFRESH, values)
        return (row.owner,)
    if _was_just_rung(row, limits, now):
        cursor.execute(_REFRESH_UNHEARD, values)
        return ()
    cursor.execute(_REFRESH_AND_RING, values)
    return idle_workers(cursor, row.last_worker)


def bells_for(cursor: apsw.Cursor, lane: str, limits: Limits, now: Moment) -> tuple[str, ...]:
    """Return who should be rung for the lane: its live owner, else idle workers, the warm one first."""
    row = read_lane(cursor, lane)
    if row.owner is not None and row.is_owned(now):
        return (row.owner,)
    if _was_just_rung(row, limits, now):
        cursor.execute("UPDATE lanes SET rings_suppressed = rings_suppressed + 1 WHERE lane = ?", (lane,))
        return ()
    cursor.execute("UPDATE lanes SET rung_at = ?, rings = rings + 1 WHERE lane = ?", (now.seconds, lane))
    return idle_workers(cursor, row.last_worker)


def _was_just_rung(row: LaneRow, limits: Limits, now: Moment) -> bool:
    # A wall clock that was set back must not silence a lane.
    return 0 <= now.seconds - row.rung_at < limits.ring_again.total_seconds()


def idle_workers(cursor: apsw.Cursor, warm: str | None) -> tuple[str, ...]:
    """Return who could take a lane: workers that wait for any, the warm one first, then owners of quiet lanes."""
    rows = cursor.execute(
        "SELECT worker FROM (SELECT worker, 0 AS rank, idle_at AS at FROM workers WHERE idle = 1"
        " UNION ALL SELECT owner, 1, lease_until FROM lanes WHERE owner IS NOT NULL AND running IS NULL)"
        " ORDER BY rank, worker IS ? DESC, at LIMIT 4",
        (warm,),
    )
    return tuple(row[0] for row in rows)


def others_wait(cursor: apsw.Cursor, lane: str, now: Moment) -> bool:
    """Tell whether another lane is ready and has nobody, or was left behind by its owner."""
    values = {"lane": lane, "now": now.seconds, "boot": now.boot, "boot_id": now.boot_id}
    return (one(cursor, _ANOTHER_READY, values) or one(cursor, _ANOTHER_LEFT_BEHIND, values)) is not None


def entry_for(
    what: What,
    job: Job,
    now: Moment,
    *,
    worker: str | None = None,
    text: str = "",
    facts: dict[str, str] | None = None,
) -> Entry:
    """Return a trail entry about a job."""
    return Entry(
        what,
        now.wall_at,
        lane=job.lane.key,
        thread=job.thread,
        job=job.id,
        mail=job.mail,
        worker=worker,
        fence=job.fence or None,
        text=text,
        facts=facts or {},
    )
