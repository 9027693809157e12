"""All mails and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dashboard.bulk.offers import offered_for
from webordinary.dashboard.lists.filters import ListFilter
from webordinary.dashboard.lists.look import each_row, look_through
from webordinary.dashboard.lists.money import Money, money_of
from webordinary.dashboard.lists.projects import SeenProjects
from webordinary.dashboard.lists.sheet import MOST_ROWS, send_sheet
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.mail.outcomes import MailOutcome
from webordinary.overview.filters import MailsAsked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.responses import Response

    from webordinary.dashboard.lists.look import Reader
    from webordinary.jobs.job import Job
    from webordinary.overview import MailView

FIELDS = ("q", "outcome", "project", "group", "sender", "since", "until")
OUTCOMES = tuple(each.value for each in MailOutcome)


@dataclass(frozen=True, slots=True)
class ListedMail:
    """A mail with what its job has cost."""

    mail: MailView
    job: Job | None
    money: Money


@dataclass(frozen=True, slots=True)
class MailList:
    """The mails that a filter asks for, as far as the viewer may see them."""

    visit: PageVisit
    chosen: ListFilter
    sites: SeenProjects

    @classmethod
    def asked(cls, visit: PageVisit, query: ListFilter | None = None) -> MailList:
        chosen = query or ListFilter.read(visit.query, FIELDS, visit.house.here.config.timezone)
        chosen.one_of("outcome", OUTCOMES)
        return cls(visit, chosen, SeenProjects.of(visit))

    def read(self) -> Reader[MailView]:
        overview, asked = self.visit.engine.overview, self._question()

        def piece(after: str, limit: int) -> tuple[Sequence[MailView], str | None]:
            found = overview.find_mails(asked, after=after or None, limit=limit)
            return found.items, found.after

        return piece

    def _question(self) -> MailsAsked:
        asked, within = self.chosen, self.sites.chosen(self.chosen)
        return MailsAsked(
            projects=self.sites.open_to(self.visit, within),
            outcomes=(MailOutcome(asked.of("outcome")),) if asked.of("outcome") else None,
            sender=asked.of("sender") or None,
            since=asked.since,
            until=asked.until,
        )

    def fits(self) -> Callable[[MailView], bool]:
        """Tell what the store is not asked for: the words, and once more what the viewer may see."""
        asked = self.chosen

        def check(mail: MailView) -> bool:
            is_theirs = self.visit.viewer.sees(mail.project)
            return is_theirs and asked.speaks_of(mail.subject, mail.sender, mail.id, mail.job, mail.reason)

        return check

    def row(self, mail: MailView) -> ListedMail:
        job = self.visit.engine.overview.job(mail.job) if mail.job else None
        return ListedMail(mail, job, money_of(job, self.sites.by_id))


def mails(visit: PageVisit) -> Response:
    listed = MailList.asked(visit)
    page = look_through(listed.read(), listed.fits(), _id, after=visit.query.get("after", ""))
    rows = [listed.row(mail) for mail in page.rows]
    return visit.shows(
        "mails.html",
        chosen=listed.chosen,
        bulk=offered_for(visit, "mail", listed.chosen.asked),
        page=page,
        rows=rows,
        sites=listed.sites,
        outcomes=OUTCOMES,
        path="/mail",
    )


def mails_sheet(visit: PageVisit) -> Response:
    listed = MailList.asked(visit)
    found = each_row(listed.read(), listed.fits(), after=visit.query.get("after", ""), most=MOST_ROWS)
    columns = (
        ("mail", lambda row: row.mail.id),
        ("received", lambda row: row.mail.received_at),
        ("sender", lambda row: row.mail.sender),
        ("subject", lambda row: row.mail.subject),
        ("project", lambda row: row.mail.project),
        ("outcome", lambda row: row.mail.outcome),
        ("reason", lambda row: row.mail.reason),
        ("verdict", lambda row: row.mail.verdict),
        ("job", lambda row: row.mail.job),
        ("usd", lambda row: round(row.money.usd, 4)),
        ("usd limit", lambda row: row.money.limit),
    )
    return send_sheet("mail", columns, (listed.row(mail) for mail in found))


def _id(mail: MailView) -> str:
    return mail.id


PAGES = (
    PageRoute("GET", "/mail", mails, role=Role.CLIENT),
    PageRoute("GET", "/mail.csv", mails_sheet, role=Role.CLIENT),
)
