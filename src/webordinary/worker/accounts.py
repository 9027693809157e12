"""What a job's money means for it: what came of it is counted, and a job for which there is none left may wait.

It waits in its place until the day on which there is money again, or until the agency allows more.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from webordinary.jobs.journal import Step
from webordinary.jobs.spending import Concluded
from webordinary.reply.outbox import ACK, ALARM, WAITS_FOR_MONEY, Letter
from webordinary.routing.project import WhenSpent
from webordinary.worker.change.till import spent_on

if TYPE_CHECKING:
    from webordinary.agent.agent import MoneySpent
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Ending, Job
    from webordinary.ownership.claim import Claim, Next

_AT_LEAST = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Accounts:
    """Keeps the books of jobs that come to an end, or to the end of the money."""

    engine: Engine
    clock: Clock
    agency: str | None

    def conclude(self, job: Job, ending: Ending, *, has_paid: bool) -> None:
        """Count what the job has cost for what came of it, before its end is recorded; said twice it counts once."""
        if not has_paid and not job.journal.spent and job.journal.open_run is None:
            return
        known = self.engine.overview.job(job.id) or job
        project = self.engine.projects.find(job.lane.project)
        usd = spent_on(self.engine.spending, known)
        if project is None or not usd:
            return
        # A day that stays the same, however late somebody repeats this.
        day = job.received_at.astimezone(ZoneInfo(project.rules.timezone)).date()
        outcome = (ending.outcome or ending.state).value
        self.engine.spending.conclude(Concluded(job.id, project.id, day, outcome, usd), self.clock.now())

    def wait(self, claim: Claim, job: Job, spent: MoneySpent) -> Next | None:
        """Let the job wait if its project says so, and tell its sender and the agency; None when it does not."""
        project = self.engine.projects.find(job.lane.project)
        if project is None or project.rules.budget.when_spent is not WhenSpent.WAIT:
            return None
        now = self.clock.now()
        until = datetime.combine(spent.until, time(), ZoneInfo(project.rules.timezone))
        wait = max(until - now.wall_at, _AT_LEAST)
        self._tell(job, spent)
        self.engine.attempts.journal(claim, job, Step.OUT_OF_MONEY.value, {}, now)
        waits = self.engine.attempts.retry(claim, job, str(spent), wait, now, is_counted=False, prolongs=wait)
        today = now.wall_at.astimezone(ZoneInfo(project.rules.timezone)).date()
        if self.engine.spending.allowed(project.id, today) <= spent.allowed:
            return waits
        # A budget that was raised while this job still ran has resumed nobody: the job did not wait yet.
        self.engine.lanes.hurry(job.id, now)
        return self.engine.claims.start(claim, now)

    def _tell(self, job: Job, spent: MoneySpent) -> None:
        now, outbox, to = self.clock.now(), self.engine.outbox, job.request.reply_to
        if to is not None and Step.OUT_OF_MONEY not in job.journal:
            # A key of its own: who was told that it takes long has not been told why.
            key = f"{job.id}.{WAITS_FOR_MONEY}"
            outbox.add(Letter(key, ACK, to, WAITS_FOR_MONEY, {}, job.id, job.mail), now)
        if self.agency is not None:
            day = spent.until.isoformat()
            facts = {"project": job.lane.project, "job": job.id, "limit": spent.limit, "renewed": day}
            outbox.add(Letter(f"spent.{job.lane.project}.{day}", ALARM, self.agency, "money_spent", facts), now)
