"""An action on all rows of a list: what it hits, a confirmation, how far it has come, and what failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.dashboard.bulk.doing import allowed, begin, freeze, progress_of
from webordinary.dashboard.bulk.hits import MOST, fields_of
from webordinary.dashboard.bulk.plans import BulkState
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit

if TYPE_CHECKING:
    from starlette.responses import Response

_SHOWN = 20


def make_plan(visit: PageVisit) -> Response:
    """Freeze what the filter hits at this moment, and lead to the page that shows it."""
    bulk = allowed(visit.viewer, visit.form.get("action", ""))
    asked = {name: visit.form[name] for name in fields_of(bulk.of_list) if visit.form.get(name)}
    return visit.leads_to(f"/bulk/{freeze(visit, bulk, asked).id}")


def plan(visit: PageVisit) -> Response:
    progress = progress_of(visit.house.here, visit.params["plan"])
    action = allowed(visit.viewer, progress.plan.action).action
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
    here = visit.house.here
    plan = progress_of(here, visit.params["plan"]).plan
    begin(here, plan, visit.viewer, visit.form)
    return visit.leads_to(f"/bulk/{plan.id}")


PAGES = (
    PageRoute("POST", "/bulk", make_plan, role=Role.OPERATOR),
    PageRoute("GET", "/bulk/{plan}", plan, role=Role.OPERATOR),
    PageRoute("POST", "/bulk/{plan}", carry_out_plan, role=Role.OPERATOR),
)
