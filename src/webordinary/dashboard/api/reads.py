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
    HitShape,
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
    SearchQuery,
    SettleShape,
    SpendingShape,
    StoryShape,
    TrailQuery,
    WhoShape,
    WorkerShape,
)
from webordinary.dashboard.api.story import lines_of, story_of
from webordinary.dashboard.needs.gather import gather
from webordinary.dashboard.needs.need import NeedsAsked, OpenNeed
from webordinary.dashboard.story.for_clients import hits_for, job_for, lane_for, paused_for
from webordinary.mail.tokens import hide_tokens
from webordinary.overview.filters import JobsAsked, MailsAsked
from webordinary.worker.chores.told_spending import spending_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.actions.fitting import Known
    from webordinary.overview import LaneView
    from webordinary.routing.project import Project


def who(call: ApiCall) -> WhoShape:
    token = call.token
    return WhoShape(name=token.name, role=token.role.value, projects=list(token.projects))


def needs(call: ApiCall) -> Paged[NeedShape]:
    """Return what waits for a person, the most pressing first; of each kind the first hundred."""
    asked = NeedsAsked(call.here, call.house.looks, call.here.clock.now(), call.projects)
    mine = (each for each in gather(asked) if not each.group.is_of_others)
    return Paged(items=[_need(call, each.group.name, need) for each in mine for need in each.page.items])


def _need(call: ApiCall, kind: str, need: OpenNeed) -> NeedShape:
    offered = ((name, target) for name, target in need.actions if ACTIONS[name].is_open_to(call.viewer.role))
    return NeedShape(
        kind=kind,
        title=need.title,
        reason=hide_tokens(need.reason),
        otherwise=need.otherwise,
        until=need.until_at,
        since=need.since_at,
        project=need.project,
        settles=[SettleShape(action=name, target=target) for name, target in offered],
    )


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
    return Paged(items=[seen.lane_seen(lane_for(each, to_agency=call.is_agency)) for each in found], next=further)


def lane(call: ApiCall) -> LaneShape:
    key = call.params["lane"]
    found = call.engine.overview.lane(key, call.here.clock.now())
    shown = call.seen(found, key.partition("#")[0], f"lane {key}")
    return seen.lane_seen(lane_for(shown, to_agency=call.is_agency))


def workers(call: ApiCall) -> Paged[WorkerShape]:
    return Paged(items=[seen.worker_seen(each) for each in call.engine.overview.workers()])


def jobs(call: ApiCall) -> Paged[JobShape]:
    query = call.query
    asked = JobsAsked(projects=_wanted(call), lane=query.lane, state=query.state)
    found = call.engine.overview.find_jobs(asked, after=query.after or None, limit=query.limit)
    shown = [job_for(call.engine, each, to_agency=call.is_agency) for each in found.items]
    return Paged(items=[seen.job_seen(each) for each in shown], next=found.after)


def _wanted(call: ApiCall) -> tuple[str, ...] | None:
    """Return the projects that are asked for and may be seen; None for all of them."""
    named: str | None = call.query.project
    if named is None:
        return call.projects
    return (named,) if call.viewer.sees(named) else ()


def job(call: ApiCall) -> StoryShape:
    found = call.job()
    return story_of(call, found, actions_on(call, found))


def transcript(call: ApiCall) -> Paged[LineShape]:
    return Paged(items=lines_of(call, call.job()))


def mails(call: ApiCall) -> Paged[MailShape]:
    query = call.query
    asked = MailsAsked(projects=_wanted(call), outcomes=(query.outcome,) if query.outcome else None)
    found = call.engine.overview.find_mails(asked, after=query.after or None, limit=query.limit)
    return Paged(items=[seen.mail_seen(each) for each in found.items], next=found.after)


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


def search(call: ApiCall) -> Paged[HitShape]:
    query = call.query
    found = call.engine.search.find(query.words, projects=call.projects, after=query.after or None, limit=query.limit)
    shown = hits_for(call.engine, found, query.words, to_agency=call.is_agency)
    return Paged(items=[seen.hit_seen(each) for each in shown.items], next=found.after)


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
    view = next((each for each in call.engine.overview.paused() if each.project == found.id), None)
    paused = paused_for(view, to_agency=call.is_agency)
    return seen.project_seen(found, call.here.live_address(found), paused.reason if paused else None)


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
    ApiRoute(method="GET", path="/search", name="search", query=SearchQuery, handler=search, role=_CLIENT,
             tells="Mails, requests and answers with these words, newest first.", answer=Paged[HitShape]),
    ApiRoute(method="GET", path="/trail", name="read_trail", query=TrailQuery, handler=trail,
             tells="What happened, oldest first; ask again with the last number to follow it.",
             answer=Paged[EntryShape]),
)  # fmt: skip
