"""An action on all rows of a list: what it hits, a confirmation, how far it has come, and what failed."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from webordinary.actions.carry_out import carry_out
from webordinary.dashboard.bulk.hits import MOST, fields_of, hits
from webordinary.dashboard.bulk.offers import BULK_ACTIONS
from webordinary.dashboard.bulk.plans import BulkLine, BulkPlan, BulkPlans, BulkState, new_plan_id
from webordinary.dashboard.lists.filters import ListFilter
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import NoSuchThing, NotYours, Refused, WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.responses import Response

    from webordinary.dashboard.bulk.offers import BulkAction
    from webordinary.dashboard.bulk.plans import BulkProgress
    from webordinary.dashboard.viewer import Viewer
    from webordinary.engines.installation import Installation

_log = logging.getLogger(__name__)
_SHOWN = 20


def make_plan(visit: PageVisit) -> Response:
    """Freeze what the filter hits at this moment, and lead to the page that shows it."""
    bulk = _allowed(visit, visit.form.get("action", ""))
    asked = {name: visit.form[name] for name in fields_of(bulk.of_list) if visit.form.get(name)}
    found = list(islice(hits(visit, bulk, asked), MOST + 1))
    if not found:
        raise Refused(f"There is nothing left to which “{bulk.action.label}” could be done with this filter.")
    plan = BulkPlan(
        id=new_plan_id(),
        action=bulk.name,
        by=visit.viewer.name,
        made_at=visit.house.here.clock.now().wall_at,
        where=ListFilter(asked).url(f"/{bulk.of_list}"),
        ids=tuple(each.id for each in found[:MOST]),
        labels=tuple(each.label[:200] for each in found[:MOST]),
        is_cut=len(found) > MOST,
    )
    _plans(visit).keep(plan)
    return visit.leads_to(f"/bulk/{plan.id}")


def plan(visit: PageVisit) -> Response:
    progress = _found(visit)
    action = _allowed(visit, progress.plan.action).action
    labels = dict(zip(progress.plan.ids, progress.plan.labels, strict=True))
    return visit.shows(
        "bulk.html",
        progress=progress,
        plan=progress.plan,
        action=action,
        labels=labels,
        shown=list(labels.items())[:_SHOWN],
        most=MOST,
        is_waiting=progress.state is BulkState.WAITS,
        is_running=progress.state is BulkState.RUNS,
        is_broken_off=progress.state is BulkState.BROKEN_OFF,
    )


def carry_out_plan(visit: PageVisit) -> Response:
    """Begin, or go on with what is left; a second press finds that somebody is at it and only looks."""
    progress = _found(visit)
    bulk = _allowed(visit, progress.plan.action)
    said = {each.name: each.read(visit.form) for each in bulk.action.needs}
    # A session ends with the browser, this goes on: the deed needs the person and nothing of the request.
    deed = _Deed(visit.house.here, bulk, replace(visit.viewer), said)
    _plans(visit).start(progress.plan.id, deed.do)
    return visit.leads_to(f"/bulk/{progress.plan.id}")


@dataclass(frozen=True, slots=True)
class _Deed:
    """One action by one person, for many things."""

    here: Installation
    bulk: BulkAction
    viewer: Viewer
    said: Mapping[str, str]

    def do(self, each: str) -> BulkLine:
        try:
            return BulkLine(each, carry_out(self.here, self.bulk.name, each, self.viewer, self.said).sentence)
        except WebOrdinaryError as problem:
            return BulkLine(each, str(problem), has_failed=True)
        except Exception:  # noqa: BLE001 - the others are still to be done
            _log.exception("%s of %s failed", self.bulk.name, each)
            return BulkLine(each, "This went wrong; the log of the dashboard says where.", has_failed=True)


def _allowed(visit: PageVisit, name: str) -> BulkAction:
    bulk = BULK_ACTIONS.get(name)
    if bulk is None:
        raise NoSuchThing(f"There is no action {name!r} for a list; there are {', '.join(BULK_ACTIONS)}.")
    if not bulk.action.is_open_to(visit.viewer.role):
        raise NotYours(f"For this one has to be {bulk.action.role}.")
    return bulk


def _found(visit: PageVisit) -> BulkProgress:
    found = _plans(visit).find(visit.params["plan"])
    if found is None:
        raise NoSuchThing("There is no such list of things to do; they are kept for 30 days. Begin again at the list.")
    return found


def _plans(visit: PageVisit) -> BulkPlans:
    return BulkPlans(visit.house.here.config.data / "dashboard" / "bulk")


PAGES = (
    PageRoute("POST", "/bulk", make_plan, role=Role.OPERATOR),
    PageRoute("GET", "/bulk/{plan}", plan, role=Role.OPERATOR),
    PageRoute("POST", "/bulk/{plan}", carry_out_plan, role=Role.OPERATOR),
)
