"""A project's page: its rules and editors, its money, its lanes, its releases and what is planned."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from webordinary.dashboard.lists.money import Money, money_of
from webordinary.dashboard.story.for_clients import paused_for
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import NoSuchThing
from webordinary.worker.chores.told_spending import spending_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starlette.responses import Response

    from webordinary.jobs.job import Job
    from webordinary.overview import LaneView
    from webordinary.routing.project import Project

_LANES = 50
_JOBS = 10


def project(visit: PageVisit) -> Response:
    found = seen_project(visit)
    here, engine = visit.house.here, visit.engine
    now = here.clock.now()
    spent = spending_of(engine, found, now.wall_at)
    lanes = list(islice(_lanes(visit, found.id), _LANES))
    jobs = _newest(visit, lanes)
    paused = next((each for each in engine.overview.paused() if each.project == found.id), None)
    return visit.shows(
        "project.html",
        project=found,
        rules=describe_rules(found),
        mail_address=f"{found.id}@{here.config.domain}",
        address=here.live_address(found),
        spent=spent,
        month=Money(spent.month.usd, spent.budget.usd_a_month),
        today=Money(spent.today, spent.budget.usd_a_day + spent.allowed_today),
        lanes=lanes,
        jobs=[(job, money_of(job, {found.id: found})) for job in jobs],
        paused=paused_for(paused, to_agency=visit.may(Role.READER)),
        live=engine.sites.live(found.id),
        releases=engine.sites.releases(found.id),
        asked={job.commit: job for job in jobs if job.commit},
        previews=[(each, here.preview_address(found, each.thread)) for each in engine.sites.previews(found.id)],
        plans=engine.schedules.all(project=found.id),
        may_change=visit.may(Role.AGENCY),
    )


def seen_project(visit: PageVisit) -> Project:
    """Return the project of the address, if there is one that the viewer may see."""
    name = visit.params["project"]
    found = visit.engine.projects.find(name) if visit.viewer.sees(name) else None
    if found is None:
        raise NoSuchThing(f"There is no project {name}.")
    return found


def describe_rules(project: Project) -> tuple[tuple[str, str], ...]:
    """Return the rules as an agency reads them."""
    rules, budget = project.rules, project.rules.budget
    return (
        ("A change goes live", "by itself" if rules.publish.value == "auto" else "after somebody said ok"),
        ("Who may say ok", ", ".join(project.approvers) or "the agency"),
        ("A newer mail in another conversation", _ON_NEW_THREAD[rules.on_new_thread.value]),
        ("What may change", ", ".join(rules.allowed_paths) or "content"),
        ("Templates", "may change too" if rules.templates else "never change"),
        ("Asks the agency from", f"{rules.max_files} files or {rules.max_deleted_lines} deleted lines"),
        ("One job may cost", f"{budget.usd:g} USD, {budget.turns} turns, {budget.minutes} min"),
        ("When the money is spent", "jobs wait" if budget.when_spent.value == "wait" else "jobs fail"),
        ("Repository", project.shown_repository),
        ("Live branch", project.branch),
        ("Build", " ".join(project.build) or "none, the files are the site"),
        ("Output", project.output),
        ("Language and time", f"{rules.language}, {rules.timezone}"),
    )


_ON_NEW_THREAD = {"interrupt": "goes first", "queue": "waits", "drop": "ends the older one"}


def _lanes(visit: PageVisit, project: str) -> Iterator[LaneView]:
    now = visit.house.here.clock.now()
    for lane in visit.engine.overview.lanes(now, after=f"{project}#", limit=_LANES):
        if not lane.lane.startswith(f"{project}#"):
            return
        yield lane


def _newest(visit: PageVisit, lanes: Sequence[LaneView]) -> list[Job]:
    found = [job for lane in lanes for job in visit.engine.overview.jobs(lane=lane.lane, limit=_JOBS)]
    return sorted(found, key=lambda job: job.received_at, reverse=True)[:_JOBS]


PAGES = (PageRoute("GET", "/projects/{project}", project, role=Role.CLIENT),)
