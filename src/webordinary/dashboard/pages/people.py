"""The people: every editor with what is known of them, and whether mail reaches them."""

from __future__ import annotations

from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.dashboard.bulk.offers import offered_for
from webordinary.dashboard.lists.filters import ListFilter
from webordinary.dashboard.lists.look import each_row, look_through
from webordinary.dashboard.lists.projects import SeenProjects
from webordinary.dashboard.lists.sheet import MOST_ROWS, send_sheet
from webordinary.dashboard.lists.standing import BOUNCED, CUT_OFF, REACHED, STANDINGS
from webordinary.dashboard.people import DashboardUsers
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import WebOrdinaryError
from webordinary.reply.bounces import dead_end_of
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.responses import Response

    from webordinary.audit.entry import Entry
    from webordinary.dashboard.lists.look import Reader
    from webordinary.dashboard.viewer import Viewer
    from webordinary.overview import MailView
    from webordinary.reply.bounces import Bounce

# What came back, was written and was forgiven is looked for among so many of the newest.
LOOKED_AT = 1_000
_RETURNED = 5_000
FIELDS = ("q", "project", "group", "mail")


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """One address that may edit, or that mails came back from."""

    address: str
    roles: tuple[tuple[str, str], ...]
    language: str
    last_mail: MailView | None
    bounces: tuple[Bounce, ...]
    is_cut_off: bool
    forgiven: Entry | None

    @property
    def standing(self) -> str:
        if self.is_cut_off:
            return CUT_OFF
        return BOUNCED if self.bounces else REACHED


@dataclass(frozen=True, slots=True)
class PeopleList:
    """The people that a filter asks for."""

    visit: PageVisit
    chosen: ListFilter
    sites: SeenProjects

    @classmethod
    def asked(cls, visit: PageVisit, query: ListFilter | None = None) -> PeopleList:
        chosen = query or ListFilter.read(visit.query, FIELDS, visit.house.here.config.timezone)
        chosen.one_of("mail", STANDINGS)
        return cls(visit, chosen, SeenProjects.of(visit))

    def reader(self) -> Reader[ListedPerson]:
        """Return what reads people by their addresses; only those who are looked at are put together."""
        bounced: dict[str, list[Bounce]] = {}
        for each in self.visit.engine.bounces.all(limit=_RETURNED):
            bounced.setdefault(fold_address(each.address), []).append(each)
        roles, last, forgiven = self._roles(), self._last_mails(), self._forgiven()
        names, now = sorted({*roles, *bounced}), self.visit.house.here.clock.now().wall_at

        def person(name: str) -> ListedPerson:
            mine, back = roles.get(name, ()), bounced.get(name, [])
            return ListedPerson(
                address=name,
                roles=tuple((project, user) for project, user, _ in mine),
                language=next((language for _, _, language in mine), ""),
                last_mail=last.get(name),
                bounces=tuple(back),
                is_cut_off=dead_end_of(back[::-1], now) is not None,
                forgiven=forgiven.get(name),
            )

        def piece(after: str, limit: int) -> tuple[list[ListedPerson], str | None]:
            first = bisect_right(names, after)
            rows = [person(name) for name in names[first : first + limit]]
            return rows, rows[-1].address if first + limit < len(names) else None

        return piece

    def fits(self) -> Callable[[ListedPerson], bool]:
        within, standing = self.sites.chosen(self.chosen), self.chosen.of("mail")

        def check(row: ListedPerson) -> bool:
            return (
                (within is None or any(project in within for project, _ in row.roles))
                and (not standing or row.standing == standing)
                and self.chosen.speaks_of(row.address, *(f"{project} {user}" for project, user in row.roles))
            )

        return check

    def _roles(self) -> dict[str, list[tuple[str, str, str]]]:
        found: dict[str, list[tuple[str, str, str]]] = {}
        for project in self.sites.by_id.values():
            for editor in project.editors:
                place = found.setdefault(fold_address(editor.address), [])
                place.append((project.id, editor.user, editor.language))
        return found

    def _last_mails(self) -> dict[str, MailView]:
        last: dict[str, MailView] = {}
        for mail in self.visit.engine.overview.mails(limit=LOOKED_AT):
            last.setdefault(fold_address(mail.sender or ""), mail)
        return last

    def _forgiven(self) -> dict[str, Entry]:
        newest = self.visit.engine.trail.newest(limit=LOOKED_AT)
        cleared = (entry for entry in newest if entry.what is EventType.BOUNCES_CLEARED)
        return {fold_address(entry.facts.get("address", "")): entry for entry in cleared}


def people(visit: PageVisit) -> Response:
    listed = PeopleList.asked(visit)
    page = look_through(listed.reader(), listed.fits(), _address, after=visit.query.get("after", ""))
    return visit.shows(
        "people.html",
        chosen=listed.chosen,
        bulk=offered_for(visit, "people", listed.chosen.asked),
        page=page,
        sites=listed.sites,
        standings=STANDINGS,
        path="/people",
        viewers=_viewers(visit),
    )


def _viewers(visit: PageVisit) -> list[Viewer]:
    """Return who may sign in here with a password; a file that cannot be read is doctor's to tell."""
    path = visit.house.here.config.dashboard.users
    with suppress(WebOrdinaryError):
        return DashboardUsers(path).viewers() if path else []
    return []


def people_sheet(visit: PageVisit) -> Response:
    listed = PeopleList.asked(visit)
    columns = (
        ("address", lambda row: row.address),
        ("projects", lambda row: ", ".join(f"{project} ({user})" for project, user in row.roles)),
        ("language", lambda row: row.language),
        ("last mail", lambda row: row.last_mail.received_at if row.last_mail else None),
        ("mail", lambda row: row.standing),
        ("came back", lambda row: len(row.bounces)),
        ("why", lambda row: row.bounces[0].reason if row.bounces else ""),
        ("forgiven", lambda row: row.forgiven.at if row.forgiven else None),
    )
    return send_sheet("people", columns, each_row(listed.reader(), listed.fits(), most=MOST_ROWS))


def _address(row: ListedPerson) -> str:
    return row.address


PAGES = (
    PageRoute("GET", "/people", people),
    PageRoute("GET", "/people.csv", people_sheet),
)
