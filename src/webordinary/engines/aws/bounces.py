"""What came back, in DynamoDB; those of one address stand together."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import Entry, EventType
from webordinary.clock import from_seconds
from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.records import BOUNCE, KEPT_FOR, trail_item, written
from webordinary.engines.aws.faults import translated
from webordinary.reply.bounces import Bounce
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.names import Names


class DynamoBounces:
    """One item for each letter that came back."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records
        self._what = f"the table {names.records}"
        self._shards = names.shards

    def record(self, bounce: Bounce) -> bool:
        entry = Entry(EventType.MAIL_BOUNCED, bounce.bounced_at, text=bounce.reason, facts=bounce.facts)
        writes: list[Any] = [
            {
                "Put": {
                    "TableName": self._table,
                    "Item": _item(bounce),
                    "ConditionExpression": "attribute_not_exists(id)",
                }
            },
            {"Put": {"TableName": self._table, "Item": trail_item(entry, self._shards)}},
        ]
        return written(self._client, self._what, *writes)

    def of(self, address: str) -> Sequence[Bounce]:
        return sorted(self._found(_mark(address)), key=lambda each: (each.bounced_at, each.letter))

    def all(self, *, limit: int = 100) -> Sequence[Bounce]:
        return sorted(self._found(""), key=lambda each: (-each.bounced_at.timestamp(), each.letter))[:limit]

    def clear(self, address: str, by: str, now: Moment) -> int:
        found = self.of(address)
        with translated(self._what):
            for each in found:
                self._client.delete_item(TableName=self._table, Key=item_of(_key(each)))
            if found:
                facts = {"address": fold_address(address), "by": by}
                entry = Entry(EventType.BOUNCES_CLEARED, now.wall_at, facts=facts)
                self._client.put_item(TableName=self._table, Item=trail_item(entry, self._shards))
        return len(found)

    def _found(self, mark: str) -> list[Bounce]:
        condition, values = "kind = :kind", {":kind": BOUNCE}
        if mark:
            condition, values = f"{condition} AND begins_with(id, :mark)", {**values, ":mark": mark}
        with translated(self._what):
            pages = self._client.get_paginator("query").paginate(
                TableName=self._table,
                KeyConditionExpression=condition,
                ExpressionAttributeValues=item_of(values),
                ConsistentRead=True,
            )
            return [_bounce_from(plain_of(item)) for page in pages for item in page["Items"]]


def _mark(address: str) -> str:
    return hashlib.sha256(fold_address(address).encode(errors="replace")).hexdigest()[:32] + "#"


def _key(bounce: Bounce) -> dict[str, str]:
    return {"kind": BOUNCE, "id": _mark(bounce.address) + bounce.letter}


def _item(bounce: Bounce) -> dict[str, Any]:
    return item_of(
        {
            **_key(bounce),
            "letter": bounce.letter,
            "address": fold_address(bounce.address),
            "forGood": bounce.is_for_good,
            "reason": bounce.reason,
            "bouncedAt": bounce.bounced_at.timestamp(),
            "ttl": int((bounce.bounced_at + KEPT_FOR).timestamp()),
        }
    )


def _bounce_from(row: dict[str, Any]) -> Bounce:
    return Bounce(row["letter"], row["address"], row["forGood"], row.get("reason", ""), from_seconds(row["bouncedAt"]))
