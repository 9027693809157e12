"""Taking a lane and giving it back, in memory: alone, or together with the end of a job."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from webordinary.audit.entry import What
from webordinary.engines.aws.lane_row import lane_of
from webordinary.engines.aws.pausing import count_failure
from webordinary.jobs.job import Ending, Job, State
from webordinary.ownership.claim import Claim, Claimed

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.aws.line import Line
    from webordinary.engines.aws.rows import JobRow
    from webordinary.engines.aws.write import Write
    from webordinary.jobs.limits import Limits


def take_lane(write: Write, line: Line, worker: str) -> Claimed:
    """Own a lane that is free under its next fence, and let its head run."""
    limits, now = write.store.limits, write.now
    row, before, waited = line.row, line.row.owner, line.row.waited(now)
    row.fence += 1
    row.owner, row.nonce, row.last_worker = worker, secrets.token_hex(8), worker
    row.claimed_at = row.last_activity = now.seconds
    row.lease_until = (now + limits.lease).seconds
    row.rung_at = 0
    claim = Claim(lane_of(row.lane), row.fence, worker, row.nonce)
    line.tell_of_lane(What.LANE_CLAIMED, now, worker, {"from": before} if before else {})
    left = line.running
    taken = _take_over(write, line, left, claim) if left is not None else None
    if left is not None:
        line.settle(now)
    job = taken or line.start_head(claim, limits, now)
    if job is None:
        line.let_stay(limits, now)
    return Claimed(claim, job, waited)


def give_lane_back(line: Line, claim: Claim, limits: Limits, now: Moment) -> None:
    """Give the lane up, whatever waits in it; what runs goes back to its place or where its cancel says."""
    running = line.running
    if running is not None and running.job.state == State.COMMITTING:
        # It must be settled, so only its lease ends; the lane stays with its unfinished commit.
        line.row.lease_until = now.seconds
        line.tell_of_lane(What.LANE_GIVEN_BACK, now, claim.worker)
        return
    if running is not None and not line.obey_cancel(running, claim.worker, limits, now):
        line.put_back(running, claim.worker, now)
    leave_lane(line, claim, now)


def leave_lane(line: Line, claim: Claim, now: Moment) -> None:
    """Let others have the lane, in which nothing runs under this claim any more."""
    line.row.running = None
    let_go(line)
    line.tell_of_lane(What.LANE_GIVEN_BACK, now, claim.worker)


def let_go(line: Line) -> None:
    """Take the lane from its owner."""
    line.row.owner = line.row.nonce = None
    line.row.lease_until = 0


def will_bury(line: Line, limits: Limits) -> bool:
    """Tell whether what the last owner left running was tried too often to be tried again."""
    left = line.running
    return left is not None and left.job.state == State.RUNNING and left.job.attempt >= limits.attempts


def _take_over(write: Write, line: Line, row: JobRow, claim: Claim) -> Job | None:
    """Go on with what the last owner left running; None when a cancel ended it, or it was tried too often."""
    limits, now = write.store.limits, write.now
    if row.job.state == State.COMMITTING:
        return line.change(row, fence=claim.fence)
    if line.obey_cancel(row, claim.worker, limits, now):
        return None
    if will_bury(line, limits):
        reason = f"its worker died in each of {row.job.attempt} attempts"
        ending = Ending(State.DEAD, error=reason, words="our_fault", blames_project=True)
        line.end(row, ending, now, worker=claim.worker)
        count_failure(write, line, ending)
        return None
    return line.start(claim, row, limits, now)
