"""Attempts over a store: every write shows the fence, and a job that is over takes no second outcome."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.dispatch.breaker import count_failure, follow_afterwards
from webordinary.dispatch.claiming import in_turn, leave_lane, take_lane, will_bury
from webordinary.dispatch.states import end, obey_cancel, park, start_head, try_again_later
from webordinary.dispatch.store import DoneStep, Slot
from webordinary.dispatch.waking import wake
from webordinary.errors import Interrupted, LostOwnership
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import State
from webordinary.jobs.journal import Journal
from webordinary.jobs.stopped import unless_stopped
from webordinary.ownership.claim import Next

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webordinary.clock import Moment
    from webordinary.dispatch.claiming import Taken
    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.lane import LaneRow
    from webordinary.dispatch.line import Line
    from webordinary.dispatch.store import Store, Transaction
    from webordinary.jobs.job import Ending, Job
    from webordinary.ownership.claim import Claim


@dataclass(slots=True)
class _After:
    """What an owner does after a job, with rows that become jobs when they were written."""

    started: JobRow | None = None
    others_wait: bool = False
    taken: Taken | None = None
    again_in: timedelta | None = None

    @property
    def next(self) -> Next:
        claimed = self.taken.claimed if self.taken else None
        return Next(self.started.job if self.started else None, self.others_wait, claimed, self.again_in)


class StoredAttempts:
    """What only the current owner may write about its job."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._limits = store.limits

    def journal(
        self, claim: Claim, job: Job, step: str, facts: Mapping[str, str], now: Moment, *, may_wait: bool = False
    ) -> Job:
        done = DoneStep(step, facts, now)
        if may_wait and (journal := self._store.put_off(claim, job, done)) is not None:
            return replace(job, journal=Journal(journal))

        def decide(write: Transaction) -> JobRow:
            line = write.attempt(claim, job, is_step=True)
            row = _running(write, line, claim, job)
            _note(line, row, claim, done)
            return row

        return self._store.change(decide, now).job

    def take_publish_slot(self, claim: Claim, job: Job, now: Moment) -> bool:
        def decide(write: Transaction) -> bool:
            if write.believes_slot(claim):
                # Most projects have one lane that publishes: nothing is read, and the write finds out whether it is so.
                line = write.attempt(claim, job, is_step=True)
                _running(write, line, claim, job)
                write.put_slot(Slot(claim.lane.key, job.id, claim.fence), None, claim, job.id)
                return True
            own, held = write.lane_and_slot(claim)
            mine = _own_slot(own, claim, job)
            if held == mine:
                return True
            if held is not None and held.job != job.id:
                holder = own if own is not None and held.lane == own.lane else write.look(held.lane)
                if _is_held(held, holder, now):
                    return False
            write.put_slot(mine, held, claim, job.id)
            return True

        has_taken = self._store.change(decide, now)
        if self._store.has_put_off(claim, job):
            # Who waits for the others of the project may wait for long.
            self._store.change(lambda write: _running(write, write.attempt(claim, job, is_step=True), claim, job), now)
        return has_taken

    def leave_publish_slot(self, claim: Claim, job: Job, now: Moment) -> None:
        def decide(write: Transaction) -> None:
            own, held = write.lane_and_slot(claim)
            if held == _own_slot(own, claim, job):
                write.put_slot(None, held, claim, job.id)

        self._store.change(decide, now)

    def pass_commit_point(self, claim: Claim, job: Job, commit: str, now: Moment) -> Job:
        def decide(write: Transaction) -> JobRow:
            line = write.attempt(claim, job, is_step=True)
            row = _running(write, line, claim, job, only=State.RUNNING)
            if row.cancel is not None and (row.cancel_not_before or 0) <= now.seconds:
                raise Interrupted("asked to stop before the commit point")
            # An interrupt that is not due yet has come too late: from here the job is finished first.
            row.drop_cancel()
            row.state, row.commit = State.COMMITTING, commit
            line.change(row)
            line.effects.tell(EventType.COMMIT_POINT, row, now, worker=claim.worker, facts={"commit": commit})
            return row

        return self._store.change(decide, now).job

    def reopen(self, claim: Claim, job: Job, why: str, now: Moment) -> Job:
        def decide(write: Transaction) -> JobRow:
            line = write.attempt(claim, job)
            row = _running(write, line, claim, job, only=State.COMMITTING)
            row.state, row.commit, row.deadline_at = State.RUNNING, None, (now + self._limits.deadline).seconds
            line.row.run_until(now + self._limits.deadline)
            line.change(row)
            line.effects.tell(EventType.COMMIT_REOPENED, row, now, worker=claim.worker, text=why)
            return row

        return self._store.change(decide, now).job

    def finish(self, claim: Claim, job: Job, ending: Ending, now: Moment, *, give_way: bool = False) -> Next:
        is_paused = False

        def decide(write: Transaction) -> _After:
            nonlocal is_paused
            line = write.attempt(claim, job)
            row = _running(write, line, claim, job)
            ended = unless_stopped(ending, row.cancel_by if row.cancel == Why.STOP else None)
            end(line, row, ended, worker=claim.worker)
            # What waits for an `ok` or for its moment is written together with the end that it belongs to.
            write.effects.proposals += [ended.proposal] if ended.proposal else []
            write.effects.schedules += ended.schedules
            if ended.blames_project:
                is_paused = count_failure(write, line, ended)
            else:
                write.forgive(line.row.project)
            return _go_on(write, line, claim, give_way=give_way)

        after = self._store.change(decide, now)
        if is_paused:
            follow_afterwards(self._store, claim.lane.project, now)
        return after.next

    def park(self, claim: Claim, job: Job, now: Moment) -> Next:
        def decide(write: Transaction) -> _After:
            line = write.attempt(claim, job)
            row = _running(write, line, claim, job, only=State.RUNNING)
            # Since the owner heard of the interrupt, a person may have stopped the job for good.
            if not obey_cancel(line, row, claim.worker):
                park(line, row, worker=claim.worker)
            return _go_on(write, line, claim)

        return self._store.change(decide, now).next

    def retry(
        self,
        claim: Claim,
        job: Job,
        error: str,
        wait: timedelta,
        now: Moment,
        *,
        is_counted: bool = True,
        prolongs: timedelta = timedelta(0),
    ) -> Next:
        def decide(write: Transaction) -> _After:
            line = write.attempt(claim, job)
            # Past the commit point nothing is tried again: its commit may be live, so it is settled.
            row = _running(write, line, claim, job, only=State.RUNNING)
            if not obey_cancel(line, row, claim.worker):
                try_again_later(line, row, claim.worker, error, wait, is_counted=is_counted, prolongs=prolongs)
            return _go_on(write, line, claim)

        return self._store.change(decide, now).next


