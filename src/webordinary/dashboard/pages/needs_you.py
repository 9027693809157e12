"""The start page: what waits for a person, why, what happens otherwise, and the buttons for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dashboard.needs.gather import SHOWN, count_needs, find_group, gather
from webordinary.dashboard.needs.need import NeedsAsked
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import Refused

if TYPE_CHECKING:
    from starlette.responses import Response

_A_PAGE = 50


def needs_you(visit: PageVisit) -> Response:
    """Show the first of each kind; what is fine, and what waits for others, is folded away."""
    if visit.query.get("show"):
        return _one_kind(visit, visit.query["show"])
    gathered = gather(_asked(visit))
    visit.house.badge.note(visit.projects, gathered)
    mine = [each for each in gathered if not each.group.is_of_others]
    return visit.shows(
        "needs_you.html",
        groups=[each for each in mine if each.page.items],
        fine=[each for each in mine if not each.page.items],
        others=[each for each in gathered if each.group.is_of_others and each.page.items],
        count=count_needs(gathered),
        shown=SHOWN,
        checks=visit.house.looks.now() if visit.projects is None else None,
    )


def _one_kind(visit: PageVisit, name: str) -> Response:
    """Show all of one kind, page by page."""
    group = find_group(name)
    if group is None or (visit.projects is not None and not group.for_clients):
        raise Refused("There is nothing of that name that could need you: the start page has all of it.")
    page = group.find(_asked(visit, visit.query.get("after") or None, _A_PAGE))
    return visit.shows("needs_of_one_kind.html", group=group, page=page)


def _asked(visit: PageVisit, after: str | None = None, limit: int | None = None) -> NeedsAsked:
    asked = NeedsAsked(visit.house.here, visit.house.looks, visit.house.here.clock.now(), visit.projects, after)
    return asked if limit is None else asked.of_at_most(limit)


PAGES = (PageRoute("GET", "/", needs_you, role=Role.CLIENT),)
