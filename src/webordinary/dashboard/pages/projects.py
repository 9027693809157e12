"""All projects, group by group: who edits them, what they have spent, and whether they run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dashboard.bulk.offers import offered_for
from webordinary.dashboard.lists.filters import ListFilter
from webordinary.dashboard.lists.look import look_through
from webordinary.dashboard.lists.money import Money
from webordinary.dashboard.lists.projects import SeenProjects
from webordinary.dashboard.lists.sheet import send_sheet
from webordinary.dashboard.story.for_clients import paused_for
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.worker.chores.told_spending import spending_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.responses import Response

    from webordinary.dashboard.lists.look import Reader
    from webordinary.overview import PausedView
    from webordinary.routing.project import Project

FIELDS = ("q", "group", "state")
STATES = ("running", "paused")


@dataclass(frozen=True, slots=True)
class ListedProject:
    """A project with this month's money and its pause."""

    project: Project
    address: str
    month: Money
    today: Money
    paused: PausedView | None


@dataclass(frozen=True, slots=True)
class ProjectList:
    """The projects that a filter asks for, as far as the viewer may see them."""

    visit: PageVisit
    chosen: ListFilter
    sites: SeenProjects
    paused: dict[str, PausedView]

    @classmethod
    def asked(cls, visit: PageVisit, query: ListFilter | None = None) -> ProjectList:
        chosen = query or ListFilter.read(visit.query, FIELDS, visit.house.here.config.timezone)
        chosen.one_of("state", STATES)
        paused = {each.project: each for each in visit.engine.overview.paused()}
        return cls(visit, chosen, SeenProjects.of(visit), paused)

    def read(self) -> Reader[Project]:
        """Read them group by group; what has no group comes last."""
        rows = sorted(self.sites.by_id.values(), key=_place)

        def piece(after: str, limit: int) -> tuple[Sequence[Project], str | None]:
            mark = self.sites.by_id.get(after)
            behind = [each for each in rows if mark is None or _place(each) > _place(mark)]
            return behind[:limit], behind[limit - 1].id if len(behind) > limit else None

        return piece

    def fits(self) -> Callable[[Project], bool]:
        group, state = self.chosen.of("group"), self.chosen.of("state")

        def check(project: Project) -> bool:
            editors = (f"{each.user} {each.address}" for each in project.editors)
            return (
                (not group or project.group == group)
                and (not state or (project.id in self.paused) == (state == "paused"))
                and self.chosen.speaks_of(project.id, project.name, project.group, *editors)
            )

        return check

    def row(self, project: Project) -> ListedProject:
        here = self.visit.house.here
        spent = spending_of(here.engine, project, here.clock.now().wall_at)
        return ListedProject(
            project,
            here.live_address(project),
            Money(spent.month.usd, spent.budget.usd_a_month),
            Money(spent.today, spent.budget.usd_a_day + spent.allowed_today),
            paused_for(self.paused.get(project.id), to_agency=self.visit.may(Role.READER)),
        )


def projects(visit: PageVisit) -> Response:
    listed = ProjectList.asked(visit)
    page = look_through(listed.read(), listed.fits(), _id, after=visit.query.get("after", ""), shown=100)
    rows = [listed.row(each) for each in page.rows]
    return visit.shows(
        "projects.html",
        chosen=listed.chosen,
        bulk=offered_for(visit, "projects", listed.chosen.asked),
        page=page,
        rows=rows,
        sites=listed.sites,
        states=STATES,
        path="/projects",
        may_add=visit.may(Role.AGENCY),
    )


def projects_sheet(visit: PageVisit) -> Response:
    listed = ProjectList.asked(visit)
    fits = listed.fits()
    found = (listed.row(each) for each in sorted(listed.sites.by_id.values(), key=_place) if fits(each))
    columns = (
        ("project", lambda row: row.project.id),
        ("name", lambda row: row.project.name),
        ("group", lambda row: row.project.group),
        ("address", lambda row: row.address),
        ("editors", lambda row: ", ".join(each.address for each in row.project.editors)),
        ("paused", lambda row: row.paused.reason if row.paused else ""),
        ("usd this month", lambda row: round(row.month.usd, 4)),
        ("usd a month", lambda row: row.month.limit),
        ("usd today", lambda row: round(row.today.usd, 4)),
        ("usd a day", lambda row: row.today.limit),
    )
    return send_sheet("projects", columns, found)


def _place(project: Project) -> tuple[bool, str, str]:
    return not project.group, project.group or "", project.id


def _id(project: Project) -> str:
    return project.id


PAGES = (
    PageRoute("GET", "/projects", projects, role=Role.CLIENT),
    PageRoute("GET", "/projects.csv", projects_sheet, role=Role.CLIENT),
)
