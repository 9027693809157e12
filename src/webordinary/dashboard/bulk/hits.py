"""What an action on a list hits at this moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dashboard.lists.filters import ListFilter
from webordinary.dashboard.lists.look import each_row
from webordinary.dashboard.pages import jobs, mails, people, projects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from webordinary.dashboard.bulk.offers import BulkAction
    from webordinary.dashboard.visit import PageVisit

MOST = 1_000
# So many rows are looked at for them: somebody waits for the page.
_LOOKED_AT = 20_000


@dataclass(frozen=True, slots=True)
class BulkHit:
    """One thing that an action would be done to, and how people recognise it."""

    id: str
    label: str


def fields_of(of_list: str) -> tuple[str, ...]:
    return _LISTS[of_list][0]


def hits(visit: PageVisit, bulk: BulkAction, asked: Mapping[str, str]) -> Iterator[BulkHit]:
    """Yield what the action would be done to, in the order of the list."""
    fields, found = _LISTS[bulk.of_list]
    chosen = ListFilter.read(bulk.narrowed(asked), fields, visit.house.here.config.timezone)
    yield from found(visit, chosen)


def _jobs(visit: PageVisit, chosen: ListFilter) -> Iterator[BulkHit]:
    listed = jobs.JobList.asked(visit, chosen)
    for job in each_row(listed.read(), listed.fits(), most=MOST + 1, looked_at=_LOOKED_AT):
        yield BulkHit(job.id, f"{job.subject or job.id} ({job.lane.key})")


def _mails(visit: PageVisit, chosen: ListFilter) -> Iterator[BulkHit]:
    listed = mails.MailList.asked(visit, chosen)
    for mail in each_row(listed.read(), listed.fits(), most=MOST + 1, looked_at=_LOOKED_AT):
        yield BulkHit(mail.id, f"{mail.subject or mail.id} of {mail.sender}")


def _people(visit: PageVisit, chosen: ListFilter) -> Iterator[BulkHit]:
    listed = people.PeopleList.asked(visit, chosen)
    found = each_row(listed.reader(), listed.fits(), most=people.LOOKED_AT)
    yield from (BulkHit(row.address, row.address) for row in found)


def _projects(visit: PageVisit, chosen: ListFilter) -> Iterator[BulkHit]:
    listed = projects.ProjectList.asked(visit, chosen)
    found = each_row(listed.read(), listed.fits(), most=MOST + 1)
    yield from (BulkHit(project.id, project.name) for project in found)


_LISTS: Mapping[str, tuple[tuple[str, ...], Callable[[PageVisit, ListFilter], Iterator[BulkHit]]]] = {
    "jobs": (jobs.FIELDS, _jobs),
    "mail": (mails.FIELDS, _mails),
    "people": (people.FIELDS, _people),
    "projects": (projects.FIELDS, _projects),
}
