"""What the product knows, in the shapes of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.audit.story import tell
from webordinary.dashboard.api.shapes import (
    CostShape,
    EditorShape,
    EntryShape,
    HitShape,
    JobShape,
    LaneShape,
    MailShape,
    PlanShape,
    ProjectShape,
    ReleaseShape,
    SpendingShape,
    WorkerShape,
)
from webordinary.mail.tokens import hide_tokens

if TYPE_CHECKING:
    from webordinary.audit.entry import Entry
    from webordinary.jobs.job import Job
    from webordinary.jobs.schedules import Schedule
    from webordinary.overview import LaneView, MailView, WorkerView
    from webordinary.overview.search import SearchHit
    from webordinary.routing.project import Project
    from webordinary.site.sites import Release
    from webordinary.worker.chores.told_spending import SiteSpending


def job_seen(job: Job) -> JobShape:
    return JobShape(
        id=job.id,
        project=job.lane.project,
        user=job.lane.user,
        lane=job.lane.key,
        thread=job.thread,
        kind=job.kind.value,
        state=job.state,
        outcome=job.outcome,
        subject=job.subject,
        summary=hide_tokens(job.summary),
        error=None if job.error is None else hide_tokens(job.error),
        commit=job.commit,
        attempt=job.attempt,
        interruptions=job.interruptions,
        mail=job.mail,
        repeats=job.repeats,
        usd=job.journal.spent or 0.0,
        received_at=job.received_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
    )


def lane_seen(lane: LaneView) -> LaneShape:
    return LaneShape(
        lane=lane.lane,
        project=lane.lane.partition("#")[0],
        owner=lane.owner,
        fence=lane.fence,
        pending=lane.pending,
        running=lane.running,
        lease_until=lane.lease_until,
        paused=lane.paused,
    )


def worker_seen(worker: WorkerView) -> WorkerShape:
    return WorkerShape(
        worker=worker.worker,
        idle=worker.idle,
        seen_at=worker.seen_at,
        claims_won=worker.claims_won,
        claims_lost=worker.claims_lost,
        claims_failed=worker.claims_failed,
        holds_back_until=worker.holds_back_until,
    )


def entry_seen(entry: Entry) -> EntryShape:
    return EntryShape(
        number=entry.number,
        at=entry.at,
        what=entry.what.value,
        told=hide_tokens(tell(entry)),
        lane=entry.lane,
        thread=entry.thread,
        job=entry.job,
        mail=entry.mail,
        worker=entry.worker,
    )


def hit_seen(hit: SearchHit) -> HitShape:
    return HitShape(
        kind=hit.kind.value,
        id=hit.id,
        at=hit.at,
        title=hit.title,
        excerpt="".join(part.text for part in hit.excerpt),
        job=hit.job,
        project=hit.project,
    )


def mail_seen(mail: MailView) -> MailShape:
    return MailShape(
        id=mail.id,
        door=mail.door,
        sender=mail.sender,
        recipients=[hide_tokens(each) for each in mail.recipients],
        subject=mail.subject,
        state=mail.state,
        outcome=mail.outcome,
        reason=mail.reason,
        project=mail.project,
        job=mail.job,
        thread=mail.thread,
        verdict=mail.verdict,
        method=mail.method,
        reasons=list(mail.reasons),
        received_at=mail.received_at,
    )


def editors_seen(project: Project) -> list[EditorShape]:
    return [
        EditorShape(project=project.id, user=each.user, address=each.address, language=each.language)
        for each in project.editors
    ]


def project_seen(project: Project, address: str, paused: str | None) -> ProjectShape:
    """Return a project without anything that lets somebody in anywhere."""
    return ProjectShape(
        id=project.id,
        name=project.name,
        repository=project.shown_repository,
        branch=project.branch,
        group=project.group,
        publish=project.rules.publish.value,
        answers=project.rules.answers.value,
        on_new_thread=project.rules.on_new_thread.value,
        approvers=list(project.approvers),
        address=address,
        paused=paused,
        editors=editors_seen(project),
    )


def release_seen(release: Release, live: str | None) -> ReleaseShape:
    return ReleaseShape(commit=release.commit, added_at=release.added_at, is_live=release.commit == live)


def plan_seen(plan: Schedule) -> PlanShape:
    return PlanShape(
        id=plan.id,
        project=plan.lane.project,
        lane=plan.lane.key,
        thread=plan.thread,
        job=plan.job,
        what=plan.phase.value,
        at=plan.at,
        until=plan.until,
    )


def spending_seen(spending: SiteSpending) -> SpendingShape:
    costs = spending.month.outcomes.items()
    return SpendingShape(
        project=spending.project,
        day=spending.day,
        usd_today=spending.today,
        usd_a_day=spending.budget.usd_a_day,
        allowed_today=spending.allowed_today,
        usd_this_month=spending.month.usd,
        usd_a_month=spending.budget.usd_a_month,
        outcomes={name: CostShape(jobs=cost.jobs, usd=cost.usd) for name, cost in sorted(costs)},
    )
