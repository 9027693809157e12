"""Schedules in DynamoDB."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.engines.aws.dynamodb.conditions import condition_of
from webordinary.engines.aws.dynamodb.items import Item, item_of, plain_of
from webordinary.engines.aws.dynamodb.records import KEPT_FOR, SCHEDULE, trail_item
from webordinary.engines.aws.faults import Stale, Unknown, translated
from webordinary.engines.stored_text import text_of
from webordinary.jobs.schedules import Schedule, about_schedule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.store import DynamoStore


class DynamoSchedules:
    """One item for each moment; those that are over stay for a while, so that none is kept twice."""

    def __init__(self, store: DynamoStore) -> None:
        self._store = store
        self._table = store.names.records

    def due(self, now: Moment, *, limit: int = 20) -> Sequence[Schedule]:
        return [each for each in self.all() if each.at <= now.wall_at][:limit]

    def find(self, schedule: str) -> Schedule | None:
        item = self._store.item(self._table, {"kind": SCHEDULE, "id": schedule})
        if item is None:
            return None
        row = plain_of(item)
        return replace(msgspec.json.decode(row["body"], type=Schedule), closed_by=str(row.get("closedBy", "")))

    def all(self, *, project: str | None = None) -> Sequence[Schedule]:
        noted = self._store.notes_lanes
        items = self._store.marked(SCHEDULE) if noted else self._store.query(self._table, "kind", SCHEDULE)
        rows = [plain_of(item) for item in items]
        found = [msgspec.json.decode(row["body"], type=Schedule) for row in rows if "closedAt" not in row]
        mine = [each for each in found if project in {None, each.lane.project}]
        return sorted(mine, key=lambda each: (each.at, each.id))

    def add(self, schedule: Schedule, now: Moment) -> bool:  # noqa: ARG002 - its own moment counts
        try:
            self._write([{"Put": {"TableName": self._table, "Item": schedule_item(schedule), **ONCE}}])
        except Stale:
            return False
        except Unknown:
            if self.find(schedule.id) is None:
                raise
        return True

    def close(self, schedule: str, by: str, now: Moment) -> bool:
        key = {"kind": SCHEDULE, "id": schedule}
        item = self._store.item(self._table, key)
        if item is None or "closedAt" in item:
            return False
        found = msgspec.json.decode(plain_of(item)["body"], type=Schedule)
        closing: dict[str, Any] = {
            "TableName": self._table,
            "Key": item_of(key),
            "UpdateExpression": "SET #closedAt = :now, #by = :by, #ttl = :ttl REMOVE #mark, #at",
            "ConditionExpression": "attribute_not_exists(#closedAt)",
            "ExpressionAttributeNames": {
                "#closedAt": "closedAt",
                "#by": "closedBy",
                "#ttl": "ttl",
                "#mark": "dueMark",
                "#at": "dueAt",
            },
            "ExpressionAttributeValues": item_of(
                {":now": now.seconds, ":by": by, ":ttl": int((now + KEPT_FOR).seconds)}
            ),
        }
        entry = trail_item(about_schedule(found, by, now), self._store.names.shards)
        try:
            self._write([{"Update": closing}, {"Put": {"TableName": self._table, "Item": entry}}])
        except Stale:
            return False
        return True

    def _write(self, writes: list[dict[str, Any]]) -> None:
        with translated("a schedule"):
            self._store.client.transact_write_items(TransactItems=writes)  # type: ignore[arg-type]  # the driver's own dictionary type is closed


ONCE = condition_of("attribute_not_exists(#kind)", {})


def schedule_item(schedule: Schedule) -> Item:
    """Return the item of a moment that is to come."""
    # Marked until it is over.
    mark: dict[str, str | float] = {"dueMark": SCHEDULE, "dueAt": schedule.at.timestamp()}
    return item_of({"kind": SCHEDULE, "id": schedule.id, "body": text_of(schedule), **mark})
