"""Writes about workers: whether they wait, and how claiming goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.dynamodb.items import Item, item_of
from webordinary.engines.aws.dynamodb.records import KEPT_FOR, WORKER

if TYPE_CHECKING:
    from webordinary.clock import Moment

CLAIM_WON = "ADD #won :one SET #seen = :now, #idle = :no"
# It waits on, and is called as before.
CLAIM_LOST = "ADD #lost :one SET #seen = :now"
WAITS = "SET #idle = :yes, #since = :now, #seen = :now"
HEALTH = "ADD #failed :failures SET #until = :until, #seen = :now"
_NAMES = {
    "#idle": "idle",
    "#since": "idleAt",
    "#seen": "seenAt",
    "#won": "claimsWon",
    "#lost": "claimsLost",
    "#failed": "claimsFailed",
    "#until": "holdsBackUntil",
    "#ttl": "ttl",
}


def worker_key(worker: str) -> Item:
    return item_of({"kind": WORKER, "id": worker})


def worker_update(
    table: str,
    worker: str,
    expression: str,
    now: Moment,
    values: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a write about a worker; `SET` must come last in the expression."""
    expression += ", #ttl = :ttl"
    known = {
        ":now": now.seconds,
        ":yes": True,
        ":no": False,
        ":one": 1,
        ":ttl": int((now + KEPT_FOR).seconds),
        **(values or {}),
    }
    words = expression.replace(",", " ").replace("(", " ").replace(")", " ").split()
    return {
        "TableName": table,
        "Key": worker_key(worker),
        "UpdateExpression": expression,
        "ExpressionAttributeNames": {name: _NAMES[name] for name in words if name in _NAMES},
        "ExpressionAttributeValues": item_of({value: known[value] for value in words if value in known}),
    }
