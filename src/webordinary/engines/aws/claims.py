"""Claims in DynamoDB: one conditional write takes a lane, and only the version that was read can be taken."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import What
from webordinary.clock import from_seconds
from webordinary.engines.aws.faults import Stale, translated
from webordinary.engines.aws.items import item_of
from webordinary.engines.aws.lane_row import LaneRow, lane_from
from webordinary.engines.aws.pausing import follow_project
from webordinary.engines.aws.records import KEPT_FOR, WORKER
from webordinary.engines.aws.rows import HOLDING, JobRow, job_from
from webordinary.engines.aws.taking import give_lane_back, let_go, take_lane
from webordinary.engines.aws.waited_for import is_waited_for
from webordinary.errors import LostOwnership, TryAgain
from webordinary.interrupts.interrupt import Interrupt, Why
from webordinary.jobs.job import State
from webordinary.ownership.claim import Beat, Next
from webordinary.ownership.claims import LostClaim

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

    from webordinary.clock import Moment
    from webordinary.engines.aws.store import Store
    from webordinary.engines.aws.write import Write
    from webordinary.ownership.claim import Claim, Claimed

_MOST_TRIED = 3
_BEAT_NAMES = {
    "#owner": "containerId",
    "#fence": "fence",
    "#until": "leaseUntil",
    "#since": "readySince",
    "#seen": "lastActivity",
    "#version": "version",
}


class DynamoClaims:
    """Who owns which lane; leases end by the wall clock, because several machines read them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._limits = store.limits

    def claim(self, worker: str, now: Moment) -> Claimed | None:
        free = self._store.free_lanes(now)
        called_for = self._store.called.pop(worker, None)
        lanes: list[tuple[str, LaneRow | None]] = [(row.lane, row) for row in free[:_MOST_TRIED]]
        if called_for and called_for not in {row.lane for row in free}:
            # The index may not show yet what somebody was called for.
            lanes.append((called_for, None))
        for lane, seen in lanes:
            claimed = self._store.change(
                lambda write, lane=lane, seen=seen: self._take(write, lane, seen, worker),  # type: ignore[misc]  # the types of a lambda's defaults are not inferred
                now,
            )
            if claimed is not None:
                self._settle_in(claimed, free, now)
                return claimed
        if not free:
            return None
        self._update_worker(worker, "ADD #lost :one SET #seen = :now, #idle = :no", now)
        raise LostClaim("another worker was quicker between the look and the transaction")

    def _settle_in(self, claimed: Claimed, seen: Sequence[LaneRow], now: Moment) -> None:
        lane = claimed.claim.lane
        with suppress(TryAgain):
            self._store.call_for_one_of([row for row in seen if row.lane != lane.key], now)
        if claimed.job is None:
            # What was left running in it is over, which may have been one failure too many.
            follow_project(self._store, lane.project, now)

    def start(self, claim: Claim, now: Moment) -> Next:
        def decide(write: Write) -> Next:
            line = write.line(claim.lane.key)
            line.require_owner(claim)
            job = line.start_head(claim, self._limits, now)
            if job is None:
                write.forget(line)
            return Next(job, again_in=line.again_in(now))

        seen = self._store.change(decide, now)
        return seen if seen.job else replace(seen, others_wait=self._others_wait(claim, now))

    def beat(self, claim: Claim, job: str | None, now: Moment) -> Beat:
        row = self._extend(claim, self._limits.idle_lease if job is None else self._limits.lease, now)
        waiting = self._others_wait(claim, now)
        if job is None:
            return Beat(others_wait=waiting, pending=row.pending > 0)
        running = self._running(row, job)
        if running is None or running.job.state not in HOLDING or not is_waited_for(self._store, running, now):
            return Beat(over=True, others_wait=waiting)
        return _beat_of(running, claim, others=waiting)

    def release(self, claim: Claim, now: Moment) -> bool:
        def decide(write: Write) -> bool:
            line = write.line(claim.lane.key)
            line.require_owner(claim)
            if line.row.pending > 0:
                write.forget(line)
                return False
            let_go(line)
            line.tell_of_lane(What.LANE_RELEASED, now, claim.worker)
            return True

        return self._store.change(decide, now)

    def give_back(self, claim: Claim, now: Moment) -> None:
        def decide(write: Write) -> None:
            line = write.line(claim.lane.key)
            line.require_owner(claim)
            give_lane_back(line, claim, self._limits, now)
            line.ring(self._limits, now)

        self._store.change(decide, now)

    def wait_for_work(self, worker: str, now: Moment) -> None:
        self._update_worker(worker, "SET #idle = :yes, #since = :now, #seen = :now", now)

    def say_health(self, worker: str, *, failures: int, holds_back_until: datetime | None, now: Moment) -> None:
        until = holds_back_until.timestamp() if holds_back_until else 0
        expression = "ADD #failed :failures SET #until = :until, #seen = :now"
        self._update_worker(worker, expression, now, {":failures": failures, ":until": until})

    def lapse(self, worker: str, now: Moment) -> int:
        owned = [row.lane for row in self._store.lanes_of(worker)]
        count = sum(self._lapse(lane, worker, now) for lane in owned)
        with translated(f"the table {self._store.names.records}"):
            self._store.client.delete_item(TableName=self._store.names.records, Key=_worker_key(worker))
        return count

    def _lapse(self, lane: str, worker: str, now: Moment) -> bool:
        def decide(write: Write) -> bool:
            line = write.line(lane)
            if line.row.owner != worker:
                write.forget(line)
                return False
            line.row.end_lease(now)
            line.tell_of_lane(What.LEASE_LAPSED, now, worker)
            line.ring(self._limits, now)
            return True

        return self._store.change(decide, now)

    def _take(self, write: Write, lane: str, seen: LaneRow | None, worker: str) -> Claimed | None:
        # An index that is behind shows an old version, with which nothing is written; then the row itself is read.
        line, now = write.line_of(seen) if seen and write.is_first else write.find_line(lane), write.now
        if line is None:
            return None
        if not line.row.is_free(now):
            write.forget(line)
            return None
        claimed = take_lane(write, line, worker)
        count_won(write, worker)
        return claimed

    def _extend(self, claim: Claim, lease: timedelta, now: Moment) -> LaneRow:
        """Extend the lease, only if it is still ours and not over; it is also when others may take the lane."""
        values: dict[str, Any] = {
            ":owner": claim.worker,
            ":fence": claim.fence,
            ":now": now.seconds,
            ":until": (now + lease).seconds,
            ":one": 1,
        }
        try:
            with translated(f"the table {self._store.names.ownership}"):
                found = self._store.client.update_item(
                    TableName=self._store.names.ownership,
                    Key=item_of({"projectKey": claim.lane.key}),
                    UpdateExpression="SET #until = :until, #since = :until, #seen = :now ADD #version :one",
                    ConditionExpression="#owner = :owner AND #fence = :fence AND #until > :now",
                    ExpressionAttributeNames=_BEAT_NAMES,
                    ExpressionAttributeValues=item_of(values),
                    ReturnValues="ALL_NEW",
                )
        except Stale as over:
            raise LostOwnership(f"the lease of {claim.lane.key} under fence {claim.fence} is over") from over
        return lane_from(found["Attributes"])

    def _running(self, row: LaneRow, job: str) -> JobRow | None:
        if row.running != job:
            return None
        key = {"projectUserId": row.lane, "sequence": row.running_sequence}
        item = self._store.item(self._store.names.jobs, key)
        return job_from(item) if item else None

    def _others_wait(self, claim: Claim, now: Moment) -> bool:
        return bool(self._store.free_lanes(now, besides=claim.lane.key))

    def _update_worker(self, worker: str, expression: str, now: Moment, values: dict[str, Any] | None = None) -> None:
        with translated(f"the table {self._store.names.records}"):
            self._store.client.update_item(**worker_update(self._store, worker, expression, now, values))


