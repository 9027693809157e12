"""All jobs: where each stands, what came of it and what it has cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dashboard.bulk.offers import offered_for
from webordinary.dashboard.lists.filters import ListFilter
from webordinary.dashboard.lists.look import each_row, look_through
from webordinary.dashboard.lists.money import money_of
from webordinary.dashboard.lists.projects import SeenProjects
from webordinary.dashboard.lists.sheet import MOST_ROWS, send_sheet
from webordinary.dashboard.story.for_clients import job_for
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.jobs.job import Outcome, State
from webordinary.mail.tokens import hide_tokens
from webordinary.overview.filters import JobsAsked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
        engine, to_agency = self.visit.engine, self.visit.may(Role.READER)
        overview, asked = engine.overview, self._question()

        def piece(after: str, limit: int) -> tuple[Sequence[Job], str | None]:
            found = overview.find_jobs(asked, after=after or None, limit=limit)
            return [job_for(engine, each, to_agency=to_agency) for each in found.items], found.after

        return piece

    def _question(self) -> JobsAsked:
        asked, within = self.chosen, self.sites.chosen(self.chosen)
        return JobsAsked(
            projects=self.sites.open_to(self.visit, within),
            lane=asked.of("lane") or None,
            state=State(asked.of("state")) if asked.of("state") else None,
            outcome=Outcome(asked.of("outcome")) if asked.of("outcome") else None,
            sender=asked.of("sender") or None,
            since=asked.since,
            until=asked.until,
        )

    def fits(self) -> Callable[[Job], bool]:
        """Tell what the store is not asked for: the words, and once more what the viewer may see."""
        asked = self.chosen

        def check(job: Job) -> bool:
            asker = job.request.reply_to or job.request.by
            is_theirs = self.visit.viewer.sees(job.lane.project)
            return is_theirs and asked.speaks_of(job.subject, asker, job.id, job.mail, hide_tokens(job.error or ""))

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
        ("error", lambda row: hide_tokens(row.job.error or "")),
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
