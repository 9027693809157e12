"""Lanes over a store: accepting and enqueueing jobs, what people ask of them, and the sweep."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.dispatch.breaker import follow, follow_afterwards, follow_all, pause, resume
from webordinary.dispatch.flow import GivenUp, give_up
from webordinary.dispatch.job_row import NEVER_PARKED, fresh_row
from webordinary.dispatch.overdue import fail_overdue, ring_again
from webordinary.dispatch.states import AT_ONCE, accept, end, enqueue, set_cancel, stopped_by
from webordinary.dispatch.waking import wake, wake_loser, was_just_woken
from webordinary.errors import Refused
from webordinary.interrupts.decide import InterruptRule
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import NewJob, State
from webordinary.jobs.lanes import Accepted, Stopped

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.clock import Moment
    from webordinary.dispatch.flow import Waiting
    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.line import Line
    from webordinary.dispatch.store import Store, Transaction
    from webordinary.jobs.job import Attached, Ending, Job

_QUEUE = InterruptRule(on_new_thread="queue")


class StoredLanes:
    """The queue that intake, people and the sweep see."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._limits = store.limits

    def accept(
        self,
        job: NewJob,
        now: Moment,
        *,
        ready: InterruptRule | None = None,
        beside: Callable[[Transaction], None] | None = None,
    ) -> Accepted:
        """Give the job its place; `beside` adds what its caller wants to be true together with that."""
        self._store.require_space()

        def decide(write: Transaction) -> Accepted:
            known, line = write.place_for(job)
            if known is not None:
                # Our own write, if its answer was lost: the request is as fresh as it was.
                return Accepted(known, fresh=write.is_repeated and known == job.id)
            line = line or _begin_lane(write, job)
            is_owned, was_called, sequence = line.row.is_owned(now), was_just_woken(line), line.row.next_sequence
            self._insert(line, job, ready)
            if beside is not None:
                beside(write)
            return Accepted(job.id, fresh=True, is_owned=is_owned, was_called=was_called, sequence=sequence)

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
        sequence: int | None = None,
    ) -> None:
        """Let a prepared job wait for its turn; the execution that waits for it replaces the one before.

        A caller that knows the job's lane, and its place in it, saves the lookup.
        """

        def decide(write: Transaction) -> None:
            line, row = write.line_with(job, lane, sequence)
            if row is not None and waiting is not None:
                # Also one that is over: a caller that asks now is answered at once.
                row.flow_token, row.execution, row.token = True, waiting.execution, waiting.token
                write.effects.tokens.append(row)
            if line is None or row is None:
                return
            if row.state == State.PREPARING:
                if attachments is not None:
                    row.kept_request = replace(row.request, attachments=attachments)
                enqueue(line, row, rule)
                wake(line)
            elif waiting is None:
                write.forget(line)
            else:
                line.change(row)

        self._store.change(decide, now)

    def stop(self, job: str, by: str, now: Moment) -> Stopped:
        def decide(write: Transaction) -> Stopped:
            line, row = write.line_with(job)
            if row is None:
                raise Refused(f"there is no job {job}")
            return Stopped.OVER if line is None else _stop(write, line, row, by)

        return self._store.change(decide, now)

    def hurry(self, job: str, now: Moment) -> None:
        def decide(write: Transaction) -> None:
            line, row = write.line_with(job)
            if line is None or row is None:
                return
            row.not_before = 0
            line.change(row)
            wake(line)

        self._store.change(decide, now)

    def interrupt(self, lane: str, by: str, now: Moment) -> str | None:
        def decide(write: Transaction) -> str | None:
            line = write.line(lane)
            row = line.running
            if row is None or row.state != State.RUNNING or row.kind in NEVER_PARKED:
                write.forget(line)
                return None
            # Who asked before keeps the say and the turn, and is only due at once.
            why, asked_by = Why(row.cancel or Why.INTERRUPT), row.cancel_by or by
            set_cancel(line, row, why, asked_by, AT_ONCE, thread=row.cancel_thread)
            line.effects.tell(EventType.INTERRUPT_ASKED, row, now, facts={"by": by, "why": "a person asked"})
            wake(line)
            return row.id

        return self._store.change(decide, now)

    def release(self, lane: str, by: str, now: Moment) -> str | None:
        def decide(write: Transaction) -> str | None:
            line = write.line(lane)
            owner = line.row.owner
            if owner is None:
                write.forget(line)
                return None
            line.row.end_lease(now)
            line.effects.tell_of_lane(EventType.LEASE_LAPSED, line.row, now, owner, {"by": by})
            wake_loser(line)
            wake(line)
            return owner

        return self._store.change(decide, now)

    def redrive(self, job: str, by: str, now: Moment, *, key: str | None = None) -> str:
        again = f"job-{secrets.token_hex(6)}"

        def decide(write: Transaction) -> str:
            known = write.known(f"again:{key}") if key else None
            if known is not None:
                return known
            old = write.find(job)
            if old is None:
                raise Refused(f"there is no job {job}")
            if old.state.is_live or old.state == State.DONE:
                raise Refused(f"job {job} did not end badly: only failed, stopped and dead jobs can be driven again")
            self._insert(write.line(old.lane), _repeat(old.job, again, now, key), _QUEUE, by=by)
            return again

        return self._store.change(decide, now)

    def pause(self, project: str, reason: str, now: Moment) -> bool:
        paused = self._store.change(lambda write: pause(write, write.project(project), reason), now)
        follow_afterwards(self._store, project, now)
        return paused

    def resume(self, project: str, by: str, now: Moment) -> bool:
        resumed = self._store.change(lambda write: resume(write, write.project(project), by), now)
        follow_afterwards(self._store, project, now)
        return resumed

    def sweep(self, now: Moment) -> int:
        rounds = self._store.rounds(now)
        rounds.failed = sum(self._fail_overdue(lane, now) for lane in rounds.overdue)
        follow_all(self._store, rounds.behind, now)
        at_once = self._store.lanes_at_once
        chunks = [rounds.waiting[at : at + at_once] for at in range(0, len(rounds.waiting), at_once)]
        rung = sum(self._wake_again(chunk, now) for chunk in chunks)
        return rounds.failed + rung + self._store.tidy(rounds, now)

    def give_up(
        self, job: str, execution: str, ending: Ending | None, now: Moment, *, has_waited: bool = True
    ) -> GivenUp:
        """End a job for the flow that waited for it, unless that has to wait on."""
        return self._store.change(lambda write: give_up(write, job, execution, ending, has_waited=has_waited), now)

    def _insert(self, line: Line, job: NewJob, ready: InterruptRule | None, *, by: str | None = None) -> None:
        # A token names its job, so that no store has to look for it.
        token = f"{job.id}.{secrets.token_urlsafe(24)}"
        row = fresh_row(job, line.row.next_sequence, token, self._limits, line.now)
        accept(line, row, job.verdict)
        if by is not None:
            facts = {"by": by, "repeats": job.repeats or ""}
            entry = Entry(EventType.JOB_REDRIVEN, line.now.wall_at, lane=row.lane, job=row.id, facts=facts)
            line.effects.entries.append(entry)
        if ready is not None:
            enqueue(line, row, ready)
            wake(line)

    def _fail_overdue(self, lane: str, now: Moment) -> int:
        count = 0
        while failed := self._store.change(
            lambda write: fail_overdue(write, write.line(lane), self._store.most_at_once), now
        ):
            count += failed
        return count

    def _wake_again(self, lanes: list[str], now: Moment) -> int:
        def decide(write: Transaction) -> int:
            return sum(_wake_again(write, write.line(lane)) for lane in lanes)

        return self._store.change(decide, now)


