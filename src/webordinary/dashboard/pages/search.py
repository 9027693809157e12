"""Search by content: mails, requests and answers that have all the words, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.overview.search import SearchHit, SearchKind, terms_of

if TYPE_CHECKING:
    from starlette.responses import Response

_A_PAGE = 30
_LONGEST = 300
_KINDS = {SearchKind.REQUEST: "request", SearchKind.ANSWER: "answer", SearchKind.MAIL: "mail"}


def search(visit: PageVisit) -> Response:
    """Show what was found, or say what can be asked."""
    words = visit.query.get("q", "")[:_LONGEST]
    found = visit.engine.search.find(
        words, projects=visit.projects, after=visit.query.get("after") or None, limit=_A_PAGE
    )
    return visit.shows(
        "search.html",
        words=words,
        is_asked=bool(terms_of(words)),
        rows=[(hit, _KINDS[hit.kind], _link(hit)) for hit in found.items],
        page=found,
        finds_everything=visit.house.here.config.traits.searches_everything,
    )


def _link(hit: SearchHit) -> str:
    return f"/jobs/{hit.job}" if hit.job else f"/mail/{hit.id}" if hit.kind is SearchKind.MAIL else ""


PAGES = (PageRoute("GET", "/search", search, role=Role.CLIENT),)
