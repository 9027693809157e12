"""One action on all that fits a filter, for programs: a look, a confirmation of what was seen, and how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from webordinary.actions.role import Role
from webordinary.dashboard.api.bulk_shapes import BulkAsked, BulkConfirmed, BulkShape, BulkThingShape
from webordinary.dashboard.api.call import ApiCall, ApiRoute
from webordinary.dashboard.bulk.doing import allowed, begin, freeze, progress_of
from webordinary.dashboard.bulk.hits import fields_of
from webordinary.dashboard.visit import PageVisit
from webordinary.errors import Refused

if TYPE_CHECKING:
    from webordinary.dashboard.bulk.plans import BulkProgress


def look(call: ApiCall) -> BulkShape:
    """Freeze what the filter hits at this moment."""
    asked: BulkAsked = call.body
    bulk = allowed(call.viewer, asked.action)
    # What is left out of a filter hits more than was meant.
    known = fields_of(bulk.of_list)
    if other := next((name for name in asked.where if name not in known), None):
        raise Refused(f"This list has no field {other}; it has {', '.join(known)}.")
    visit = PageVisit(call.house, call.viewer, "/bulk", secret="", csrf="")
    plan = freeze(visit, bulk, {name: text for name, text in asked.where.items() if text})
    return _shown(call, progress_of(call.here, plan.id))


def confirm(call: ApiCall) -> BulkShape:
    """Begin with what was shown, or go on with what is left of it."""
    plan = progress_of(call.here, call.params["bulk"]).plan
    begin(call.here, plan, call.viewer, structs.asdict(call.body))
    return _shown(call, progress_of(call.here, plan.id))


def progress(call: ApiCall) -> BulkShape:
    return _shown(call, progress_of(call.here, call.params["bulk"]))


def _shown(call: ApiCall, found: BulkProgress) -> BulkShape:
    plan, lines = found.plan, {line.id: line for line in found.lines}
    told = {name: line.words for name, line in lines.items()}
    failed = {line.id for line in found.failed}
    return BulkShape(
        id=plan.id,
        action=plan.action,
        tells=allowed(call.viewer, plan.action).action.tells,
        by=plan.by,
        made_at=plan.made_at,
        state=found.state.value,
        is_cut=plan.is_cut,
        hit=len(plan.ids),
        done=len(lines),
        failed=len(failed),
        things=[
            BulkThingShape(id=name, label=label, told=told.get(name), has_failed=name in failed)
            for name, label in zip(plan.ids, plan.labels, strict=True)
        ],
    )


BULK = (
    ApiRoute(method="POST", path="/bulk", name="look_at_many", handler=look, answer=BulkShape, role=Role.OPERATOR,
             tells="What an action would hit with a filter at this moment; nothing is done yet.",
             body=BulkAsked, status=201, takes_key=True),
    ApiRoute(method="POST", path="/bulk/{bulk}/confirm", name="confirm_many", handler=confirm, answer=BulkShape,
             role=Role.OPERATOR, tells="Do it to exactly what was shown, one after the other.",
             body=BulkConfirmed, takes_key=True, params=("bulk",)),
    ApiRoute(method="GET", path="/bulk/{bulk}", name="show_many", handler=progress, answer=BulkShape,
             role=Role.OPERATOR, tells="How far it has come, and what failed and why.", params=("bulk",)),
)  # fmt: skip
