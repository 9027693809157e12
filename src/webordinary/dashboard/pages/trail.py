"""The trail: everything that happened, the newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.audit.story import tell
from webordinary.dashboard.lists.filters import ListFilter
from webordinary.dashboard.lists.look import each_row, look_through
from webordinary.dashboard.lists.projects import SeenProjects
from webordinary.dashboard.lists.sheet import MOST_ROWS, send_sheet
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.mail.tokens import hide_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.responses import Response

    from webordinary.audit.entry import Entry
    from webordinary.dashboard.lists.look import Reader

FIELDS = ("q", "what", "project", "group", "lane", "job", "since", "until")
# Greater numbers no store has.
_BEHIND_ALL, _LONGEST_NUMBER = 2**62, 19
KINDS = tuple(each.value for each in EventType)


@dataclass(frozen=True, slots=True)
class TrailList:
    """The entries that a filter asks for."""

    visit: PageVisit
    chosen: ListFilter
    sites: SeenProjects

    @classmethod
    def asked(cls, visit: PageVisit) -> TrailList:
        chosen = ListFilter.read(visit.query, FIELDS, visit.house.here.config.timezone)
        chosen.one_of("what", KINDS)
        return cls(visit, chosen, SeenProjects.of(visit))

    def read(self) -> Reader[Entry]:
        trail, job, lane = self.visit.engine.trail, self.chosen.of("job"), self.chosen.of("lane")

        def piece(after: str, limit: int) -> tuple[Sequence[Entry], str | None]:
            before = min(int(after), _BEHIND_ALL) if after.isdecimal() and len(after) <= _LONGEST_NUMBER else None
            found = trail.newest(limit=limit, job=job or None, lane=lane or None, before=before)[::-1]
            return found, _number(found[-1]) if len(found) == limit else None

        return piece

    def fits(self) -> Callable[[Entry], bool]:
        asked, within, what = self.chosen, self.sites.chosen(self.chosen), self.chosen.of("what")

        def check(entry: Entry) -> bool:
            return (
                (not what or entry.what == what)
                and (within is None or _project(entry) in within)
                and asked.is_within(entry.at)
                and (not asked.of("q") or asked.speaks_of(_words(entry), entry.job, entry.mail, entry.worker))
            )

        return check


def trail(visit: PageVisit) -> Response:
    listed = TrailList.asked(visit)
    page = look_through(listed.read(), listed.fits(), _number, after=visit.query.get("after", ""), shown=100)
    return visit.shows("trail.html", chosen=listed.chosen, page=page, sites=listed.sites, kinds=KINDS, path="/trail")


def trail_sheet(visit: PageVisit) -> Response:
    listed = TrailList.asked(visit)
    found = each_row(listed.read(), listed.fits(), after=visit.query.get("after", ""), most=MOST_ROWS)
    columns = (
        ("number", lambda entry: entry.number),
        ("at", lambda entry: entry.at),
        ("what", lambda entry: entry.what),
        ("words", _words),
        ("project", _project),
        ("lane", lambda entry: entry.lane),
        ("job", lambda entry: entry.job),
        ("mail", lambda entry: entry.mail),
        ("worker", lambda entry: entry.worker),
        ("by", lambda entry: entry.facts.get("by", "")),
    )
    return send_sheet("trail", columns, found)


def _words(entry: Entry) -> str:
    """Return what an entry tells, without what could be found in it letter by letter."""
    return hide_tokens(tell(entry))


def _number(entry: Entry) -> str:
    return str(entry.number)


def _project(entry: Entry) -> str:
    return entry.lane.partition("#")[0] if entry.lane else entry.facts.get("project", "")


PAGES = (
    PageRoute("GET", "/trail", trail),
    PageRoute("GET", "/trail.csv", trail_sheet),
)
