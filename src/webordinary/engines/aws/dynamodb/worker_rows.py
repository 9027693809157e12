"""Writes about workers: whether they wait, and how claiming goes."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.dynamodb.items import Item, item_of
from webordinary.engines.aws.dynamodb.records import WORKER

if TYPE_CHECKING:
    from webordinary.clock import Moment

CLAIM_WON = "REMOVE #mark, #at ADD #won :one SET #seen = :now, #idle = :no"
# It waits on, and is called as before.
CLAIM_LOST = "ADD #lost :one SET #seen = :now"
WAITS = "SET #idle = :yes, #since = :now, #seen = :now, #mark = :mark, #at = :now"
HEALTH = "ADD #failed :failures SET #until = :until, #seen = :now"
IDLE = "idle"
# A container lives for hours; the list of workers is read in each round.
_KEPT_FOR = timedelta(days=2)
_NAMES = {
    "#idle": "idle",
    "#since": "idleAt",
    "#seen": "seenAt",
    "#won": "claimsWon",
    "#lost": "claimsLost",
    "#failed": "claimsFailed",
    "#until": "holdsBackUntil",
    "#mark": "dueMark",
    "#at": "dueAt",
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
        ":mark": IDLE,
        ":ttl": int((now + _KEPT_FOR).seconds),
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
