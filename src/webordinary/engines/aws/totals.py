"""The totals in DynamoDB: one item of the records, replaced only by who has seen its last number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.faults import Stale, translated
from webordinary.metrics.totals import Totals

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.engines.aws.names import Names

_KEY = {"kind": "totals", "id": "totals"}


class DynamoTotals:
    """What was counted, as one text."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records

    def read(self) -> Totals | None:
        with translated(f"the table {self._table}"):
            found = self._client.get_item(TableName=self._table, Key=item_of(_KEY), ConsistentRead=True)
        value = plain_of(found.get("Item", {})).get("counted")
        return msgspec.json.decode(value, type=Totals) if value else None

    def replace(self, totals: Totals, before: int | None) -> bool:
        # A number of the trail is longer than the driver's own numbers are exact: it is compared as a text.
        item = {**_KEY, "counted": msgspec.json.encode(totals).decode(), "upTo": str(totals.number)}
        condition: dict[str, Any] = {
            "ConditionExpression": "attribute_not_exists(#key)",
            "ExpressionAttributeNames": {"#key": "id"},
        }
        if before is not None:
            condition = {
                "ConditionExpression": "#number = :before",
                "ExpressionAttributeNames": {"#number": "upTo"},
                "ExpressionAttributeValues": item_of({":before": str(before)}),
            }
        try:
            with translated(f"the table {self._table}"):
                self._client.put_item(TableName=self._table, Item=item_of(item), **condition)
        except Stale:
            return False
        return True
