"""An action on many, as pages and programs do it: what a filter hits is frozen, found again, and carried out."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from webordinary.actions.carry_out import carry_out
from webordinary.dashboard.bulk.hits import MOST, hits
from webordinary.dashboard.bulk.offers import BULK_ACTIONS
from webordinary.dashboard.bulk.plans import BulkLine, BulkPlan, BulkPlans, new_plan_id
from webordinary.dashboard.lists.filters import ListFilter
from webordinary.errors import NoSuchThing, NotYours, Refused, WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.dashboard.bulk.offers import BulkAction
    from webordinary.dashboard.bulk.plans import BulkProgress
    from webordinary.dashboard.viewer import Viewer
    from webordinary.dashboard.visit import PageVisit
    from webordinary.engines.installation import Installation

_log = logging.getLogger(__name__)


def allowed(viewer: Viewer, name: str) -> BulkAction:
    """Return an action on a list, if this person may do it."""
    bulk = BULK_ACTIONS.get(name)
    if bulk is None:
        raise NoSuchThing(f"There is no action {name!r} for a list; there are {', '.join(BULK_ACTIONS)}.")
    if not bulk.action.is_open_to(viewer.role):
        raise NotYours(f"For this one has to be {bulk.action.role}.")
    return bulk


def freeze(visit: PageVisit, bulk: BulkAction, asked: Mapping[str, str]) -> BulkPlan:
    """Keep what the filter hits at this moment."""
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
    _plans(visit.house.here).keep(plan)
    return plan


def progress_of(here: Installation, name: str) -> BulkProgress:
    """Return a plan and how far it has come."""
    found = _plans(here).find(name)
    if found is None:
        raise NoSuchThing("There is no such list of things to do; they are kept for 30 days. Begin again at the list.")
    return found


def begin(here: Installation, plan: BulkPlan, viewer: Viewer, given: Mapping[str, str]) -> None:
    """Begin, or go on with what is left; a second caller finds that it runs already."""
    bulk = allowed(viewer, plan.action)
    said = {each.name: each.read(given) for each in bulk.action.needs}
    # A session ends with the browser, this goes on: the deed needs the person and nothing of the request.
    _plans(here).start(plan.id, _Deed(here, bulk, replace(viewer), said).do)


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


def _plans(here: Installation) -> BulkPlans:
    return BulkPlans(here.config.data / "dashboard" / "bulk")
