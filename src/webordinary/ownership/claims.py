"""Claims: at most one worker owns a lane, its fence only ever grows, and a lapsed lease owns nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.clock import Moment
    from webordinary.ownership.claim import Beat, Claim, Claimed, Next


class LostClaim(TryAgain):
    """Another worker was quicker."""


class Claims(Protocol):
    """Who owns which lane. Methods that show a claim raise LostOwnership when it is no longer the current one."""

    def claim(self, worker: str, now: Moment) -> Claimed | None:
        """Take the free lane that has waited longest, one that may be half published before it, and start its head.

        None when nothing waits; LostClaim when something did and another worker was quicker. Every try is counted.
        """

    def start(self, claim: Claim, now: Moment) -> Next:
        """Start the head of the owned lane, if it can start and nothing runs; else say what to wait for."""

    def beat(self, claim: Claim, job: str | None, now: Moment) -> Beat:
        """Extend the lease, by the longer one for idle owners without a job, and hear whether the job should stop."""

    def release(self, claim: Claim, now: Moment) -> bool:
        """Give up a lane in which nothing is pending; False when a job came in the meantime."""

    def give_back(self, claim: Claim, now: Moment) -> None:
        """Give up the lane whatever waits in it; a running job goes back to its place in the line."""

    def wait_for_work(self, worker: str, now: Moment) -> None:
        """Say that the worker may be rung for any lane; committed before it looks again, undone by its claim."""

    def say_health(self, worker: str, *, failures: int, holds_back_until: datetime | None, now: Moment) -> None:
        """Let operators see how claiming goes: store errors since the last word, and whether the worker holds back."""

    def lapse(self, worker: str, now: Moment) -> int:
        """End every lease of a worker whose process is known to be dead."""
