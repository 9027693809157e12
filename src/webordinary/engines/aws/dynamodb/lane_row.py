"""The row of a lane as an item of its table, and back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webordinary.dispatch.lane import LaneRow, LeaseClock
from webordinary.engines.aws.dynamodb.items import Item, item_of, plain_of
from webordinary.engines.aws.dynamodb.tables import TIME_TO_LIVE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.engines.aws.dynamodb.shards import Shards

READY_MARK = "ready"
# What may be half published is shown before all others, and what is paused behind them: longer than any lane waits.
AHEAD = 1_000_000_000
TEND_MARK = "live"
# Later than any limit.
_NEVER = 1e12


@dataclass(slots=True)
class VersionedLane(LaneRow):
    """A lane that is written only if nobody else has written its version before."""

    running_sequence: int | None = None
    # When the sweep should look at the lane.
    tend_at: float = 0
    # Since when there always was something to do in it; a lane of an earlier version does not say.
    busy_since: float | None = None
    version: int = 0
    write_id: str = ""
    # A version that kept no places of threads wrote it last.
    is_earlier: bool = False

    def plan_tending(self, now: float) -> None:
        """Be looked at by the sweep when something is overdue: who merely waits needs nobody."""
        self.busy_since = (self.busy_since or now) if self.pending > 0 else None
        self.tend_at = _NEVER if self.overdue_at is None else self.overdue_at


_LANE_NAMES = {
    "lane": "projectKey",
    "fence": "fence",
    "owner": "containerId",
    "nonce": "nonce",
    "claimed_at": "claimedAt",
    "last_activity": "lastActivity",
    "lease_until": "leaseUntil",
    "pending": "pending",
    "verbs": "verbs",
    "next_sequence": "nextSequence",
    "running": "running",
    "running_sequence": "runningSequence",
    "is_committing": "committing",
    "not_before": "notBefore",
    "overdue_at": "overdueAt",
    "tend_at": "tendAt",
    "busy_since": "busySince",
    "first_thread": "firstThread",
    "last_worker": "lastWorker",
    "paused": "paused",
    "paused_at": "pausedAt",
    "patience_shift": "patienceShift",
    "rung_at": "rungAt",
    "rings": "rings",
    "rings_suppressed": "ringsSuppressed",
    "version": "version",
    "write_id": "writeId",
}


def end_of_claim(lease_until: float) -> int:
    """Return what a lane says under `ttl`: until when its claim holds, for whoever asks the table for active claims."""
    return math.ceil(lease_until)


def lane_item(row: VersionedLane, shards: Shards) -> Item:
    """Return the row; it is never collected as garbage, because its fence must never begin again."""
    values = {name: getattr(row, field) for field, name in _LANE_NAMES.items()}
    # One sparse index for both: who waits since when, and who could be taken over from when on.
    since = row.lease_until if row.owner is not None else row.ready_since
    ahead = AHEAD if row.is_committing else 0 if row.paused is None else -AHEAD
    values["readySince"] = since - ahead if since is not None else None
    values["ahead"] = ahead or None
    values["readyMark"] = shards.key(READY_MARK, row.lane) if since is not None else None
    values["tendMark"] = shards.key(TEND_MARK, row.lane) if row.pending > 0 else None
    values["status"] = _status(row)
    values[TIME_TO_LIVE] = end_of_claim(row.lease_until) if row.owner is not None else None
    return item_of(values)


def _status(row: LaneRow) -> str:
    if row.owner is None:
        return "ready" if row.ready_since is not None else "free"
    return "working" if row.running is not None else "idle"


def lane_from(item: Mapping[str, Any]) -> VersionedLane:
    """Read a lane's row."""
    values = plain_of(item)
    known = {field: values[name] for field, name in _LANE_NAMES.items() if name in values}
    row = VersionedLane(**known, leases=LeaseClock.WALL)
    row.ready_since = values.get("readySince") if row.owner is None else None
    row.is_earlier = "verbs" not in values and row.pending > 0
    return row
