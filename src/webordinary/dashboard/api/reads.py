"""What a program can read: the same as the pages show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.actions.fitting import fitting
from webordinary.actions.known import require_project
from webordinary.actions.role import Role
from webordinary.actions.table import ACTIONS
from webordinary.dashboard.api import seen
from webordinary.dashboard.api.call import ApiCall, ApiRoute
from webordinary.dashboard.api.pages import page_of
from webordinary.dashboard.api.shapes import (
    EditorShape,
    EntryShape,
    JobShape,
    JobsQuery,
    LaneShape,
    LineShape,
    MailShape,
    MailsQuery,
    NeedShape,
    Paged,
    PageQuery,
    PlanShape,
    ProjectShape,
    ReleaseShape,
    SpendingShape,
    StoryShape,
    TrailQuery,
    WhoShape,
    WorkerShape,
)
from webordinary.dashboard.api.story import lines_of, story_of
from webordinary.jobs.job import Job, State
from webordinary.mail.outcomes import MailOutcome
from webordinary.worker.chores.told_spending import spending_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from webordinary.actions.fitting import Known
    from webordinary.overview import LaneView, MailView
    from webordinary.routing.project import Project

_NEEDS_OF_A_KIND = 100


def who(call: ApiCall) -> WhoShape:
    token = call.token
    return WhoShape(name=token.name, role=token.role.value, projects=list(token.projects))


def needs(call: ApiCall) -> Paged[NeedShape]:
    """Return what waits for a person; the oldest of each kind first."""
    return Paged(items=[each for each in _needs(call) if call.viewer.sees(each.project)])


def _needs(call: ApiCall) -> Iterator[NeedShape]:
    engine, overview = call.engine, call.engine.overview
    for each in engine.proposals.all_open():
        yield _need(call, "proposal", each, each.lane.project, each.reason, each.id)
    for mail in overview.mails(outcome=MailOutcome.HELD, limit=_NEEDS_OF_A_KIND):
        yield _need(call, "held mail", mail, mail.project, mail.reason or "", mail.id)
    for job in overview.jobs(state=State.DEAD.value, limit=_NEEDS_OF_A_KIND):
        yield _need(call, "dead letter", job, job.lane.project, job.error or "", job.id)
    for paused in overview.paused():
        yield _need(call, "paused project", paused, paused.project, paused.reason, paused.project)


def _need(call: ApiCall, kind: str, thing: Known, project: str | None, why: str, target: str) -> NeedShape:
    actions = actions_on(call, thing)
    about = ACTIONS[actions[0]].about.value if actions else "job"
    return NeedShape(
        kind=kind, about=about, target=target, project=project, why=why, since=_since(thing), actions=actions
    )


def _since(thing: Known) -> datetime | None:
    for name in ("proposed_at", "since_at", "finished_at", "received_at"):
        found: datetime | None = getattr(thing, name, None)
        if found is not None:
            return found
    return None


def actions_on(call: ApiCall, thing: Known) -> list[str]:
    """Return what this token may do to something now."""
    return [name for name in fitting(call.engine, thing) if ACTIONS[name].is_open_to(call.viewer.role)]


def lanes(call: ApiCall) -> Paged[LaneShape]:
    now, overview = call.here.clock.now(), call.engine.overview

    def is_seen(lane: LaneView) -> bool:
        return call.viewer.sees(lane.lane.partition("#")[0])

    found, further = page_of(
        lambda after, limit: overview.lanes(now, after=after, limit=limit), lambda lane: lane.lane, is_seen,
        call.query.after, call.query.limit,
    )  # fmt: skip
    return Paged(items=[seen.lane_seen(each) for each in found], next=further)


def lane(call: ApiCall) -> LaneShape:
    key = call.params["lane"]
    found = call.engine.overview.lane(key, call.here.clock.now())
    return seen.lane_seen(call.seen(found, key.partition("#")[0], f"lane {key}"))


def workers(call: ApiCall) -> Paged[WorkerShape]:
    return Paged(items=[seen.worker_seen(each) for each in call.engine.overview.workers()])


def jobs(call: ApiCall) -> Paged[JobShape]:
    query, overview = call.query, call.engine.overview
    state = query.state.value if query.state else None

    def is_meant(job: Job) -> bool:
        return call.viewer.sees(job.lane.project) and query.project in {None, job.lane.project}

    found, further = page_of(
        lambda after, limit: overview.jobs(state=state, lane=query.lane, after=after or None, limit=limit),
        lambda job: job.id, is_meant, query.after, query.limit,
    )  # fmt: skip
    return Paged(items=[seen.job_seen(each) for each in found], next=further)


def job(call: ApiCall) -> StoryShape:
    found = _job(call)
    return story_of(call, found, actions_on(call, found))


def transcript(call: ApiCall) -> Paged[LineShape]:
    return Paged(items=lines_of(call, _job(call)))


def _job(call: ApiCall) -> Job:
    name = call.params["job"]
    found = call.engine.overview.job(name)
    return call.seen(found, found.lane.project if found else None, f"job {name}")


def mails(call: ApiCall) -> Paged[MailShape]:
    query, overview = call.query, call.engine.overview

    def is_meant(mail: MailView) -> bool:
        return call.viewer.sees(mail.project) and query.project in {None, mail.project}

    found, further = page_of(
        lambda after, limit: overview.mails(outcome=query.outcome, after=after or None, limit=limit),
        lambda mail: mail.id, is_meant, query.after, query.limit,
    )  # fmt: skip
    return Paged(items=[seen.mail_seen(each) for each in found], next=further)


def mail(call: ApiCall) -> MailShape:
    name = call.params["mail"]
    found = call.engine.overview.mail(name)
    return seen.mail_seen(call.seen(found, found.project if found else None, f"mail {name}"))


def projects(call: ApiCall) -> Paged[ProjectShape]:
    return Paged(items=[_project(call, each) for each in _projects(call)])


def project(call: ApiCall) -> ProjectShape:
    return _project(call, _named(call))


def people(call: ApiCall) -> Paged[EditorShape]:
    return Paged(items=[editor for each in _projects(call) for editor in seen.editors_seen(each)])


def releases(call: ApiCall) -> Paged[ReleaseShape]:
    sites, name = call.engine.sites, _named(call).id
    live = sites.live(name)
    return Paged(items=[seen.release_seen(each, live) for each in sites.releases(name)])


def plans(call: ApiCall) -> Paged[PlanShape]:
    found = (each for each in call.engine.schedules.all() if call.viewer.sees(each.lane.project))
    return Paged(items=[seen.plan_seen(each) for each in found])


def spending(call: ApiCall) -> Paged[SpendingShape]:
    now = call.here.clock.now().wall_at
    return Paged(items=[seen.spending_seen(spending_of(call.engine, each, now)) for each in _projects(call)])


def trail(call: ApiCall) -> Paged[EntryShape]:
    query = call.query
    found = call.engine.trail.read(after=query.after, limit=query.limit, job=query.job, lane=query.lane)
    further = str(found[-1].number) if len(found) == query.limit else None
    return Paged(items=[seen.entry_seen(each) for each in found], next=further)


def _projects(call: ApiCall) -> Iterator[Project]:
    return (each for each in call.engine.projects.all() if call.viewer.sees(each.id))


def _named(call: ApiCall) -> Project:
    name = call.params["project"]
    call.seen(name, name, f"project {name}")
    return require_project(call.here, name)


def _project(call: ApiCall, found: Project) -> ProjectShape:
    paused = next((each.reason for each in call.engine.overview.paused() if each.project == found.id), None)
    return seen.project_seen(found, call.here.live_address(found), paused)


_CLIENT = Role.CLIENT
READS = (
    ApiRoute(method="GET", path="/me", name="who_am_i", tells="Whom the token stands for.", handler=who,
             answer=WhoShape, role=_CLIENT),
    ApiRoute(method="GET", path="/needs", name="list_needs", tells="What waits for a person.", handler=needs,
             answer=Paged[NeedShape], role=_CLIENT),
    ApiRoute(method="GET", path="/lanes", name="list_lanes", tells="Lanes by their names.", handler=lanes,
             answer=Paged[LaneShape], query=PageQuery, role=_CLIENT),
    ApiRoute(method="GET", path="/lanes/{lane}", name="show_lane", tells="One lane.", handler=lane,
             answer=LaneShape, role=_CLIENT, params=("lane",)),
    ApiRoute(method="GET", path="/workers", name="list_workers", tells="The workers and how they are.",
             handler=workers, answer=Paged[WorkerShape]),
    ApiRoute(method="GET", path="/jobs", name="list_jobs", tells="Jobs, newest first.", handler=jobs,
             answer=Paged[JobShape], query=JobsQuery, role=_CLIENT),
    ApiRoute(method="GET", path="/jobs/{job}", name="show_job", tells="A job's story: its newest 200 steps.",
             handler=job, answer=StoryShape, role=_CLIENT, params=("job",)),
    ApiRoute(method="GET", path="/jobs/{job}/transcript", name="show_transcript", handler=transcript,
             tells="What the agent said and did.", answer=Paged[LineShape], params=("job",)),
    ApiRoute(method="GET", path="/mails", name="list_mails", tells="Mails, newest first.", handler=mails,
             answer=Paged[MailShape], query=MailsQuery, role=_CLIENT),
    ApiRoute(method="GET", path="/mails/{mail}", name="show_mail", tells="One mail and what became of it.",
             handler=mail, answer=MailShape, role=_CLIENT, params=("mail",)),
    ApiRoute(method="GET", path="/projects", name="list_projects", tells="The projects.", handler=projects,
             answer=Paged[ProjectShape], role=_CLIENT),
    ApiRoute(method="GET", path="/projects/{project}", name="show_project", tells="One project.", handler=project,
             answer=ProjectShape, role=_CLIENT, params=("project",)),
    ApiRoute(method="GET", path="/projects/{project}/releases", name="list_releases", handler=releases,
             tells="The releases that are kept.", answer=Paged[ReleaseShape], role=_CLIENT, params=("project",)),
    ApiRoute(method="GET", path="/people", name="list_people", tells="Who may edit which project.", handler=people,
             answer=Paged[EditorShape], role=_CLIENT),
    ApiRoute(method="GET", path="/plans", name="list_plans", tells="Planned changes, the earliest first.",
             handler=plans, answer=Paged[PlanShape], role=_CLIENT),
    ApiRoute(method="GET", path="/spending", name="list_spending", handler=spending,
             tells="What each project has spent today and this month.", answer=Paged[SpendingShape], role=_CLIENT),
    ApiRoute(method="GET", path="/trail", name="read_trail", query=TrailQuery, handler=trail,
             tells="What happened, oldest first; ask again with the last number to follow it.",
             answer=Paged[EntryShape]),
)  # fmt: skip
