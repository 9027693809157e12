"""The trail in DynamoDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.items import item_of
from webordinary.engines.aws.records import TRAIL, entry_from, padded, trail_item

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.audit.entry import Entry
    from webordinary.engines.aws.items import Item
    from webordinary.engines.aws.names import Names

_MOST_DELETED = 25


class DynamoTrail:
    """Entries by number, which comes from the clock and only grows in each process."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records
        self._what = f"the table {names.records}"

    def record(self, entry: Entry) -> None:
        with translated(self._what):
            self._client.put_item(TableName=self._table, Item=trail_item(entry))

    def read(
        self, *, after: int = 0, limit: int = 1000, job: str | None = None, lane: str | None = None
    ) -> Sequence[Entry]:
        return self._first(self._pages(after, {"job": job, "lane": lane}), limit)

    def newest(self, *, limit: int, job: str | None = None, lane: str | None = None) -> Sequence[Entry]:
        return self._first(self._pages(0, {"job": job, "lane": lane}, newest_first=True), limit)[::-1]

    def last_number(self) -> int:
        with translated(self._what):
            answer = self._client.query(**self._query(0), ScanIndexForward=False, Limit=1)
        return entry_from(answer["Items"][0]).number if answer["Items"] else 0

    def forget_before(self, at: datetime) -> int:
        """Drop what is too old, from the oldest on; entries stand nearly in the order of their times."""
        forgotten = 0
        for page in self._pages(0, {}):
            old = [item for item in page if entry_from(item).at < at]
            for first in range(0, len(old), _MOST_DELETED):
                self._delete(old[first : first + _MOST_DELETED])
            forgotten += len(old)
            if len(old) < len(page):
                break
        return forgotten

    @staticmethod
    def _first(pages: Iterator[list[Item]], limit: int) -> list[Entry]:
        """Read no more pages than are wanted."""
        entries: list[Entry] = []
        for page in pages:
            entries.extend(entry_from(item) for item in page)
            if len(entries) >= limit:
                break
        return entries[:limit]

    def _query(self, after: int) -> dict[str, Any]:
        return {
            "TableName": self._table,
            "KeyConditionExpression": "#kind = :kind AND #id > :after",
            "ExpressionAttributeNames": {"#kind": "kind", "#id": "id"},
            "ExpressionAttributeValues": item_of({":kind": TRAIL, ":after": padded(after)}),
            "ConsistentRead": True,
        }

    def _pages(
        self, after: int, wanted: Mapping[str, str | None], *, newest_first: bool = False
    ) -> Iterator[list[Item]]:
        query = self._query(after) | {"ScanIndexForward": not newest_first}
        asked = {name: value for name, value in wanted.items() if value is not None}
        if asked:
            query["FilterExpression"] = " AND ".join(f"#{name} = :{name}" for name in asked)
            query["ExpressionAttributeNames"] |= {f"#{name}": name for name in asked}
            query["ExpressionAttributeValues"] |= item_of({f":{name}": value for name, value in asked.items()})
        with translated(self._what):
            for page in self._client.get_paginator("query").paginate(**query):
                yield page["Items"]

    def _delete(self, items: list[Item]) -> None:
        keys = [{"kind": item["kind"], "id": item["id"]} for item in items]
        asked: dict[str, Any] = {self._table: [{"DeleteRequest": {"Key": key}} for key in keys]}
        with translated(self._what):
            while asked:
                asked = self._client.batch_write_item(RequestItems=asked)["UnprocessedItems"]
