"""Lanes in DynamoDB: each operation is one transaction on the lane's version, and the bells ring after it."""

from __future__ import annotations

import itertools
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, What
from webordinary.engines.aws.items import plain_of
from webordinary.engines.aws.lane_row import LaneRow, lane_from
from webordinary.engines.aws.line import AT_ONCE, NEVER_PARKED, Line, new_token
from webordinary.engines.aws.overdue import post_what_is_owed, ring_what_waits, tend_lanes
from webordinary.engines.aws.pausing import (
    follow_project,
    pause_line,
    pause_project,
    read_project,
    require_unchanged,
    resume_project,
)
from webordinary.engines.aws.rows import JobRow, dedup_key, fresh_row
from webordinary.errors import Refused
from webordinary.interrupts.decide import InterruptRule, Running, decide_interrupt
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import Attached, Ending, Job, Kind, NewJob, State
from webordinary.jobs.lanes import Accepted, Stopped

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.aws.store import Store
    from webordinary.engines.aws.tokens import Waiting
    from webordinary.engines.aws.write import Write


class DynamoLanes:
    """The queue that intake, people and the sweep see."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._limits = store.limits

    def accept(self, job: NewJob, now: Moment, *, ready: InterruptRule | None = None) -> Accepted:
        tries = itertools.count()

        def decide(write: Write) -> Accepted:
            names, is_repeated = self._store.names, next(tries) > 0
            known, lane = self._store.items(
                (names.jobs, dedup_key(job.dedup_key)), (names.ownership, {"projectKey": job.lane.key})
            )
            if known is not None:
                # Our own write, if its answer was lost: the request is as fresh as it was.
                first = str(plain_of(known)["jobId"])
                return Accepted(first, fresh=is_repeated and first == job.id)
            line = write.line_of(lane_from(lane)) if lane else _begin_lane(write, job)
            self._insert(line, job, ready, now)
            return Accepted(job.id, fresh=True)

        return self._store.change(decide, now)

    def enqueue(
        self,
        job: str,
        rule: InterruptRule,
        now: Moment,
        *,
        attachments: tuple[Attached, ...] | None = None,
        waiting: Waiting | None = None,
        lane: str | None = None,
    ) -> None:
        """Let a prepared job wait for its turn; the execution that waits for it replaces the one before.

        Whoever knows the job's lane saves the look for it.
        """

        def decide(write: Write) -> None:
            line, row = write.line_with(job, lane)
            if row is None:
                return
            if line is None:
                if waiting is not None:
                    # It is over: whoever asks now is answered at once.
                    _take_token(row, waiting)
                    write.answer_flow(row)
                return
            if waiting is not None:
                _take_token(row, waiting)
                line.changed.add(job)
                write.keep_callback(row)
            if row.job.state == State.PREPARING:
                if attachments is not None:
                    row.change(request=replace(row.job.request, attachments=attachments))
                self._enqueue(line, row, rule, now)
            elif waiting is None:
                write.forget(line)

        self._store.change(decide, now)

    def stop(self, job: str, by: str, now: Moment) -> Stopped:
        def decide(write: Write) -> Stopped:
            line, row = write.line_with(job)
            if row is None:
                raise Refused(f"there is no job {job}")
            if line is None:
                return Stopped.OVER
            return self._stop(write, line, row, by)

        return self._store.change(decide, now)

    def interrupt(self, lane: str, by: str, now: Moment) -> str | None:
        def decide(write: Write) -> str | None:
            line = write.line(lane)
            row = line.running
            if row is None or row.job.state != State.RUNNING or row.job.kind in NEVER_PARKED:
                write.forget(line)
                return None
            # Who asked before keeps the say and the turn, and is only due at once.
            why, asked_by = Why(row.cancel or Why.INTERRUPT), row.cancel_by or by
            line.set_cancel(row, why, asked_by, AT_ONCE, thread=row.cancel_thread)
            line.tell(What.INTERRUPT_ASKED, row.job, now, facts={"by": by, "why": "a person asked"})
            line.ring(self._limits, now)
            return row.job.id

        return self._store.change(decide, now)

    def release(self, lane: str, by: str, now: Moment) -> str | None:
        def decide(write: Write) -> str | None:
            line = write.line(lane)
            owner = line.row.owner
            if owner is None:
                write.forget(line)
                return None
            line.row.end_lease(now)
            line.tell_of_lane(What.LEASE_LAPSED, now, owner, {"by": by})
            line.ring_loser()
            line.ring(self._limits, now)
            return owner

        return self._store.change(decide, now)

    def redrive(self, job: str, by: str, now: Moment, *, key: str | None = None) -> str:
        again = f"job-{secrets.token_hex(6)}"

        def decide(write: Write) -> str:
            known = self._store.item(self._store.names.jobs, dedup_key(f"again:{key}")) if key else None
            if known is not None:
                return str(plain_of(known)["jobId"])
            old = self._store.find(job)
            if old is None:
                raise Refused(f"there is no job {job}")
            if old.job.state.is_live or old.job.state == State.DONE:
                raise Refused(f"job {job} did not end badly: only failed, stopped and dead jobs can be driven again")
            line = write.line(old.job.lane.key)
            self._insert(line, _repeat(old.job, again, now, key), InterruptRule(on_new_thread="queue"), now, by=by)
            return again

        return self._store.change(decide, now)

    def pause(self, project: str, reason: str, now: Moment) -> bool:
        def decide(write: Write) -> bool:
            known = read_project(self._store, project)
            if known.paused is None:
                pause_project(write, known, reason, known.failures)
            return known.paused is None

        paused = self._store.change(decide, now)
        follow_project(self._store, project, now)
        return paused

    def resume(self, project: str, by: str, now: Moment) -> bool:
        def decide(write: Write) -> bool:
            known = read_project(self._store, project)
            if known.paused is not None:
                resume_project(write, known, by)
            return known.paused is not None

        resumed = self._store.change(decide, now)
        follow_project(self._store, project, now)
        return resumed

    def sweep(self, now: Moment) -> int:
        failed = tend_lanes(self._store, now)
        return failed + ring_what_waits(self._store, now) + post_what_is_owed(self._store)

    def _insert(
        self, line: Line, job: NewJob, ready: InterruptRule | None, now: Moment, *, by: str | None = None
    ) -> None:
        row = fresh_row(job, line.row.next_sequence, new_token(), self._limits, now)
        line.add(row, now)
        if by is not None:
            facts = {"by": by, "repeats": job.repeats or ""}
            entry = Entry(What.JOB_REDRIVEN, now.wall_at, lane=job.lane.key, job=job.id, facts=facts)
            line.told.entries.append(entry)
        if ready is not None:
            self._enqueue(line, row, ready, now)

    def _enqueue(self, line: Line, row: JobRow, rule: InterruptRule, now: Moment) -> None:
        row.wait_until(now + self._limits.patience, line.row)
        line.change(row, state=State.QUEUED)
        if line.running is not None:
            _interrupt_if_allowed(line, line.running, row, rule, now)
        line.tell(What.JOB_QUEUED, row.job, now)
        if not row.flow_token:
            line.told.alone.append(row.job.id)
        line.ring(self._limits, now)

    def _stop(self, write: Write, line: Line, row: JobRow, by: str) -> Stopped:
        now = write.now
        match row.job.state:
            case State.PREPARING | State.QUEUED | State.PARKED:
                line.end(row, Ending(State.STOPPED, error=f"stopped by {by}", words="stopped"), now)
                line.ring(self._limits, now)
                return Stopped.ENDED
            case State.RUNNING:
                # A person's stop replaces a newcomer's interrupt, never the other way round.
                line.set_cancel(row, Why.STOP, by, AT_ONCE)
                line.tell(What.STOP_ASKED, row.job, now, facts={"by": by})
                line.ring(self._limits, now)
                return Stopped.ASKED
            case _:
                write.forget(line)
                return Stopped.TOO_LATE


def _begin_lane(write: Write, job: NewJob) -> Line:
    """Begin a lane, paused if its project is."""
    project = read_project(write.store, job.lane.project)
    require_unchanged(write, project)
    # The first fence comes from the calendar, so that a lane that is made anew never repeats one.
    fence = int(write.now.seconds // 60) << 32
    line = write.new_line(LaneRow(job.lane.key, fence))
    if project.paused is not None:
        pause_line(line, project.paused, project.paused_at)
    return line


def _interrupt_if_allowed(line: Line, running: JobRow, row: JobRow, rule: InterruptRule, now: Moment) -> None:
    newcomer = row.job
    why = decide_interrupt(
        rule,
        Running(
            thread=running.job.thread,
            interruptible=running.job.state == State.RUNNING and running.job.kind not in NEVER_PARKED,
            interruptions=running.job.interruptions,
            has_cancel=running.cancel is not None,
        ),
        newcomer_thread=newcomer.thread,
        newcomer_can_start=line.row.paused is None and _thread_can_start(line, newcomer.thread, now),
        is_instruction=newcomer.kind in {Kind.INSTRUCTION, Kind.ASKED},
    )
    if why is None:
        return
    due = max(now.seconds, (running.attempt_at or 0) + rule.first_after.total_seconds())
    line.set_cancel(running, why, newcomer.id, due, thread=newcomer.thread)
    row.interrupted, row.interrupted_owner = running.job.id, line.row.owner
    about = {
        "by": newcomer.id,
        "thread": newcomer.thread,
        "why": f"a newer mail in another thread ({why.value})",
    }
    line.tell(What.INTERRUPT_ASKED, running.job, now, facts=about)


def _thread_can_start(line: Line, thread: str, now: Moment) -> bool:
    """Tell whether interrupting would be of use: the newcomer's thread must be able to start at once."""
    return next(row for row in line.jobs.values() if row.job.thread == thread).can_start(now)


def _take_token(row: JobRow, waiting: Waiting) -> None:
    """Let whoever waits with this token hear the outcome; the token before it is answered by nobody any more."""
    row.flow_token, row.execution = True, waiting.execution
    row.change(token=waiting.token)


def _repeat(old: Job, again: str, now: Moment, key: str | None) -> NewJob:
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
