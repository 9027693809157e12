"""Attempts: what only the current owner may write about the job that it runs, each write under its fence."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.clock import Moment
    from webordinary.jobs.job import Ending, Job
    from webordinary.ownership.claim import Claim, Next


class Attempts(Protocol):
    """One try at a job. Every method raises LostOwnership when the claim is stale or the job is already over."""

    def journal(
        self, claim: Claim, job: Job, step: str, facts: Mapping[str, str], now: Moment, *, may_wait: bool = False
    ) -> Job:
        """Record that a step is finished, so that nobody does it twice.

        With `may_wait` the store may write it together with what comes next about the job, if it is asked for that at
        all: whoever takes the job over before then does the step again, which harms nobody.
        """

    def take_publish_slot(self, claim: Claim, job: Job, now: Moment) -> bool:
        """Be the only one who publishes in the project until the job ends; False while another one does."""

    def leave_publish_slot(self, claim: Claim, job: Job, now: Moment) -> None:
        """Let others of the project publish before the job ends: its change is live, and only its answer is not."""

    def pass_commit_point(self, claim: Claim, job: Job, commit: str, now: Moment) -> Job:
        """Record the commit that is about to be pushed; from here an interrupt is too late."""

    def reopen(self, claim: Claim, job: Job, why: str, now: Moment) -> Job:
        """Go back before the commit point, because the push was definitely refused."""

    def finish(self, claim: Claim, job: Job, ending: Ending, now: Moment, *, give_way: bool = False) -> Next:
        """End the job, record its answer, and start the next head unless other lanes wait.

        With `give_way` the store may then change the worker's lane in the same transaction: this one is given back
        and the one that has waited longest is claimed. `Next.claimed` says so; without it nothing was given back.
        """

    def park(self, claim: Claim, job: Job, now: Moment) -> Next:
        """Set the interrupted job aside and start the interrupter's thread."""

    def retry(
        self,
        claim: Claim,
        job: Job,
        error: str,
        wait: timedelta,
        now: Moment,
        *,
        is_counted: bool = True,
        prolongs: timedelta = timedelta(0),
    ) -> Next:
        """Put the job back to its place, not to be started before the wait is over; its attempt may not count.

        Its patience is prolonged by what it waits for others to decide.
        """
