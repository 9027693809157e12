"""The installation in the account as an operator sees it: made ready, looked at, tried out and mended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.engines.aws.account.deployment import Deployment
from webordinary.engines.aws.account.mail_domain import MailDomain
from webordinary.engines.aws.account.onboarding import let_visitors_in, onboard
from webordinary.engines.aws.account.parts import Parts
from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.flow.calling import call_function
from webordinary.engines.aws.flow.events import ses_notification
from webordinary.engines.aws.inbox import TESTS
from webordinary.engines.aws.open import open_aws_engine
from webordinary.engines.aws.s3.site_policy import SitePolicy
from webordinary.engines.aws.sqs.outcomes import Outcomes
from webordinary.engines.aws.sqs.redriving import Redriving
from webordinary.overview import EVERY

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.aws.account.manual_steps import Surroundings
    from webordinary.engines.aws.account.onboarding import GitSecret, Onboarded, SitesBucketState
    from webordinary.engines.aws.clients import AwsSettings
    from webordinary.engines.aws.names import Names
    from webordinary.engines.aws.open import AwsEngine
    from webordinary.jobs.job import Job
    from webordinary.jobs.limits import Limits
    from webordinary.routing.lane import Lane
    from webordinary.routing.project import Project


@dataclass(frozen=True, slots=True)
class Account:
    """One prefix in one account."""

    opened: AwsEngine

    @classmethod
    def open(cls, settings: AwsSettings, limits: Limits) -> Account:
        return cls(open_aws_engine(settings, limits))

    @property
    def number(self) -> str:
        return self.opened.clients.account

    @property
    def region(self) -> str:
        return self.opened.clients.dynamodb.meta.region_name

    @property
    def names(self) -> Names:
        return self.opened.store.names

    @property
    def parts(self) -> Parts:
        return Parts(self.opened.clients, self.names)

    @property
    def deployment(self) -> Deployment:
        return Deployment(self.opened.clients, self.names)

    @property
    def site_policy(self) -> SitePolicy:
        return SitePolicy(self.opened.clients, self.names)

    def mail_domain(self, domain: str) -> MailDomain:
        return MailDomain(self.opened.clients, self.names, domain)

    @property
    def redriving(self) -> Redriving:
        return Redriving(self.opened)

    def onboard(self, project: Project, secret: GitSecret | None = None) -> Onboarded:
        made = onboard(project, self.names, self.opened.clients, secret)
        # The site may have another address now, or the account a store that it did not have.
        self.opened.sites.lead_visitors(project.id)
        return made

    def let_visitors_in(self, project: Project, around: Surroundings) -> SitesBucketState:
        return let_visitors_in(project, around, self.names, self.opened.clients)

    def outcomes(self, lane: Lane) -> Outcomes:
        """Listen to the queue in which the ends of a lane's jobs are told."""
        return Outcomes(self.opened.clients.wakeups, self.opened.clients.queue_url(self.names.output(lane)))

    def oldest_job(self, now: Moment) -> Job | None:
        """Return the live job that came first."""
        waiting = [lane for lane in self.opened.engine.overview.lanes(now, limit=EVERY) if lane.pending]
        live = [row.job for lane in waiting for row in self.opened.store.live_jobs(lane.lane).values()]
        return min(live, key=lambda job: job.received_at, default=None)

    def send_mail(self, name: str, raw: bytes, *, sender: str, recipient: str) -> str:
        """Put a mail into the bucket and tell intake of it as SES does, vouching for its sender; return its id.

        A principal that may invoke intake may say so: that is a right of the account, as reading everybody's mail is.
        """
        bucket, key = self.opened.inbox.bucket, f"{TESTS}{name}"
        with translated(f"the bucket {bucket}"):
            self.opened.clients.s3.put_object(Bucket=bucket, Key=key, Body=raw)
        told = ses_notification(bucket, key, sender=sender, recipients=[recipient], verdict="PASS")
        (mail,) = call_function(self.opened.clients, self.names, "intake", told)["mails"]
        return str(mail)