def _running(write: Transaction, line: Line, claim: Claim, job: Job, *, only: State | None = None) -> JobRow:
    """Return the job that still runs under this claim, with the steps of it that were put off until now."""
    row = line.require_running(claim, job.id, only=only)
    for done in write.steps_put_off(claim, job):
        _note(line, row, claim, done)
    return row


def _note(line: Line, row: JobRow, claim: Claim, done: DoneStep) -> None:
    row.kept_journal = {**row.journal, **done.journaled}
    line.change(row)
    facts = dict(done.facts)
    line.effects.tell(EventType.STEP, row, done.at, worker=claim.worker, text=done.step, facts=facts)


def _go_on(write: Transaction, line: Line, claim: Claim, *, give_way: bool = False) -> _After:
    free = in_turn(write.free_lanes(besides=line.row.lane), write.now)
    if line.row.paused is not None:
        # Its project's other lanes may not have followed yet.
        free = [row for row in free if row.is_committing or row.project != line.row.project]
    taken = _change_lanes(write, line, claim, free) if give_way and free else None
    if taken is not None or free:
        # While others wait, a turn is one job.
        return _After(others_wait=True, taken=taken)
    started = start_head(line, claim)
    if started is not None:
        return _After(started)
    line.let_stay()
    return _After(again_in=line.again_in())


def _change_lanes(write: Transaction, line: Line, claim: Claim, free: Sequence[LaneRow]) -> Taken | None:
    """Take the lane that waits longest instead of this one, which goes to the end of those that wait."""
    another = write.line_seen(free[0])
    if another is None:
        return None
    if not another.row.is_free(write.now) or will_bury(another):
        # The look was late, or a second failure would have to be counted; the worker gives way by itself.
        write.forget(another)
        return None
    leave_lane(line, claim)
    taken = take_lane(write, another, claim.worker)
    write.count_claim(claim.worker, won=True)
    write.effects.left += free[1:]
    if line.row.ready_since is not None:
        wake(line)
    return taken


def _own_slot(own: LaneRow | None, claim: Claim, job: Job) -> Slot:
    """Return the slot as this attempt holds it, which only the owner of the running job may."""
    if own is None or (own.owner, own.fence, own.running) != (claim.worker, claim.fence, job.id):
        raise LostOwnership(f"job {job.id} is not running under fence {claim.fence} any more")
    return Slot(own.lane, job.id, claim.fence)


def _is_held(held: Slot, holder: LaneRow | None, now: Moment) -> bool:
    """The holder of the slot must still run that job under that fence, and be alive; nothing else cleans up."""
    return holder is not None and (holder.running, holder.fence) == (held.job, held.fence) and holder.is_owned(now)
