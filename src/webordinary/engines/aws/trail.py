"""The trail in DynamoDB."""

from __future__ import annotations

import logging
import threading
from heapq import merge
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import EventType
from webordinary.audit.log import log_entry
from webordinary.engines.aws.dynamodb.items import item_of
from webordinary.engines.aws.dynamodb.records import TRAIL, entry_from, padded, trail_item
from webordinary.engines.aws.dynamodb.tables import JOB_INDEX
from webordinary.engines.aws.faults import translated
from webordinary.errors import Misconfigured, TryAgain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.audit.entry import Entry
    from webordinary.engines.aws.dynamodb.items import Item
    from webordinary.engines.aws.names import Names

_MOST_AT_ONCE = 25
# Shorter than anybody who follows notices.
_TALK_SECONDS = 0.3

_log = logging.getLogger(__name__)


class DynamoTrail:
    """Entries by number, which comes from the clock and only grows in each process."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records
        self._what = f"the table {names.records}"
        self._shards = names.shards
        self._lock = threading.Lock()
        self._talk: list[Item] = []
        self._flush: threading.Timer | None = None

    def record(self, entry: Entry) -> None:
        """Write an entry; what an agent says may take a moment, because it says much in a row."""
        log_entry(entry)
        with self._lock:
            self._talk.append(trail_item(entry, self._shards))
            waits = entry.what == EventType.AGENT_SAID and len(self._talk) < _MOST_AT_ONCE
            if waits and self._flush is None:
                self._flush = threading.Timer(_TALK_SECONDS, self._write_talk_later)
                self._flush.daemon = True
                self._flush.start()
        if not waits:
            self._write_talk()

    def _write_talk_later(self) -> None:
        try:
            self._write_talk()
        except (TryAgain, Misconfigured):
            # Nobody waits for it any more, and nothing depends on an agent's words.
            _log.warning("what an agent said was not written down", exc_info=True)

    def _write_talk(self) -> None:
        with self._lock:
            talk, self._talk, self._flush = self._talk, [], None
        if len(talk) == 1:
            with translated(self._what):
                self._client.put_item(TableName=self._table, Item=talk[0])
        elif talk:
            self._write([{"PutRequest": {"Item": item}} for item in talk])

    def read(
        self, *, after: int = 0, limit: int = 1000, job: str | None = None, lane: str | None = None
    ) -> Sequence[Entry]:
        return self._first(self._pages(after, job=job, lane=lane), limit)

    def newest(
        self, *, limit: int, job: str | None = None, lane: str | None = None, before: int | None = None
    ) -> Sequence[Entry]:
        # Both ends belong to what is found.
        last = None if before is None else before - 1
        return self._first(self._pages(0, last, job, lane, newest_first=True), limit)[::-1]

    def last_number(self) -> int:
        with translated(self._what):
            queries = (self._query("kind", key, 0) for key in self._shards.keys(TRAIL))
            answers = [self._client.query(**query, ScanIndexForward=False, Limit=1)["Items"] for query in queries]
        return max((entry_from(items[0]).number for items in answers if items), default=0)

    def forget_before(self, at: datetime) -> int:
        """Drop what is too old, from the oldest on; entries stand nearly in the order of their times."""
        return sum(self._forget(self._items(self._query("kind", key, 0)), at) for key in self._shards.keys(TRAIL))

    def _forget(self, items: Iterator[Item], at: datetime) -> int:
        old = list(takewhile(lambda item: entry_from(item).at < at, items))
        for first in range(0, len(old), _MOST_AT_ONCE):
            self._delete(old[first : first + _MOST_AT_ONCE])
        return len(old)

    @staticmethod
    def _first(items: Iterator[Item], limit: int) -> list[Entry]:
        """Read no more pages than are wanted."""
        return [entry_from(item) for item in islice(items, limit)]

    def _pages(
        self,
        after: int,
        last: int | None = None,
        job: str | None = None,
        lane: str | None = None,
        *,
        newest_first: bool = False,
    ) -> Iterator[Item]:
        """Return what came after a number, in order; those of one job have an index, which may be a moment behind."""
        if job is not None:
            queries = [self._query("trailJob", job, after, last)]
        else:
            # What happened in one lane stands under one key, or under the first where it is from before.
            keys = self._shards.keys(TRAIL) if lane is None else dict.fromkeys((self._shards.key(TRAIL, lane), TRAIL))
            queries = [self._query("kind", key, after, last) for key in keys]
        found = [self._items(query, lane, newest_first=newest_first) for query in queries]
        return merge(*found, key=lambda item: item["id"]["S"], reverse=newest_first)

    def _query(self, key: str, value: str, after: int, last: int | None = None) -> dict[str, Any]:
        values = {":key": value, ":after": padded(after + 1 if last is not None else after)}
        query = {
            "TableName": self._table,
            "KeyConditionExpression": "#key = :key AND #id > :after",
            "ExpressionAttributeNames": {"#key": key, "#id": "id"},
            "ExpressionAttributeValues": item_of(values),
        }
        if last is not None:
            query["KeyConditionExpression"] = "#key = :key AND #id BETWEEN :after AND :last"
            query["ExpressionAttributeValues"] = item_of({**values, ":last": padded(last)})
        return {**query, "ConsistentRead": True} if key == "kind" else {**query, "IndexName": JOB_INDEX}

    def _items(self, query: dict[str, Any], lane: str | None = None, *, newest_first: bool = False) -> Iterator[Item]:
        query["ScanIndexForward"] = not newest_first
        if lane is not None:
            query["FilterExpression"] = "#lane = :lane"
            query["ExpressionAttributeNames"] |= {"#lane": "lane"}
            query["ExpressionAttributeValues"] |= item_of({":lane": lane})
        with translated(self._what):
            for page in self._client.get_paginator("query").paginate(**query):
                yield from page["Items"]

    def _delete(self, items: list[Item]) -> None:
        keys = [{"kind": item["kind"], "id": item["id"]} for item in items]
        self._write([{"DeleteRequest": {"Key": key}} for key in keys])

    def _write(self, requests: list[dict[str, Any]]) -> None:
        asked: dict[str, Any] = {self._table: requests}
        with translated(self._what):
            while asked:
                asked = self._client.batch_write_item(RequestItems=asked)["UnprocessedItems"]
