"""Search by content: mails, requests and answers with their receipts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dashboard.lists.filters import ListFilter
from webordinary.dashboard.lists.projects import SeenProjects
from webordinary.dashboard.lists.sheet import MOST_ROWS, send_sheet
from webordinary.dashboard.story.for_clients import hits_for
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.overview.search import SearchHits, SearchKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.responses import Response

    from webordinary.overview.search import SearchHit

FIELDS = ("q", "project", "group")
_AT_ONCE = 200


def search(visit: PageVisit) -> Response:
    chosen, sites = _asked(visit)
    found = _found(visit, chosen, sites, visit.query.get("after", ""), 50) if chosen.of("q") else SearchHits(())
    return visit.shows(
        "search.html",
        chosen=chosen,
        sites=sites,
        hits=[(hit, where_is(hit)) for hit in found.items],
        after=found.after,
        reaches_to=found.reaches_to,
        path="/search",
    )


def search_sheet(visit: PageVisit) -> Response:
    columns = (
        ("kind", lambda hit: _KINDS[hit.kind]),
        ("at", lambda hit: hit.at),
        ("title", lambda hit: hit.title),
        ("project", lambda hit: hit.project),
        ("person", lambda hit: hit.person),
        ("words", lambda hit: "".join(part.text for part in hit.excerpt)),
        ("id", lambda hit: hit.id),
        ("job", lambda hit: hit.job),
    )
    return send_sheet("search", columns, _all(visit))


def where_is(hit: SearchHit) -> tuple[str, str]:
    """Return what something is called and where it is read: an answer with the job that it tells of."""
    path = f"/mail/{hit.id}" if hit.kind is SearchKind.MAIL or not hit.job else f"/jobs/{hit.job}"
    return _KINDS[hit.kind], path


_KINDS = {SearchKind.REQUEST: "request", SearchKind.ANSWER: "answer", SearchKind.MAIL: "mail"}


def _asked(visit: PageVisit) -> tuple[ListFilter, SeenProjects]:
    return ListFilter.read(visit.query, FIELDS, visit.house.here.config.timezone), SeenProjects.of(visit)


def _found(visit: PageVisit, chosen: ListFilter, sites: SeenProjects, after: str, limit: int) -> SearchHits:
    within = sites.open_to(visit, sites.chosen(chosen))
    found = visit.engine.search.find(chosen.of("q"), projects=within, after=after or None, limit=limit)
    return hits_for(visit.engine, found, chosen.of("q"), to_agency=visit.may(Role.READER))


def _all(visit: PageVisit) -> Iterator[SearchHit]:
    chosen, sites = _asked(visit)
    after: str | None = visit.query.get("after", "")
    left = MOST_ROWS if chosen.of("q") else 0
    while after is not None and left > 0:
        found = _found(visit, chosen, sites, after, _AT_ONCE)
        yield from found.items
        left, after = left - len(found.items), found.after


PAGES = (
    PageRoute("GET", "/search", search, role=Role.CLIENT),
    PageRoute("GET", "/search.csv", search_sheet, role=Role.CLIENT),
)