def _wake_again(write: Transaction, line: Line) -> bool:
    waits, has_changed = ring_again(line)
    if not has_changed:
        write.forget(line)
    return waits


def _stop(write: Transaction, line: Line, row: JobRow, by: str) -> Stopped:
    match row.state:
        case State.PREPARING | State.QUEUED | State.PARKED:
            end(line, row, stopped_by(by))
            wake(line)
            return Stopped.ENDED
        case State.RUNNING:
            # A person's stop replaces a newcomer's interrupt, never the other way round.
            set_cancel(line, row, Why.STOP, by, AT_ONCE)
            line.effects.tell(EventType.STOP_ASKED, row, line.now, facts={"by": by})
            wake(line)
            return Stopped.ASKED
        case _:
            write.forget(line)
            return Stopped.TOO_LATE


def _begin_lane(write: Transaction, job: NewJob) -> Line:
    """Begin a lane, paused if its project is."""
    project = write.project(job.lane.project)
    write.hold_project(project)
    line = write.new_line(job.lane.key)
    follow(line, project)
    return line


def _repeat(old: Job, again: str, now: Moment, key: str | None) -> NewJob:
    return NewJob(
        id=again,
        lane=old.lane,
        thread=old.thread,
        dedup_key=f"again:{key or again}",
        kind=old.kind,
        subject=old.subject,
        request=replace(old.request, opens_thread=False),
        received_at=now.wall_at,
        mail=old.mail,
        repeats=old.id,
        about=old.about,
    )
