"""Now: who works on what, what waits for whom, and the truth about what seems to be stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from webordinary.dashboard.now.lanes import active_lanes
from webordinary.dashboard.now.workers import workers_now
from webordinary.dashboard.visit import PageRoute, PageVisit

if TYPE_CHECKING:
    from starlette.responses import Response

_LANES = 50
_NAMES = 100


def now(visit: PageVisit) -> Response:
    return visit.shows("now.html", **_facts(visit))


def now_fragment(visit: PageVisit) -> Response:
    """Answer with what changes of the page; it does not depend on the caller, so one answer serves all."""
    return visit.shows("now_lanes.html", **_facts(visit))


def all_lanes(visit: PageVisit) -> Response:
    """Show every lane by its name, also those in which nothing happens."""
    after = visit.query.get("after", "")
    found = visit.engine.overview.lanes(visit.house.here.clock.now(), after=after, limit=_NAMES + 1)
    return visit.shows("all_lanes.html", lanes=found[:_NAMES], after=after, next=_behind(found, _NAMES))


def _facts(visit: PageVisit) -> dict[str, Any]:
    here, after = visit.house.here, visit.query.get("after", "")
    moment = here.clock.now().wall_at
    found = active_lanes(here, after, _LANES + 1)
    shown = found[:_LANES]
    owners = {each.lane.owner: each.lane.lane for each in found if each.lane.owner}
    return {
        "now": moment,
        "owned": [each for each in shown if each.lane.owner],
        "unclaimed": [each for each in shown if not each.lane.owner],
        "workers": workers_now(here, owners),
        "is_one_machine": here.config.traits.is_one_machine,
        # Nothing tells when a worker beats; where each look is paid it is asked less often.
        "every": 5 if here.config.traits.has_free_looks else 15,
        "paused": here.engine.overview.paused(),
        "after": after,
        "next": _behind([each.lane for each in found], _LANES),
        "fragment": "/fragments/now" + (f"?{urlencode({'after': after})}" if after else ""),
    }


def _behind(found: Any, shown: int) -> str:  # noqa: ANN401 - anything with lanes
    """Return the query of the next page; empty on the last one."""
    return f"?{urlencode({'after': found[shown - 1].lane})}" if len(found) > shown else ""


PAGES = (
    PageRoute("GET", "/now", now),
    PageRoute("GET", "/now/lanes", all_lanes),
    PageRoute("GET", "/fragments/now", now_fragment, is_shared=True),
)
