"""The row of a lane: who owns it under which fence and until when, and since when it waits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from webordinary.errors import LostOwnership
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.ownership.claim import Claim

# The same few lanes again and again: their keys were checked when they were accepted.
lane_of = lru_cache(maxsize=4096)(Lane.parse)


# Bits for the claims of one lane in a minute; with them a fence stays below 2^53, which every reader of JSON can hold.
_CLAIMS_A_MINUTE = 24


def fence_of_calendar(now: Moment) -> int:
    """Return a fence above all that were given before this minute."""
    return int(now.seconds // 60) << _CLAIMS_A_MINUTE


class LeaseClock(StrEnum):
    """Which clock ends a lease: the boot clock of one machine, or the wall clock that several machines share."""

    BOOT = "boot"
    WALL = "wall"

    def read(self, moment: Moment) -> tuple[str, float]:
        """Return the boot and the time on it; the wall clock knows no boots."""
        return (moment.boot_id, moment.boot) if self is LeaseClock.BOOT else ("", moment.seconds)


@dataclass(slots=True)
class LaneRow:
    """A lane as the rules see and change it; a store reads it before and writes it after them."""

    lane: str
    fence: int
    owner: str | None = None
    nonce: str | None = None
    lease_until: float = 0
    # A lease of another boot is over, whatever its time says.
    lease_boot: str = ""
    pending: int = 0
    # How many of the live jobs are verbs, which may go first.
    verbs: int = 0
    next_sequence: int = 1
    running: str | None = None
    # Whether what runs has passed its commit point: such a lane is taken over even while its project is paused.
    is_committing: bool = False
    ready_since: float | None = None
    # From when on the head of a lane without an owner may start.
    not_before: float = 0
    # No job of the lane fails by time before this moment; the sweep looks no earlier.
    overdue_at: float | None = None
    first_thread: str | None = None
    last_worker: str | None = None
    paused: str | None = None
    paused_at: float | None = None
    # All pauses so far, in seconds: the patience of a job that waited through one ends that much later.
    patience_shift: float = 0
    rung_at: float = 0
    rings: int = 0
    rings_suppressed: int = 0
    # When the time of what runs is over, on the clock of the leases: a wall clock that is set fails nothing that runs.
    runs_until: float | None = None
    claimed_at: float | None = None
    # When its owner last took, began, went on with or ended something: a beat alone is no activity.
    last_activity: float | None = None
    leases: LeaseClock = LeaseClock.WALL

    @property
    def project(self) -> str:
        return lane_of(self.lane).project

    def waited(self, now: Moment) -> timedelta:
        """Return how long the lane has waited for an owner: since it was ready, or since its last one was gone."""
        return timedelta(seconds=self.seconds_waited(now))

    def seconds_waited(self, now: Moment) -> float:
        """Return the same as a number, by which lanes are put in order."""
        if self.owner is None:
            return max(0.0, now.seconds - (self.ready_since or now.seconds))
        boot, at = self.leases.read(now)
        # Nobody knows when a lease of another boot ended; it was at the latest with that boot.
        return max(0.0, at - (self.lease_until if self.lease_boot == boot else 0))

    def next_fence(self, now: Moment) -> int:
        """Return the fence of the next owner; tables that were restored from yesterday are above today's all the same.

        Where one machine keeps everything a restore raises the generation instead, because its clock may be wrong.
        """
        by_calendar = fence_of_calendar(now) if self.leases is LeaseClock.WALL else 0
        return max(self.fence + 1, by_calendar)

    def lease_to(self, moment: Moment) -> None:
        """Let the lease end then."""
        self.lease_boot, self.lease_until = self.leases.read(moment)

    def run_until(self, moment: Moment) -> None:
        """Let the deadline of what runs be then; where leases follow the wall the job's own one is enough."""
        self.runs_until = moment.boot if self.leases is LeaseClock.BOOT else None

    def deadline_of(self, deadline_at: float | None, now: Moment) -> float | None:
        """Return when what runs is over its deadline, on the wall as it hangs now."""
        if deadline_at is None or self.runs_until is None or self.lease_boot != now.boot_id:
            return deadline_at
        return now.seconds + self.runs_until - now.boot

    def end_lease(self, now: Moment) -> None:
        """Let the lane be taken over from now on; one that lapsed before has waited for longer."""
        self.lease_until, self.rung_at = min(self.lease_until, self.leases.read(now)[1]), 0

    def ends_by(self, moment: Moment) -> bool:
        """Tell whether the lease is over then, unless somebody renews it."""
        boot, at = self.leases.read(moment)
        return self.lease_boot != boot or self.lease_until <= at

    def is_owned(self, now: Moment) -> bool:
        if self.owner is None:
            return False
        boot, at = self.leases.read(now)
        return self.lease_boot == boot and self.lease_until > at

    def has_lapsed(self, now: Moment) -> bool:
        return self.owner is not None and not self.is_owned(now)

    def is_ready(self, now: Moment) -> bool:
        return self.owner is None and self.ready_since is not None and self.not_before <= now.seconds

    def is_left_behind(self, now: Moment) -> bool:
        # A paused project's lane is taken over only to settle a commit that may be live already.
        return self.has_lapsed(now) and self.pending > 0 and (self.paused is None or self.is_committing)

    def is_free(self, now: Moment) -> bool:
        """Tell whether a worker may take the lane."""
        return self.is_ready(now) or self.is_left_behind(now)

    def was_just_called(self, within: timedelta, now: Moment) -> bool:
        """Tell whether somebody was called for the lane a moment ago; a clock that was set back silences nobody."""
        return 0 <= now.seconds - self.rung_at < within.total_seconds()

    def require_owner(self, claim: Claim) -> None:
        """Go on only if the claim is the current one."""
        if self.owner != claim.worker or self.fence != claim.fence:
            raise LostOwnership(f"{self.lane} is owned under fence {self.fence}, not {claim.fence}")

    def renew(self, claim: Claim, lease: timedelta, now: Moment) -> None:
        """Extend the lease of the current owner; one that is over stays over."""
        if (self.owner, self.fence) != (claim.worker, claim.fence) or not self.is_owned(now):
            raise LostOwnership(f"the lease of {self.lane} under fence {claim.fence} is over")
        self.lease_to(now + lease)
