"""The record of who may publish in a project, and its writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.dispatch.store import Slot
from webordinary.engines.aws.dynamodb.conditions import condition_of
from webordinary.engines.aws.dynamodb.items import Item, item_of, plain_of
from webordinary.engines.aws.dynamodb.records import SLOT

if TYPE_CHECKING:
    from webordinary.engines.aws.names import Names
    from webordinary.ownership.claim import Claim


def slot_from(item: Item | None) -> Slot | None:
    held = plain_of(item) if item else None
    return Slot(held["lane"], held["job"], held["fence"]) if held else None


def slot_writes(names: Names, slot: Slot | None, seen: Slot | None, claim: Claim, job: str) -> list[dict[str, Any]]:
    """Return the writes that keep who may publish, if the slot is as it was seen and the job still runs."""
    key = {"kind": SLOT, "id": claim.lane.project}
    condition = "#job = :job AND #fence = :fence" if seen else "attribute_not_exists(#kind)"
    held = condition_of(condition, {"job": seen.job, "fence": seen.fence} if seen else {})
    if slot is None:
        return [{"Delete": {"TableName": names.records, "Key": item_of(key), **held}}]
    return [_put(names, claim, job, held), _still_mine(names, claim, job)]


def unread_slot(names: Names, claim: Claim, job: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what takes a slot that nobody has, or our own lane since an earlier job, and what checks that it may."""
    mine = condition_of("attribute_not_exists(#kind) OR #lane = :lane", {"lane": claim.lane.key})
    return _put(names, claim, job, mine), _still_mine(names, claim, job)


def _put(names: Names, claim: Claim, job: str, condition: dict[str, Any]) -> dict[str, Any]:
    key = {"kind": SLOT, "id": claim.lane.project}
    item = item_of({**key, "lane": claim.lane.key, "job": job, "fence": claim.fence})
    return {"Put": {"TableName": names.records, "Item": item, **condition}}


def _still_mine(names: Names, claim: Claim, job: str) -> dict[str, Any]:
    still_mine = condition_of(
        "#containerId = :worker AND #fence = :fence AND #running = :job",
        {"worker": claim.worker, "fence": claim.fence, "job": job},
    )
    own = {"TableName": names.ownership, "Key": item_of({"projectKey": claim.lane.key})}
    return {"ConditionCheck": {**own, **still_mine}}
