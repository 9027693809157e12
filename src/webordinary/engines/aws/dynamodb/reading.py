"""What the tables hold: reads are consistent where something is decided by them; an index only says where to look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.dynamodb.items import Item, item_of, plain_of
from webordinary.engines.aws.dynamodb.lane_row import READY_MARK, VersionedLane, lane_from
from webordinary.engines.aws.dynamodb.records import CALLBACK, token_id
from webordinary.engines.aws.dynamodb.rows import job_from, pointer_key
from webordinary.engines.aws.dynamodb.tables import OWNER_INDEX, READY_INDEX
from webordinary.engines.aws.faults import translated
from webordinary.errors import TryAgain
from webordinary.jobs.callbacks import Callback

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.lane import LaneRow
    from webordinary.engines.aws.names import Names

# Of what waits, the oldest; the others' turn comes as soon as these are taken.
MOST_AT_ONCE = 200
_TRIES = 12


class DynamoReader:
    """Looks into the tables of one installation."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self.client = client
        self.names = names

    def lane(self, lane: str) -> VersionedLane | None:
        item = self.item(self.names.ownership, {"projectKey": lane})
        return lane_from(item) if item else None

    def lanes(self) -> Iterator[VersionedLane]:
        """Return every lane; there are as many as editors, which is few."""
        with translated(self.names.ownership):
            pages = self.client.get_paginator("scan").paginate(TableName=self.names.ownership, ConsistentRead=True)
            for page in pages:
                yield from map(lane_from, page["Items"])

    def lanes_of(self, worker: str) -> list[str]:
        found = self.query(self.names.ownership, "containerId", worker, index=OWNER_INDEX)
        return [lane_from(item).lane for item in found]

    def lanes_behind(self, project: str) -> list[str]:
        return [row.lane for row in self.lanes() if row.project == project]

    def live_jobs(self, lane: str) -> dict[str, JobRow]:
        """Return the live jobs of a lane in the order of their sequence; what is over stands elsewhere."""
        found = self.query(self.names.jobs, "projectUserId", lane)
        return {row.id: row for row in map(job_from, found)}

    def find(self, job: str) -> JobRow | None:
        """Return a job by its id, live or over."""
        for _ in range(2):
            place = self.place(job)
            if place is None or not isinstance(place, tuple):
                return place
            lane, sequence = place
            item = self.item(self.names.jobs, {"projectUserId": lane, "sequence": sequence})
            if item is not None:
                return job_from(item)
            # It ended between the two looks.
        return None

    def place(self, job: str) -> JobRow | tuple[str, int] | None:
        """Return the lane and the sequence of a job that lives, and all of one that is over."""
        pointer = self.item(self.names.jobs, pointer_key(job))
        if pointer is None or "state" in pointer:
            return job_from(pointer) if pointer else None
        values = plain_of(pointer)
        return values["lane"], values["place"]

    def candidates(self, *, besides: str = "") -> list[VersionedLane]:
        """Return lanes that wait, those for longest first, or are owned; the index may be a moment behind."""
        items = self.query(self.names.ownership, "readyMark", READY_MARK, index=READY_INDEX, limit=MOST_AT_ONCE)
        return [row for row in map(lane_from, items) if row.lane != besides]

    def running(self, row: LaneRow, job: str) -> JobRow | None:
        if row.running != job or not isinstance(row, VersionedLane):
            return None
        item = self.item(self.names.jobs, {"projectUserId": row.lane, "sequence": row.running_sequence})
        return job_from(item) if item else None

    def callback(self, token: str) -> Callback | None:
        item = self.item(self.names.records, {"kind": CALLBACK, "id": token_id(token)})
        if item is None:
            return None
        row = plain_of(item)
        return Callback(row["job"], row.get("answer"), row.get("output", ""))

    def item(self, table: str, key: Mapping[str, Any]) -> Item | None:
        with translated(f"the table {table}"):
            return self.client.get_item(TableName=table, Key=item_of(key), ConsistentRead=True).get("Item")

    def items(self, *wanted: tuple[str, Mapping[str, Any]]) -> list[Item | None]:
        """Read several items at once, each consistently; together they are only as consistent as what is written."""
        keys = [(table, item_of(key)) for table, key in wanted]
        asked: dict[str, Any] = {}
        for table, key in keys:
            asked.setdefault(table, {"Keys": [], "ConsistentRead": True})["Keys"].append(key)
        found: list[tuple[str, Item]] = []
        for _ in range(_TRIES):
            with translated("a lane"):
                answer = self.client.batch_get_item(RequestItems=asked)
            found += [(table, item) for table, items in answer["Responses"].items() for item in items]
            asked = dict(answer["UnprocessedKeys"])
            if not asked:
                return [_matching(found, table, key) for table, key in keys]
        raise TryAgain("AWS is too busy to read a lane")

    def query(
        self, table: str, key: str, value: str, *, index: str | None = None, limit: int | None = None
    ) -> list[Item]:
        """Return every item under one hash key, or the first of them, in the order of its range key."""
        request: dict[str, Any] = {
            "TableName": table,
            "KeyConditionExpression": "#key = :key",
            "ExpressionAttributeNames": {"#key": key},
            "ExpressionAttributeValues": item_of({":key": value}),
        }
        request |= {"IndexName": index} if index else {"ConsistentRead": True}
        with translated(f"the table {table}"):
            if limit is not None:
                return list(self.client.query(**request, Limit=limit)["Items"])
            pages = self.client.get_paginator("query").paginate(**request)
            return [item for page in pages for item in page["Items"]]


def _matching(found: Iterable[tuple[str, Item]], table: str, key: Item) -> Item | None:
    return next((item for where, item in found if where == table and key.items() <= item.items()), None)
