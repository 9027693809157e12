"""Taking a lane and giving it back: alone, or together with the end of a job."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.dispatch.breaker import count_failure
from webordinary.dispatch.lane import lane_of
from webordinary.dispatch.states import end, obey_cancel, put_back, start, start_head
from webordinary.jobs.figures import WAITED
from webordinary.jobs.job import Ending, State
from webordinary.ownership.claim import Claim, Claimed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import timedelta

    from webordinary.clock import Moment
    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.lane import LaneRow
    from webordinary.dispatch.line import Line
    from webordinary.dispatch.store import Transaction


@dataclass(frozen=True, slots=True)
class Taken:
    """A claim that will be true, and the job that was started with it."""

    claim: Claim
    row: JobRow | None
    waited: timedelta

    @property
    def claimed(self) -> Claimed:
        return Claimed(self.claim, self.row.job if self.row else None, self.waited)


def in_turn(lanes: Iterable[LaneRow], now: Moment) -> list[LaneRow]:
    """Return the lanes that a worker may take: what may be half published first, then who has waited longest."""
    free = [row for row in lanes if row.is_free(now)]
    if len(free) > 1:
        free.sort(key=lambda row: (not row.is_committing, -row.seconds_waited(now)))
    return free


def take_lane(write: Transaction, line: Line, worker: str) -> Taken:
    """Own a lane that is free under its next fence, and let its head run."""
    now = line.now
    row, before, waited = line.row, line.row.owner, line.row.waited(now)
    row.fence = row.next_fence(now)
    row.owner, row.nonce, row.last_worker = worker, secrets.token_hex(8), worker
    row.claimed_at = row.last_activity = now.seconds
    row.lease_to(now + line.limits.lease)
    row.rung_at = 0
    claim = Claim(lane_of(row.lane), row.fence, worker, row.nonce)
    facts = {WAITED: f"{waited.total_seconds():.3f}", **({"from": before} if before else {})}
    line.effects.tell_of_lane(EventType.LANE_CLAIMED, row, now, worker, facts)
    left = line.running
    taken = _take_over(write, line, left, claim) if left is not None else None
    job = taken or start_head(line, claim)
    if job is None:
        line.let_stay()
    return Taken(claim, job, waited)


def give_lane_back(line: Line, claim: Claim) -> None:
    """Give the lane up, whatever waits in it; what runs goes back to its place or where its cancel says."""
    running = line.running
    if running is not None and running.state == State.COMMITTING:
        # It must be settled, so only its lease ends; the lane stays with its unfinished commit.
        line.row.lease_to(line.now)
        line.effects.tell_of_lane(EventType.LANE_GIVEN_BACK, line.row, line.now, claim.worker)
        return
    if running is not None and not obey_cancel(line, running, claim.worker):
        put_back(line, running, claim.worker)
    leave_lane(line, claim)


def leave_lane(line: Line, claim: Claim) -> None:
    """Let others have the lane, in which nothing runs under this claim any more."""
    line.row.running = None
    let_go(line)
    line.effects.tell_of_lane(EventType.LANE_GIVEN_BACK, line.row, line.now, claim.worker)
    line.recompute()


def let_go(line: Line) -> None:
    """Take the lane from its owner."""
    line.row.owner = line.row.nonce = None
    line.row.lease_until = 0


def will_bury(line: Line) -> bool:
    """Tell whether what the last owner left running was tried too often to be tried again."""
    left = line.running
    return left is not None and left.state == State.RUNNING and left.attempt >= line.limits.attempts


def _take_over(write: Transaction, line: Line, row: JobRow, claim: Claim) -> JobRow | None:
    """Go on with what the last owner left running; None when a cancel ended it, or it was tried too often."""
    if row.state == State.COMMITTING:
        row.fence = claim.fence
        line.change(row)
        return row
    if obey_cancel(line, row, claim.worker):
        return None
    if will_bury(line):
        reason = f"its worker died in each of {row.attempt} attempts"
        ending = Ending(State.DEAD, error=reason, template="our_fault")
        end(line, row, ending, worker=claim.worker)
        count_failure(write, line, ending)
        return None
    return start(line, claim, row)
