"""A run: one attempt at a job in the checkout of its project, with everything that its steps share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.journal import Noted, Step
    from webordinary.ownership.claim import Claim
    from webordinary.routing.project import Project
    from webordinary.worker.heartbeat import AttemptControl
    from webordinary.workspace.checkout import Checkout


@dataclass(slots=True)
class Run:
    """What is tried, by whom and where; `job` is always the job with its journal as it stands now."""

    engine: Engine
    clock: Clock
    claim: Claim
    job: Job
    project: Project
    checkout: Checkout
    pulse: AttemptControl

    @property
    def now(self) -> Moment:
        return self.clock.now()

    def journal(self, step: Step, *noted: Noted, may_wait: bool = False) -> None:
        """Record that a step is finished and what it leaves, under the fence of the claim.

        One that may be done again without harm may wait for the next write.
        """
        self.job = self.engine.attempts.journal(
            self.claim, self.job, step.value, dict(noted), self.now, may_wait=may_wait
        )

    def pass_commit_point(self, commit: str) -> None:
        """Record the commit that is about to be pushed; from here only the loss of the lane ends the attempt."""
        self.job = self.engine.attempts.pass_commit_point(self.claim, self.job, commit, self.now)
        self.pulse.pass_commit_point()

    def reopen(self, why: str) -> None:
        """Go back before the commit point; from here on a stop is obeyed again."""
        self.job = self.engine.attempts.reopen(self.claim, self.job, why, self.now)
        self.pulse.reopen()
