"""The newest version in DynamoDB: one item of the records, which only a newer one replaces."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.records import VERSION
from webordinary.engines.aws.faults import Stale, translated
from webordinary.ownership.versions import rank

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.engines.aws.names import Names

_KEY = {"kind": VERSION, "id": "newest"}


class DynamoVersions:
    """What the tasks of a deployment say of themselves."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records

    def record(self, mine: str) -> None:
        with suppress(Stale), translated(f"the table {self._table}"):
            self._client.put_item(
                TableName=self._table,
                Item=item_of({**_KEY, "version": mine, "rank": rank(mine)}),
                ConditionExpression="attribute_not_exists(#rank) OR #rank < :rank",
                ExpressionAttributeNames={"#rank": "rank"},
                ExpressionAttributeValues=item_of({":rank": rank(mine)}),
            )

    def newest(self) -> str | None:
        with translated(f"the table {self._table}"):
            found = self._client.get_item(TableName=self._table, Key=item_of(_KEY))
        return plain_of(found.get("Item", {})).get("version")
