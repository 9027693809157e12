"""Lanes of a version that kept no places of threads and verbs: they are given them before anything is decided by them.

Such a version may still write while this one does. It leaves places behind, and takes from the lane's row the count by
which it is known that the places are there; then they are given once more.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.dynamodb.conditions import condition_of
from webordinary.engines.aws.dynamodb.items import item_of
from webordinary.engines.aws.dynamodb.rows import places_of
from webordinary.engines.aws.faults import Stale, Unknown, translated
from webordinary.errors import TryAgain
from webordinary.jobs.job import Kind

if TYPE_CHECKING:
    from webordinary.engines.aws.dynamodb.lane_row import VersionedLane
    from webordinary.engines.aws.dynamodb.reading import DynamoReader

_TRIES = 12
# A transaction holds a hundred writes; one looks at the lane's row.
_AT_ONCE = 99
_AGAIN_AFTER = 0.05


def give_places(store: DynamoReader, lane: str) -> VersionedLane | None:
    """Give each live job of a lane its places, and return the lane as it then is."""
    for _ in range(_TRIES):
        row = store.lane(lane)
        if row is None or not row.is_earlier:
            return row
        try:
            _give(store, row)
        except (Stale, Unknown):
            # Somebody has written to the lane, or does the same.
            time.sleep(_AGAIN_AFTER)
    raise TryAgain(f"too many others wrote to {lane}: nothing was changed")


def _give(store: DynamoReader, row: VersionedLane) -> None:
    jobs, names = store.live_jobs(row.lane).values(), store.names
    places = [item_of({**key, "jobId": job.id}) for job in jobs for key in places_of(job)]
    for at in range(0, len(places), _AT_ONCE):
        writes: list[Any] = [{"ConditionCheck": _unchanged(store, row)}]
        writes += [{"Put": {"TableName": names.jobs, "Item": item}} for item in places[at : at + _AT_ONCE]]
        with translated("a lane"):
            store.client.transact_write_items(TransactItems=writes)
    unchanged = _unchanged(store, row)
    values = {":verbs": sum(job.kind == Kind.VERB for job in jobs), ":one": 1}
    unchanged["ExpressionAttributeNames"] |= {"#verbs": "verbs"}
    unchanged["ExpressionAttributeValues"] |= item_of(values)
    with translated("a lane"):
        store.client.update_item(**unchanged, UpdateExpression="SET #verbs = :verbs ADD #version :one")


def _unchanged(store: DynamoReader, row: VersionedLane) -> dict[str, Any]:
    condition = condition_of("#version = :version", {"version": row.version})
    return {"TableName": store.names.ownership, "Key": item_of({"projectKey": row.lane}), **condition}
