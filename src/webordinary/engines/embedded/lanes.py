"""Lanes in SQLite: each operation is one IMMEDIATE transaction, and the bells ring after its commit."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, What
from webordinary.engines.embedded.accepting import about_newcomer, insert_job
from webordinary.engines.embedded.breaker import pause_project
from webordinary.engines.embedded.cancels import AT_ONCE, hasten_cancel, set_cancel
from webordinary.engines.embedded.database import changed, one, rows
from webordinary.engines.embedded.line import (
    LaneRow,
    announce,
    bells_for,
    end_job,
    entry_for,
    read_lane,
    refresh,
)
from webordinary.engines.embedded.overdue import fail_overdue, ring_what_waits
from webordinary.engines.embedded.rows import find_job, storable, text_of, write_entry
from webordinary.errors import Refused
from webordinary.interrupts.decide import InterruptRule, Running, decide_interrupt
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import Attached, Ending, Job, Kind, NewJob, State
from webordinary.jobs.lanes import Accepted, Stopped

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment
    from webordinary.engines.embedded.database import Database
    from webordinary.engines.embedded.signals import Bells
    from webordinary.jobs.limits import Limits

NEVER_PARKED = {Kind.VERB, Kind.REVERT}


class SqliteLanes:
    """The queue that intake, people and the sweep see."""

    def __init__(self, database: Database, signals: Bells, limits: Limits) -> None:
        self._database = database
        self._signals = signals
        self._limits = limits

    def accept(self, job: NewJob, now: Moment, *, ready: InterruptRule | None = None) -> Accepted:
        self._database.require_space()
        with self._database.write() as cursor:
            known = one(cursor, "SELECT id FROM jobs WHERE dedup_key = ?", (storable(job.dedup_key),))
            if known is not None:
                return Accepted(known[0], fresh=False)
            bells: tuple[str, ...] = ()
            row = insert_job(cursor, job, self._limits, now, state=State.QUEUED if ready else State.PREPARING)
            if ready is None:
                # A verb goes first: while it is being prepared, a lane that was ready is not.
                refresh(cursor, job.lane.key, now)
            else:
                bells = self._line_up(cursor, row, job, ready, now)
        self._signals.ring(bells)
        return Accepted(job.id, fresh=True)

    def enqueue(
        self, job: str, rule: InterruptRule, now: Moment, *, attachments: tuple[Attached, ...] | None = None
    ) -> None:
        with self._database.write() as cursor:
            if attachments is not None:
                _keep_attachments(cursor, job, attachments)
            bells = self._enqueue(cursor, job, rule, now)
        self._signals.ring(bells)

    def stop(self, job: str, by: str, now: Moment) -> Stopped:
        with self._database.write() as cursor:
            found = find_job(cursor, job)
            if found is None:
                raise Refused(f"there is no job {job}")
            result, bells = self._stop(cursor, found, by, now)
        self._signals.ring(bells)
        return result

    def interrupt(self, lane: str, by: str, now: Moment) -> str | None:
        with self._database.write() as cursor:
            row = read_lane(cursor, lane)
            running = find_job(cursor, row.running) if row.running else None
            if running is None or running.state != State.RUNNING or running.kind in NEVER_PARKED:
                return None
            hasten_cancel(cursor, running, by)
            facts = {"by": by, "why": "a person asked"}
            write_entry(cursor, entry_for(What.INTERRUPT_ASKED, running, now, facts=facts))
            bells = bells_for(cursor, lane, self._limits, now)
        self._signals.ring(bells)
        return running.id

    def release(self, lane: str, by: str, now: Moment) -> str | None:
        with self._database.write() as cursor:
            row = read_lane(cursor, lane)
            if row.owner is None:
                return None
            cursor.execute(
                "UPDATE lanes SET lease_until = min(lease_until, ?), rung_at = 0 WHERE lane = ?", (now.boot, lane)
            )
            facts = {"by": by}
            entry = Entry(What.LEASE_LAPSED, now.wall_at, lane=lane, worker=row.owner, fence=row.fence, facts=facts)
            write_entry(cursor, entry)
            bells = bells_for(cursor, lane, self._limits, now)
        self._signals.ring(bells)
        # It must notice too, and of several only the first is rung.
        self._signals.ring((row.owner,))
        return row.owner

    def redrive(self, job: str, by: str, now: Moment, *, key: str | None = None) -> str:
        with self._database.write() as cursor:
            known = one(cursor, "SELECT id FROM jobs WHERE dedup_key = ?", (f"again:{key}",)) if key else None
            if known is not None:
                return str(known[0])
            old = find_job(cursor, job)
            if old is None:
                raise Refused(f"there is no job {job}")
            if old.state.is_live or old.state == State.DONE:
                raise Refused(f"job {job} did not end badly: only failed, stopped and dead jobs can be driven again")
            fresh = _repeat(old, now, key)
            row = insert_job(cursor, fresh, self._limits, now, state=State.QUEUED)
            facts = {"by": by, "repeats": job}
            write_entry(cursor, Entry(What.JOB_REDRIVEN, now.wall_at, lane=old.lane.key, job=fresh.id, facts=facts))
            bells = self._line_up(cursor, row, fresh, InterruptRule(on_new_thread="queue"), now)
        self._signals.ring(bells)
        return fresh.id

    def pause(self, project: str, reason: str, now: Moment) -> bool:
        with self._database.write() as cursor:
            return pause_project(cursor, project, reason, now)

    def resume(self, project: str, by: str, now: Moment) -> bool:
        bells: list[str] = []
        with self._database.write() as cursor:
            paused = one(cursor, "SELECT paused_at FROM projects WHERE project = ? AND paused IS NOT NULL", (project,))
            if paused is None:
                return False
            _prolong_patience(cursor, project, now.seconds - paused[0])
            sql = "UPDATE projects SET paused = NULL, paused_at = NULL, failures = 0 WHERE project = ?"
            cursor.execute(sql, (project,))
            cursor.execute("UPDATE lanes SET paused = NULL, rung_at = 0 WHERE project = ?", (project,))
            for (lane,) in rows(cursor, "SELECT lane FROM lanes WHERE project = ?", (project,)):
                refresh(cursor, lane, now)
                bells += bells_for(cursor, lane, self._limits, now)
            facts = {"project": project, "by": by}
            write_entry(cursor, Entry(What.PROJECT_RESUMED, now.wall_at, text=project, facts=facts))
        self._signals.ring(bells)
        return True

    def sweep(self, now: Moment) -> int:
        failed = fail_overdue(self._database, self._signals, self._limits, now)
        return failed + ring_what_waits(self._database, self._signals, self._limits, now)

    def _enqueue(self, cursor: apsw.Cursor, job: str, rule: InterruptRule, now: Moment) -> tuple[str, ...]:
        sql = "UPDATE jobs SET state = 'queued', start_by = ? WHERE id = ? AND state = 'preparing'"
        if not changed(cursor, sql, ((now + self._limits.patience).seconds, job)):
            return ()
        newcomer = find_job(cursor, job)
        if newcomer is None:
            return ()
        return self._line_up(cursor, read_lane(cursor, newcomer.lane.key), newcomer, rule, now)

    def _line_up(
        self, cursor: apsw.Cursor, row: LaneRow, newcomer: Job | NewJob, rule: InterruptRule, now: Moment
    ) -> tuple[str, ...]:
        """Let a job that is ready wait for its turn, or interrupt what runs; return who should be rung."""
        if row.running is not None:
            _interrupt_if_allowed(cursor, row, newcomer, rule, now)
        write_entry(cursor, about_newcomer(What.JOB_QUEUED, newcomer, now))
        return announce(cursor, row, self._limits, now)

    def _stop(self, cursor: apsw.Cursor, job: Job, by: str, now: Moment) -> tuple[Stopped, tuple[str, ...]]:
        match job.state:
            case State.PREPARING | State.QUEUED | State.PARKED:
                end_job(cursor, job, Ending(State.STOPPED, error=f"stopped by {by}", words="stopped"), now)
                refresh(cursor, job.lane.key, now)
                return Stopped.ENDED, bells_for(cursor, job.lane.key, self._limits, now)
            case State.RUNNING:
                # A person's stop replaces a newcomer's interrupt, never the other way round.
                set_cancel(cursor, job, Why.STOP, by, AT_ONCE)
                write_entry(cursor, entry_for(What.STOP_ASKED, job, now, facts={"by": by}))
                return Stopped.ASKED, bells_for(cursor, job.lane.key, self._limits, now)
            case State.COMMITTING:
                return Stopped.TOO_LATE, ()
            case _:
                return Stopped.OVER, ()


def _interrupt_if_allowed(
    cursor: apsw.Cursor, row: LaneRow, newcomer: Job | NewJob, rule: InterruptRule, now: Moment
) -> None:
    running = find_job(cursor, row.running or "")
    facts = one(cursor, "SELECT cancel, attempt_at FROM jobs WHERE id = ?", (row.running,))
    if running is None or facts is None:
        return
    why = decide_interrupt(
        rule,
        Running(
            thread=running.thread,
            interruptible=running.state == State.RUNNING and running.kind not in NEVER_PARKED,
            interruptions=running.interruptions,
            has_cancel=facts[0] is not None,
        ),
        newcomer_thread=newcomer.thread,
        newcomer_can_start=row.paused is None and _thread_can_start(cursor, newcomer, now),
        is_instruction=newcomer.kind in {Kind.INSTRUCTION, Kind.ASKED},
    )
    if why is None:
        return
    due = max(now.seconds, facts[1] + rule.first_after.total_seconds())
    set_cancel(cursor, running, why, newcomer.id, due)
    about = {
        "by": newcomer.id,
        "thread": newcomer.thread,
        "why": f"a newer mail in another thread ({why.value})",
    }
    write_entry(cursor, entry_for(What.INTERRUPT_ASKED, running, now, facts=about))


def _thread_can_start(cursor: apsw.Cursor, newcomer: Job | NewJob, now: Moment) -> bool:
    """Tell whether interrupting would be of use: the newcomer's thread must be able to start at once."""
    row = one(
        cursor,
        "SELECT state, not_before FROM jobs WHERE lane = ? AND thread = ?"
        " AND state IN ('preparing', 'queued', 'running', 'parked', 'committing') ORDER BY sequence LIMIT 1",
        (newcomer.lane.key, newcomer.thread),
    )
    return row is not None and row[0] in {"queued", "parked"} and row[1] <= now.seconds


def _repeat(old: Job, now: Moment, key: str | None) -> NewJob:
    again = f"job-{secrets.token_hex(6)}"
    return NewJob(
        id=again,
        lane=old.lane,
        thread=old.thread,
        dedup_key=f"again:{key or again}",
        kind=old.kind,
        subject=old.subject,
        request=old.request,
        received_at=now.wall_at,
        mail=old.mail,
        repeats=old.id,
        about=old.about,
    )


def _prolong_patience(cursor: apsw.Cursor, project: str, seconds: float) -> None:
    cursor.execute(
        "UPDATE jobs SET start_by = start_by + ? WHERE state IN ('queued', 'parked')"
        " AND lane IN (SELECT lane FROM lanes WHERE project = ?)",
        (seconds, project),
    )


def _keep_attachments(cursor: apsw.Cursor, job: str, attachments: tuple[Attached, ...]) -> None:
    """Complete the request of a job that is still being prepared."""
    found = find_job(cursor, job)
    if found is not None and found.state == State.PREPARING:
        request = replace(found.request, attachments=attachments)
        cursor.execute("UPDATE jobs SET request = ? WHERE id = ?", (text_of(request), job))