def count_won(write: Write, worker: str) -> None:
    """Count a claim that was won, and take the worker off the list of those who wait, in the same transaction."""
    expression = "ADD #won :one SET #seen = :now, #idle = :no"
    write.add("Update", worker_update(write.store, worker, expression, write.now))


def worker_update(
    store: Store,
    worker: str,
    expression: str,
    now: Moment,
    values: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a write about a worker; `SET` must come last in the expression."""
    names = {
        "#idle": "idle",
        "#since": "idleAt",
        "#seen": "seenAt",
        "#won": "claimsWon",
        "#lost": "claimsLost",
        "#failed": "claimsFailed",
        "#until": "holdsBackUntil",
        "#ttl": "ttl",
    }
    expression += ", #ttl = :ttl"
    known = {
        ":now": now.seconds,
        ":yes": True,
        ":no": False,
        ":one": 1,
        ":ttl": int((now + KEPT_FOR).seconds),
        **(values or {}),
    }
    words = expression.replace(",", " ").replace("(", " ").replace(")", " ").split()
    return {
        "TableName": store.names.records,
        "Key": _worker_key(worker),
        "UpdateExpression": expression,
        "ExpressionAttributeNames": {name: names[name] for name in words if name in names},
        "ExpressionAttributeValues": item_of({value: known[value] for value in words if value in known}),
    }


def _worker_key(worker: str) -> dict[str, Any]:
    return item_of({"kind": WORKER, "id": worker})


def _beat_of(row: JobRow, claim: Claim, *, others: bool) -> Beat:
    if row.cancel is None or row.cancel_fence != claim.fence or row.job.state == State.COMMITTING:
        return Beat(others_wait=others)
    due_at = from_seconds(row.cancel_not_before or 0)
    return Beat(Interrupt(Why(row.cancel), row.cancel_by or "", due_at), others_wait=others)
