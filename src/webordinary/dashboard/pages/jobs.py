"""All jobs: where each stands, what came of it and what it has cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dashboard.bulk.offers import offered_for
from webordinary.dashboard.lists.filters import ListFilter
from webordinary.dashboard.lists.look import each_row, look_through, plain_reader
from webordinary.dashboard.lists.money import money_of
from webordinary.dashboard.lists.projects import SeenProjects
from webordinary.dashboard.lists.sheet import MOST_ROWS, send_sheet
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.jobs.job import Outcome, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.responses import Response

    from webordinary.dashboard.lists.look import Reader
    from webordinary.dashboard.lists.money import Money
    from webordinary.jobs.job import Job

FIELDS = ("q", "state", "outcome", "project", "group", "lane", "sender", "since", "until")
STATES = tuple(each.value for each in State)
OUTCOMES = tuple(each.value for each in Outcome)


@dataclass(frozen=True, slots=True)
class ListedJob:
    """A job with its money."""

    job: Job
    money: Money


@dataclass(frozen=True, slots=True)
class JobList:
    """The jobs that a filter asks for, as far as the viewer may see them."""

    visit: PageVisit
    chosen: ListFilter
    sites: SeenProjects

    @classmethod
    def asked(cls, visit: PageVisit, query: ListFilter | None = None) -> JobList:
        chosen = query or ListFilter.read(visit.query, FIELDS, visit.house.here.config.timezone)
        chosen.one_of("state", STATES)
        chosen.one_of("outcome", OUTCOMES)
        return cls(visit, chosen, SeenProjects.of(visit))

    def read(self) -> Reader[Job]:
        overview, state, lane = self.visit.engine.overview, self.chosen.of("state"), self.chosen.of("lane")

        def read(after: str | None, limit: int) -> list[Job]:
            return list(overview.jobs(state=state or None, lane=lane or None, after=after, limit=limit))

        return plain_reader(read, _id)

    def fits(self) -> Callable[[Job], bool]:
        asked, within, outcome = self.chosen, self.sites.chosen(self.chosen), self.chosen.of("outcome")

        def check(job: Job) -> bool:
            asker = job.request.reply_to or job.request.by
            return (
                self.visit.viewer.sees(job.lane.project)
                and (within is None or job.lane.project in within)
                and (not outcome or job.outcome == outcome)
                and asked.is_part("sender", asker)
                and asked.is_within(job.received_at)
                and asked.speaks_of(job.subject, asker, job.id, job.mail, job.error)
            )

        return check

    def row(self, job: Job) -> ListedJob:
        return ListedJob(job, money_of(job, self.sites.by_id))


def jobs(visit: PageVisit) -> Response:
    listed = JobList.asked(visit)
    page = look_through(listed.read(), listed.fits(), _id, after=visit.query.get("after", ""))
    rows = [listed.row(job) for job in page.rows]
    return visit.shows(
        "jobs.html",
        chosen=listed.chosen,
        bulk=offered_for(visit, "jobs", listed.chosen.asked),
        page=page,
        rows=rows,
        sites=listed.sites,
        states=STATES,
        outcomes=OUTCOMES,
        path="/jobs",
    )


def jobs_sheet(visit: PageVisit) -> Response:
    listed = JobList.asked(visit)
    found = each_row(listed.read(), listed.fits(), after=visit.query.get("after", ""), most=MOST_ROWS)
    columns = (
        ("job", lambda row: row.job.id),
        ("received", lambda row: row.job.received_at),
        ("project", lambda row: row.job.lane.project),
        ("user", lambda row: row.job.lane.user),
        ("subject", lambda row: row.job.subject),
        ("kind", lambda row: row.job.kind),
        ("state", lambda row: row.job.state),
        ("outcome", lambda row: row.job.outcome),
        ("error", lambda row: row.job.error),
        ("started", lambda row: row.job.started_at),
        ("finished", lambda row: row.job.finished_at),
        ("mail", lambda row: row.job.mail),
        ("usd", lambda row: round(row.money.usd, 4)),
        ("usd limit", lambda row: row.money.limit),
    )
    return send_sheet("jobs", columns, (listed.row(job) for job in found))


def _id(job: Job) -> str:
    return job.id


PAGES = (
    PageRoute("GET", "/jobs", jobs, role=Role.CLIENT),
    PageRoute("GET", "/jobs.csv", jobs_sheet, role=Role.CLIENT),
)
