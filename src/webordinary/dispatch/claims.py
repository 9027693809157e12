"""Claims over a store: one transaction takes a lane, and only a lane that is free can be taken."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.clock import from_seconds
from webordinary.dispatch.breaker import follow_afterwards
from webordinary.dispatch.claiming import give_lane_back, in_turn, let_go, take_lane
from webordinary.dispatch.job_row import HOLDING
from webordinary.dispatch.states import start_head
from webordinary.dispatch.waking import wake
from webordinary.errors import LostOwnership
from webordinary.interrupts.interrupt import Interrupt, Why
from webordinary.jobs.job import State
from webordinary.ownership.claim import Beat, Next
from webordinary.ownership.claims import LostClaim

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime, timedelta

    from webordinary.clock import Moment
    from webordinary.dispatch.claiming import Taken
    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.lane import LaneRow
    from webordinary.dispatch.line import Line
    from webordinary.dispatch.store import Store, Transaction
    from webordinary.ownership.claim import Claim, Claimed

_MOST_TRIED = 3


class StoredClaims:
    """Who owns which lane."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._limits = store.limits

    def claim(self, worker: str, now: Moment) -> Claimed | None:
        seen = self._store.free_lanes(now)
        called_for = self._store.called_for(worker)
        if not seen and called_for is None:
            return None
        taken = self._store.change(lambda write: self._take(write, worker, seen, called_for), now)
        if taken is not None:
            if taken.row is None:
                # What was left running in it is over, which may have been one failure too many.
                follow_afterwards(self._store, taken.claim.lane.project, now)
            return taken.claimed
        if not seen:
            return None
        raise LostClaim("another worker was quicker between the look and the transaction")

    def _take(self, write: Transaction, worker: str, seen: Sequence[LaneRow], called_for: str | None) -> Taken | None:
        free = in_turn(write.free_lanes(seen=seen), write.now)
        for line in _candidates(write, free[:_MOST_TRIED], called_for):
            if line.row.is_free(write.now):
                taken = take_lane(write, line, worker)
                write.count_claim(worker, won=True)
                write.effects.left += [row for row in free if row.lane != line.row.lane]
                return taken
            write.forget(line)
        if seen:
            write.count_claim(worker, won=False)
        return None

    def start(self, claim: Claim, now: Moment) -> Next:
        def decide(write: Transaction) -> tuple[JobRow | None, timedelta | None]:
            line = write.line(claim.lane.key)
            line.require_owner(claim)
            if line.row.has_lapsed(now):
                # It is offered to others by now; who takes it does so under the next fence.
                raise LostOwnership(f"the lease of {line.row.lane} under fence {claim.fence} is over")
            row = start_head(line, claim)
            if row is not None:
                return row, None
            if line.row.running is None and line.row.ends_by(now + self._limits.answer):
                # It was rung for what cannot start any more, and has answered.
                line.let_stay()
            else:
                write.forget(line)
            return None, line.again_in()

        row, again_in = self._store.change(decide, now)
        seen = Next(row.job if row else None, again_in=again_in)
        return seen if row else replace(seen, others_wait=self._others_wait(claim, now))

    def beat(self, claim: Claim, job: str | None, now: Moment) -> Beat:
        lease = self._limits.idle_lease if job is None else self._limits.lease
        row = self._store.renew(claim, job, lease, now)
        waiting = self._others_wait(claim, now)
        if job is None:
            return Beat(others_wait=waiting, pending=row.pending > 0)
        running = self._store.running(row, job)
        if running is None or running.state not in HOLDING or running.fence != claim.fence:
            return Beat(over=True, others_wait=waiting)
        if not self._store.is_waited_for(running, now):
            return Beat(over=True, others_wait=waiting)
        return Beat(_interrupt_of(running, claim), others_wait=waiting)

    def release(self, claim: Claim, now: Moment) -> bool:
        def decide(write: Transaction) -> bool:
            line = write.line(claim.lane.key)
            line.require_owner(claim)
            if line.row.pending > 0:
                write.forget(line)
                return False
            let_go(line)
            line.effects.tell_of_lane(EventType.LANE_RELEASED, line.row, now, claim.worker)
            return True

        return self._store.change(decide, now)

    def give_back(self, claim: Claim, now: Moment) -> None:
        def decide(write: Transaction) -> None:
            line = write.line(claim.lane.key)
            line.require_owner(claim)
            give_lane_back(line, claim)
            wake(line)

        self._store.change(decide, now)

    def wait_for_work(self, worker: str, now: Moment) -> None:
        self._store.wait_for_work(worker, now)

    def say_health(self, worker: str, *, failures: int, holds_back_until: datetime | None, now: Moment) -> None:
        self._store.say_health(worker, failures, holds_back_until, now)

    def lapse(self, worker: str, now: Moment) -> int:
        def decide(write: Transaction, lane: str) -> bool:
            line = write.line(lane)
            if line.row.owner != worker:
                write.forget(line)
                return False
            line.row.end_lease(now)
            line.effects.tell_of_lane(EventType.LEASE_LAPSED, line.row, now, worker)
            wake(line)
            return True

        lapsed = 0
        for lane in self._store.lanes_of(worker):
            lapsed += self._store.change(lambda write, lane=lane: decide(write, lane), now)  # type: ignore[misc]  # the types of a lambda's defaults are not inferred
        # Last: a worker that is not listed any more is not found again when this has to be repeated.
        self._store.forget_worker(worker)
        return lapsed

    def _others_wait(self, claim: Claim, now: Moment) -> bool:
        return bool(in_turn(self._store.free_lanes(now, besides=claim.lane.key), now))


def _candidates(write: Transaction, free: Sequence[LaneRow], called_for: str | None) -> Iterator[Line]:
    """Return lines to try; what somebody was called for may not be shown yet by a look."""
    for row in free:
        line = write.line_seen(row)
        if line is not None:
            yield line
    if called_for is not None and called_for not in {row.lane for row in free} and write.look(called_for) is not None:
        yield write.line(called_for)


def _interrupt_of(row: JobRow, claim: Claim) -> Interrupt | None:
    """Return what is asked of this very attempt; past the commit point it is too late for anything."""
    if row.cancel is None or row.cancel_fence != claim.fence or row.state == State.COMMITTING:
        return None
    return Interrupt(Why(row.cancel), row.cancel_by or "", from_seconds(row.cancel_not_before or 0))
