"""The dispatch protocol once more, as plainly as it can be said: no storage, no wakeups, one object.

Each operation has the name and the promise of its port. A guard that fails raises before anything is changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contracts.reference_lines import ANY_WORDS, HOLDING, WAITING, Cancel, Lines, RefProject
from webordinary.errors import Interrupted, LostOwnership, Refused, TryAgain
from webordinary.interrupts.interrupt import Why
from webordinary.jobs.job import LIVE, Ending, Kind, State
from webordinary.jobs.lanes import Accepted, Stopped

if TYPE_CHECKING:
    from datetime import timedelta

    from webordinary.clock import Moment
    from webordinary.interrupts.decide import InterruptRule
    from webordinary.jobs.job import NewJob
    from webordinary.ownership.claim import Claim

BAD_ENDS = {State.FAILED, State.STOPPED, State.REFUSED, State.DEAD}


class People(Lines):
    """What intake, people and the sweep do."""

    def accept(self, new: NewJob, now: Moment, ready: InterruptRule | None) -> Accepted:
        if new.dedup_key in self.keys:
            return Accepted(self.keys[new.dedup_key], fresh=False)
        self.keys[new.dedup_key] = new.id
        self.insert(new.id, new.lane.key, new.thread, new.kind, now, has_reader=new.request.reply_to is not None)
        if ready is not None:
            self.enqueue(new.id, ready, now)
        else:
            self.recompute(self.lanes[new.lane.key], now)
        return Accepted(new.id, fresh=True)

    def enqueue(self, job: str, rule: InterruptRule, now: Moment) -> None:
        newcomer = self.jobs[job]
        if newcomer.state != State.PREPARING:
            return
        newcomer.state = State.QUEUED
        newcomer.start_by = now.wall_at + self.limits.patience
        lane = self.lanes[newcomer.lane]
        if lane.running is not None:
            self.interrupt_if_allowed(self.jobs[lane.running], newcomer, rule, now)
        self.recompute(lane, now)
        self.ring(lane, now)

    def stop(self, job: str, by: str, now: Moment) -> Stopped:
        found = self.jobs[job]
        match found.state:
            case State.PREPARING | State.QUEUED | State.PARKED:
                self.end(found, Ending(State.STOPPED, template=ANY_WORDS), now)
                self.recompute(self.lanes[found.lane], now)
                self.ring(self.lanes[found.lane], now)
                return Stopped.ENDED
            case State.RUNNING:
                found.cancel = Cancel(Why.STOP, by)
                return Stopped.ASKED
            case State.COMMITTING:
                return Stopped.TOO_LATE
            case _:
                return Stopped.OVER

    def interrupt(self, lane: str, by: str) -> str | None:
        """Set a cancel by hand; one that is there already is only brought forward, and a verb is never set aside."""
        running = self.jobs.get(self.lanes[lane].running or "")
        if running is None or running.state != State.RUNNING or running.kind == Kind.VERB:
            return None
        running.cancel = running.cancel or Cancel(Why.INTERRUPT, by)
        running.cancel.due_at = None
        return running.id

    def release_by_hand(self, lane: str, now: Moment) -> str | None:
        self.lanes[lane].end_lease(now)
        return self.lanes[lane].owner

    def redrive(self, job: str, fresh: str, now: Moment) -> None:
        old = self.jobs[job]
        if old.state not in BAD_ENDS:
            raise Refused
        self.insert(fresh, old.lane, old.thread, old.kind, now, has_reader=old.has_reader)
        again = self.jobs[fresh]
        again.state, again.start_by = State.QUEUED, now.wall_at + self.limits.patience
        self.recompute(self.lanes[old.lane], now)
        self.ring(self.lanes[old.lane], now)

    def pause(self, project: str, now: Moment) -> bool:
        known = self.project(project)
        if known.paused_at is not None:
            return False
        known.paused_at = now.wall_at
        self.recompute_project(project, now)
        return True

    def resume(self, project: str, now: Moment) -> bool:
        known = self.project(project)
        if known.paused_at is None:
            return False
        for job in self.jobs.values():
            if self.lanes[job.lane].project == project and job.state in WAITING and job.start_by is not None:
                job.start_by += now.wall_at - known.paused_at
        self.projects[project] = RefProject()
        self.recompute_project(project, now)
        for lane in self.lanes.values():
            if lane.project == project:
                self.ring(lane, now)
        return True

    def sweep(self, now: Moment) -> None:
        lanes = self.lanes
        # All that is overdue now, whatever the first of them lead to.
        overdue = [
            job
            for job in self.jobs.values()
            if job.is_overdue(
                now,
                patience_runs=not self.is_paused(lanes[job.lane]),
                has_owner=lanes[job.lane].is_owned(now),
            )
        ]
        # Who has to stop is told that, and nothing else.
        waited = {job.lane for job in overdue} - {job.lane for job in overdue if lanes[job.lane].running == job.id}
        for job in overdue:
            took_too_long = job.state == State.RUNNING
            self.end(job, Ending(State.FAILED, template=ANY_WORDS), now)
            if took_too_long:
                self.blame(lanes[job.lane].project, now)
            self.recompute(lanes[job.lane], now)
        for key in waited:
            self.ring(lanes[key], now)
        for lane in self.lanes.values():
            if lane.has_lapsed(now) and not self.live(lane.key):
                lane.owner = None

    def answer_token(self, job: str, ending: Ending, now: Moment) -> None:
        found = self.jobs[job]
        if found.state == State.COMMITTING:
            raise TryAgain
        if found.state not in LIVE:
            raise LostOwnership
        was_running = self.lanes[found.lane].running == job
        self.end(found, ending, now)
        self.recompute(self.lanes[found.lane], now)
        if not was_running:
            self.ring(self.lanes[found.lane], now)


class Reference(People):
    """And what workers do with lanes, and the owner of one with its job."""

    def claim(self, claim: Claim, now: Moment) -> str | None:
        """Take the lane under the fence that the engine gave, and return the job that runs then."""
        lane = self.lanes[claim.lane.key]
        lane.fence, lane.owner, lane.ready_since = claim.fence, claim.worker, None
        lane.lease_to(now + self.limits.lease)
        left = self.jobs[lane.running] if lane.running else None
        if left is not None and self.take_over(left, claim.fence, now):
            return left.id
        self.recompute(lane, now)
        return self.start_or_stay(lane, now)

    def start(self, claim: Claim, now: Moment) -> tuple[str | None, bool]:
        lane = self.owned(claim)
        if lane.has_lapsed(now):
            raise LostOwnership
        started = self.start_head(lane, now)
        if started is None and lane.gone_for(now + self.limits.answer) >= 0:
            lane.lease_to(now + self.limits.idle_lease)
        return started, started is None and self.others_wait(lane, now)

    def beat(self, claim: Claim, job: str | None, now: Moment) -> tuple[tuple[Why, str] | None, bool, bool]:
        lane = self.owned(claim)
        if lane.has_lapsed(now):
            raise LostOwnership
        lane.lease_to(now + (self.limits.idle_lease if job is None else self.limits.lease))
        others = self.others_wait(lane, now)
        if job is None:
            return None, False, others
        if job != lane.running:
            return None, True, others
        cancel = self.jobs[job].cancel
        return (cancel.why, cancel.by) if cancel else None, False, others

    def release(self, claim: Claim) -> bool:
        lane = self.owned(claim)
        if self.live(lane.key):
            return False
        lane.owner = None
        return True

    def give_back(self, claim: Claim, now: Moment) -> None:
        lane = self.owned(claim)
        running = self.jobs[lane.running] if lane.running else None
        if running is not None and running.state == State.COMMITTING:
            lane.end_lease(now)
            return
        lane.owner = None
        if running is not None and not self.obey(running, now):
            running.state, running.attempt, lane.running = State.QUEUED, running.attempt - 1, None
        self.recompute(lane, now)

    def lapse(self, worker: str, now: Moment) -> int:
        owned = [lane for lane in self.lanes.values() if lane.owner == worker]
        for lane in owned:
            lane.end_lease(now)
        return len(owned)

    def journal(self, claim: Claim, job: str) -> None:
        self.held(claim, job, HOLDING)

    def take_publish_slot(self, claim: Claim, job: str, now: Moment) -> bool:
        self.held(claim, job, HOLDING)
        project = claim.lane.project
        holder, fence = self.slots.get(project, (job, claim.fence))
        lane = self.lanes[self.jobs[holder].lane]
        if holder != job and (lane.running, lane.fence) == (holder, fence) and lane.is_owned(now):
            return False
        self.slots[project] = (job, claim.fence)
        return True

    def pass_commit_point(self, claim: Claim, job: str, commit: str, now: Moment) -> None:
        running = self.held(claim, job, {State.RUNNING})
        if running.cancel is not None and running.cancel.is_due(now):
            raise Interrupted
        running.state, running.commit, running.cancel = State.COMMITTING, commit, None

    def reopen(self, claim: Claim, job: str, now: Moment) -> None:
        running = self.held(claim, job, {State.COMMITTING})
        running.state, running.commit = State.RUNNING, None
        running.deadline_at = now.wall_at + self.limits.deadline

    def finish(
        self, claim: Claim, job: str, ending: Ending, now: Moment, *, taken: Claim | None = None
    ) -> tuple[str | None, bool]:
        """End the job; the engine may have taken another lane for the worker in the same breath."""
        running = self.held(claim, job, HOLDING)
        self.end(running, ending, now)
        if ending.blames_project:
            self.blame(claim.lane.project, now)
        else:
            self.project(claim.lane.project).failures = 0
        if taken is None:
            return self.go_on(claim, now)
        assert taken.lane.key in self.claimable(now, besides=claim.lane.key), f"{taken.lane} does not wait longest"
        self.give_back(claim, now)
        return self.claim(taken, now), True

    def park(self, claim: Claim, job: str, now: Moment) -> tuple[str | None, bool]:
        running = self.held(claim, job, {State.RUNNING})
        if not self.obey(running, now):
            self.set_aside(running, now)
        return self.go_on(claim, now)

    def retry(self, claim: Claim, job: str, wait: timedelta, now: Moment) -> tuple[str | None, bool]:
        running = self.held(claim, job, {State.RUNNING})
        if not self.obey(running, now):
            running.state, running.not_before = State.QUEUED, now.wall_at + wait
            self.lanes[running.lane].running = None
        return self.go_on(claim, now)
