"""The row of a lane as a value, and back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.items import Item, item_of, plain_of
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.clock import Moment

READY_MARK = "ready"
TEND_MARK = "live"

# The same few lanes again and again: their keys were checked when they were accepted.
lane_of = lru_cache(maxsize=4096)(Lane.parse)


@dataclass(slots=True)
class LaneRow:
    """A lane: changed in memory, and written only if nobody else has written its version before."""

    lane: str
    fence: int
    owner: str | None = None
    nonce: str | None = None
    claimed_at: float | None = None
    last_activity: float | None = None
    lease_until: float = 0
    pending: int = 0
    next_sequence: int = 1
    running: str | None = None
    running_sequence: int | None = None
    # Whether what runs has passed its commit point: such a lane is taken over even while its project is paused.
    is_committing: bool = False
    ready_since: float | None = None
    not_before: float = 0
    # The earliest moment at which a job of the lane fails by time; the sweep looks no earlier.
    overdue_at: float | None = None
    # When the sweep has looked at the lane, and when it should do so again.
    tended_at: float = 0
    tend_at: float = 0
    first_thread: str | None = None
    last_worker: str | None = None
    paused: str | None = None
    paused_at: float | None = None
    # All pauses so far, in seconds: the patience of a job that waited through one ends that much later.
    patience_shift: float = 0
    rung_at: float = 0
    rings: int = 0
    rings_suppressed: int = 0
    version: int = 0
    write_id: str = ""

    @property
    def project(self) -> str:
        return lane_of(self.lane).project

    def plan_tending(self, every: timedelta) -> None:
        """Be looked at by the sweep when something is overdue, and from time to time for those who wait."""
        again = self.tended_at + every.total_seconds()
        self.tend_at = again if self.overdue_at is None else min(again, self.overdue_at)

    def waited(self, now: Moment) -> timedelta:
        """Return how long the lane has waited for an owner: since it was ready, or since its last one was gone."""
        since = self.ready_since if self.owner is None else self.lease_until
        return timedelta(seconds=max(0.0, now.seconds - (since or now.seconds)))

    def end_lease(self, now: Moment) -> None:
        """Let the lane be taken over from now on; one that lapsed before has waited for longer."""
        self.lease_until, self.rung_at = min(self.lease_until, now.seconds), 0

    def is_owned(self, now: Moment) -> bool:
        return self.owner is not None and self.lease_until > now.seconds

    def has_lapsed(self, now: Moment) -> bool:
        return self.owner is not None and self.lease_until <= now.seconds

    def is_ready(self, now: Moment) -> bool:
        return self.owner is None and self.ready_since is not None and self.not_before <= now.seconds

    def is_left_behind(self, now: Moment) -> bool:
        # A paused project's lane is taken over only to settle a commit that may be live already.
        return self.has_lapsed(now) and self.pending > 0 and (self.paused is None or self.is_committing)

    def is_free(self, now: Moment) -> bool:
        """Tell whether a worker may take the lane."""
        return self.is_ready(now) or self.is_left_behind(now)


_LANE_NAMES = {
    "lane": "projectKey",
    "fence": "fence",
    "owner": "containerId",
    "nonce": "nonce",
    "claimed_at": "claimedAt",
    "last_activity": "lastActivity",
    "lease_until": "leaseUntil",
    "pending": "pending",
    "next_sequence": "nextSequence",
    "running": "running",
    "running_sequence": "runningSequence",
    "is_committing": "committing",
    "not_before": "notBefore",
    "overdue_at": "overdueAt",
    "tended_at": "tendedAt",
    "tend_at": "tendAt",
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


def lane_item(row: LaneRow) -> Item:
    """Return the row; it is never collected as garbage, because its fence must never begin again."""
    values = {name: getattr(row, field) for field, name in _LANE_NAMES.items()}
    # One sparse index for both: who waits since when, and who could be taken over from when on.
    since = row.lease_until if row.owner is not None else row.ready_since
    values["readySince"] = since
    values["readyMark"] = READY_MARK if since is not None else None
    values["tendMark"] = TEND_MARK if row.pending > 0 else None
    values["status"] = _status(row)
    return item_of(values)


def _status(row: LaneRow) -> str:
    if row.owner is None:
        return "ready" if row.ready_since is not None else "free"
    return "working" if row.running is not None else "idle"


def lane_from(item: Mapping[str, Any]) -> LaneRow:
    """Read a lane's row."""
    values = plain_of(item)
    known = {field: values[name] for field, name in _LANE_NAMES.items() if name in values}
    row = LaneRow(**known)
    row.ready_since = values.get("readySince") if row.owner is None else None
    return row
