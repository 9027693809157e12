"""Attempts in DynamoDB: every write shows the fence, and a job that is over takes no second outcome."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import What
from webordinary.engines.aws.claims import count_won
from webordinary.engines.aws.items import item_of, plain_of
from webordinary.engines.aws.lane_row import LaneRow, lane_from
from webordinary.engines.aws.line import entry_for
from webordinary.engines.aws.pausing import count_failure, follow_project, forgive_failures
from webordinary.engines.aws.proposals import proposal_item
from webordinary.engines.aws.records import SLOT, text_of
from webordinary.engines.aws.schedules import schedule_item
from webordinary.engines.aws.taking import leave_lane, take_lane, will_bury
from webordinary.engines.aws.unread import write_commit_point, write_journal
from webordinary.engines.aws.write import condition_of
from webordinary.errors import Interrupted, LostOwnership, TryAgain
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import Ending, Job, State
from webordinary.jobs.stopped import unless_stopped
from webordinary.ownership.claim import Next

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import timedelta

    from webordinary.clock import Moment
    from webordinary.engines.aws.line import Line
    from webordinary.engines.aws.store import Store
    from webordinary.engines.aws.write import Write
    from webordinary.ownership.claim import Claim, Claimed


class DynamoAttempts:
    """What only the current owner may write about its job."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._limits = store.limits
        # What this process has journaled in the attempt that it makes; its caller may know less.
        self._journaled: tuple[str, int, dict[str, str]] = ("", 0, {})

    def journal(self, claim: Claim, job: Job, step: str, facts: Mapping[str, str], now: Moment) -> Job:
        fresh = {step: now.wall_at.isoformat(), **facts}
        known = self._known_journal(claim, job)

        def decide(write: Write) -> Job:
            if write.is_first:
                changed = replace(job, fence=claim.fence, journal={**known, **fresh})
                write_journal(write, claim, job, text_of(changed.journal))
                about = entry_for(What.STEP, changed, now, worker=claim.worker, text=step, facts=dict(facts))
                write.told.entries.append(about)
                return changed
            line = write.attempt(claim, job)
            row = line.require_running(claim, job.id)
            changed = line.change(row, journal={**row.job.journal, **fresh})
            _tell(line, What.STEP, changed, claim, now, text=step, facts=dict(facts))
            return changed

        written = self._store.change(decide, now)
        self._journaled = (job.id, claim.fence, dict(written.journal))
        return written

    def _known_journal(self, claim: Claim, job: Job) -> dict[str, str]:
        name, fence, journal = self._journaled
        return {**job.journal, **(journal if (name, fence) == (job.id, claim.fence) else {})}

    def take_publish_slot(self, claim: Claim, job: Job, now: Moment) -> bool:
        def decide(write: Write) -> bool:
            own, held = self._own_and_slot(claim, job)
            return self._take_slot(write, claim, job, own, held)

        return self._store.change(decide, now)

    def leave_publish_slot(self, claim: Claim, job: Job, now: Moment) -> None:
        def decide(write: Write) -> None:
            _, held = self._own_and_slot(claim, job)
            mine = {"job": job.id, "fence": claim.fence}
            if mine.items() <= held.items():
                key = item_of({"kind": SLOT, "id": claim.lane.project})
                seen = condition_of("#job = :job AND #fence = :fence", mine)
                write.add("Delete", {"TableName": self._store.names.records, "Key": key, **seen})

        self._store.change(decide, now)

    def _own_and_slot(self, claim: Claim, job: Job) -> tuple[LaneRow, dict[str, Any]]:
        """Read the lane, which has to be ours, and who may publish in its project."""
        names, project = self._store.names, claim.lane.project
        lane, slot = self._store.items(
            (names.ownership, {"projectKey": claim.lane.key}), (names.records, {"kind": SLOT, "id": project})
        )
        row = lane_from(lane) if lane else None
        if row is None or (row.owner, row.fence, row.running) != (claim.worker, claim.fence, job.id):
            raise LostOwnership(f"job {job.id} is not running under fence {claim.fence} any more")
        return row, plain_of(slot) if slot else {}

    def pass_commit_point(self, claim: Claim, job: Job, commit: str, now: Moment) -> Job:
        def decide(write: Write) -> Job:
            if write.is_first:
                journal = self._known_journal(claim, job)
                passed = replace(job, fence=claim.fence, state=State.COMMITTING, commit=commit, journal=journal)
                write_commit_point(write, claim, job, commit)
                facts = {"commit": commit}
                write.told.entries.append(entry_for(What.COMMIT_POINT, passed, now, worker=claim.worker, facts=facts))
                return passed
            line = write.attempt(claim, job)
            row = line.require_running(claim, job.id, only=State.RUNNING)
            if row.cancel is not None and (row.cancel_not_before or 0) <= now.seconds:
                raise Interrupted("asked to stop before the commit point")
            # An interrupt that is not due yet has come too late: from here the job is finished first.
            row.drop_cancel()
            changed = line.change(row, state=State.COMMITTING, commit=commit)
            _tell(line, What.COMMIT_POINT, changed, claim, now, facts={"commit": commit})
            return changed

        return self._store.change(decide, now)

    def reopen(self, claim: Claim, job: Job, why: str, now: Moment) -> Job:
        def decide(write: Write) -> Job:
            line = write.attempt(claim, job)
            row = line.require_running(claim, job.id, only=State.COMMITTING)
            deadline_at = now.wall_at + self._limits.deadline
            changed = line.change(row, state=State.RUNNING, commit=None, deadline_at=deadline_at)
            _tell(line, What.COMMIT_REOPENED, changed, claim, now, text=why)
            return changed

        return self._store.change(decide, now)

    def finish(self, claim: Claim, job: Job, ending: Ending, now: Moment, *, give_way: bool = False) -> Next:
        paused, free = False, list[LaneRow]()

        def decide(write: Write) -> Next:
            nonlocal paused, free
            line = write.attempt(claim, job, with_those_who_wait=True)
            row = line.require_running(claim, job.id)
            ended = unless_stopped(ending, row.cancel_by if row.cancel == Why.STOP else None)
            line.end(row, ended, now, worker=claim.worker)
            _keep_what_waits(write, ended)
            if ended.blames_project:
                paused = count_failure(write, line, ended)
            else:
                forgive_failures(write, line.row.project)
            free = self._store.free_lanes(now, besides=claim.lane.key)
            changed = self._change_lanes(write, line, claim, free) if give_way else None
            return changed or self._go_on(line, claim, now, others_wait=bool(free))

        after = self._store.change(decide, now)
        if after.claimed is not None:
            with suppress(TryAgain):
                self._store.call_for_one_of(free[1:], now)
        if paused:
            follow_project(self._store, claim.lane.project, now)
        return after

    def park(self, claim: Claim, job: Job, now: Moment) -> Next:
        def decide(write: Write) -> Next:
            line = write.attempt(claim, job, with_those_who_wait=True)
            row = line.require_running(claim, job.id, only=State.RUNNING)
            # Since the owner heard of the interrupt, a person may have stopped the job for good.
            if not line.obey_cancel(row, claim.worker, self._limits, now):
                line.park(row, self._limits, now, worker=claim.worker)
            return self._next(line, claim, now)

        return self._store.change(decide, now)

    def retry(
        self, claim: Claim, job: Job, error: str, wait: timedelta, now: Moment, *, is_counted: bool = True
    ) -> Next:
        def decide(write: Write) -> Next:
            line = write.attempt(claim, job, with_those_who_wait=True)
            # Past the commit point nothing is tried again: its commit may be live, so it is settled.
            row = line.require_running(claim, job.id, only=State.RUNNING)
            if line.obey_cancel(row, claim.worker, self._limits, now):
                return self._next(line, claim, now)
            row.not_before, line.row.running = (now + wait).seconds, None
            tried = row.job.attempt
            left = tried if is_counted else tried - 1
            changed = line.change(row, state=State.QUEUED, error=error, deadline_at=None, attempt=left)
            facts = {"attempt": str(tried), "wait_s": f"{wait.total_seconds():g}"}
            _tell(line, What.JOB_RETRIED, changed, claim, now, text=error, facts=facts)
            return self._next(line, claim, now)

        return self._store.change(decide, now)

    def _next(self, line: Line, claim: Claim, now: Moment) -> Next:
        free = self._store.free_lanes(now, besides=claim.lane.key)
        return self._go_on(line, claim, now, others_wait=bool(free))

    def _go_on(self, line: Line, claim: Claim, now: Moment, *, others_wait: bool) -> Next:
        line.settle(now)
        if others_wait:
            # While others wait, a turn is one job.
            return Next(others_wait=True)
        started = line.start_head(claim, self._limits, now)
        if started is None:
            line.let_stay(self._limits, now)
        return Next(started, again_in=line.again_in(now))

    def _change_lanes(self, write: Write, line: Line, claim: Claim, free: Sequence[LaneRow]) -> Next | None:
        """Take the lane that waits longest instead of this one, which goes to the end of those that wait."""
        claimed = self._take_another(write, line, claim, free[0].lane) if free else None
        if claimed is None:
            return None
        if line.row.ready_since is not None:
            line.ring(self._limits, write.now)
        return Next(others_wait=True, claimed=claimed)

    def _take_another(self, write: Write, line: Line, claim: Claim, lane: str) -> Claimed | None:
        another = write.line(lane)
        if not another.row.is_free(write.now) or will_bury(another, self._limits):
            # The index was behind, or a second failure would have to be counted; the worker gives way by itself.
            write.forget(another)
            return None
        leave_lane(line, claim, write.now)
        line.settle(write.now)
        count_won(write, claim.worker)
        return take_lane(write, another, claim.worker)

    def _take_slot(self, write: Write, claim: Claim, job: Job, own: LaneRow, held: dict[str, Any]) -> bool:
        """Whoever holds the slot must still run that job under that fence, and be alive; nothing else cleans up."""
        names = self._store.names
        key = {"kind": SLOT, "id": claim.lane.project}
        mine: dict[str, Any] = {"lane": claim.lane.key, "job": job.id, "fence": claim.fence}
        if mine.items() <= held.items():
            return True
        if held.get("job") not in {None, job.id}:
            holder = own if held["lane"] == own.lane else self._store.lane(str(held["lane"]))
            if holder is not None and _is_held(held, holder, write.now):
                return False
        seen = "#job = :job AND #fence = :fence" if held else "attribute_not_exists(#kind)"
        write.put(names.records, item_of({**key, **mine}), seen, held)
        still_mine = condition_of(
            "#containerId = :worker AND #fence = :fence AND #running = :job",
            {"worker": claim.worker, "fence": claim.fence, "job": job.id},
        )
        write.add(
            "ConditionCheck",
            {"TableName": names.ownership, "Key": item_of({"projectKey": claim.lane.key}), **still_mine},
        )
        return True


def _is_held(held: Mapping[str, object], holder: LaneRow, now: Moment) -> bool:
    return (holder.running, holder.fence) == (held["job"], held["fence"]) and holder.is_owned(now)


def _keep_what_waits(write: Write, ending: Ending) -> None:
    """Write what waits for an `ok` or for its moment together with the end that it belongs to."""
    records = write.store.names.records
    if ending.proposal is not None:
        write.put(records, proposal_item(ending.proposal))
    for schedule in ending.schedules:
        write.put(records, schedule_item(schedule))


def _tell(
    line: Line,
    what: What,
    job: Job,
    claim: Claim,
    now: Moment,
    *,
    text: str = "",
    facts: dict[str, str] | None = None,
) -> None:
    line.told.entries.append(entry_for(what, job, now, worker=claim.worker, text=text, facts=facts))
