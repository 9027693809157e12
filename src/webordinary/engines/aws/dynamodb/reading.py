"""What the tables hold: reads are consistent where something is decided by them; an index only says where to look."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.dynamodb.items import Item, item_of, plain_of
from webordinary.engines.aws.dynamodb.lane_row import READY_MARK, TEND_MARK, VersionedLane, lane_from
from webordinary.engines.aws.dynamodb.records import CALLBACK, LAYOUT, callback_kind, lanes_kind, token_id
from webordinary.engines.aws.dynamodb.rows import job_from, pointer_key
from webordinary.engines.aws.dynamodb.tables import DUE_INDEX, OWNER_INDEX, READY_INDEX, TEND_INDEX
from webordinary.engines.aws.faults import translated
from webordinary.errors import TryAgain
from webordinary.jobs.callbacks import Callback

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.lane import LaneRow
    from webordinary.engines.aws.names import Names

# Of what waits, the oldest; the others' turn comes as soon as these are taken.
_READ_BY_A_CLAIM = 10
_TRIES = 12
# Later than anything is due.
_FAR_AHEAD = 1e12
LAYOUT_KEY = {"kind": LAYOUT, "id": "lanes"}
SHARDS_KEY = {"kind": LAYOUT, "id": "shards"}


@dataclass(frozen=True, slots=True)
class _Span:
    """A part of one key of an index of lanes."""

    key: str
    since: float = -_FAR_AHEAD
    until: float = _FAR_AHEAD
    index: str = READY_INDEX
    mark: str = "readyMark"
    at: str = "readySince"


_Ready = _Span
_Live = partial(_Span, index=TEND_INDEX, mark="tendMark", at="tendAt")


class DynamoReader:
    """Looks into the tables of one installation."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self.client = client
        self.names = names
        self._notes_lanes = False
        names.shards.look_up = self._look_up_shards

    def lane(self, lane: str) -> VersionedLane | None:
        item = self.item(self.names.ownership, {"projectKey": lane})
        return lane_from(item) if item else None

    def lanes(self) -> Iterator[VersionedLane]:
        """Return every lane: for a list that a person looks at, and never for a mail or a sweep."""
        with translated(self.names.ownership):
            pages = self.client.get_paginator("scan").paginate(TableName=self.names.ownership, ConsistentRead=True)
            for page in pages:
                yield from map(lane_from, page["Items"])

    def lanes_of(self, worker: str) -> list[str]:
        found = self.query(self.names.ownership, "containerId", worker, index=OWNER_INDEX)
        return [lane_from(item).lane for item in found]

    def lanes_behind(self, project: str) -> list[str]:
        if not self.notes_lanes:
            return [row.lane for row in self.lanes() if row.project == project]
        return [str(plain_of(item)["id"]) for item in self.query(self.names.records, "kind", lanes_kind(project))]

    def _look_up_shards(self) -> int:
        found = self.item(self.names.records, SHARDS_KEY)
        return int(plain_of(found)["count"]) if found else 1

    @property
    def notes_lanes(self) -> bool:
        """Whether every lane is noted with its project: the first sweep of this version does that for all."""
        self._notes_lanes = self._notes_lanes or self.item(self.names.records, LAYOUT_KEY) is not None
        return self._notes_lanes

    def marked(self, mark: str, *, since: float = 0, until: float = _FAR_AHEAD) -> Iterator[Item]:
        """Return what is marked in the records, the oldest first; the index may be a moment behind."""
        with translated(f"the table {self.names.records}"):
            pages = self.client.get_paginator("query").paginate(
                TableName=self.names.records,
                IndexName=DUE_INDEX,
                KeyConditionExpression="#mark = :mark AND #at BETWEEN :since AND :until",
                ExpressionAttributeNames={"#mark": "dueMark", "#at": "dueAt"},
                ExpressionAttributeValues=item_of({":mark": mark, ":since": since, ":until": until}),
            )
            for page in pages:
                yield from page["Items"]

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

    def free_lanes(self, now: Moment, *, besides: str = "") -> list[VersionedLane]:
        """Return lanes that may be taken, those who wait longest first; the index may be a moment behind.

        Of many keys, one in which somebody waits is enough: the one of the lane for which somebody was called.
        """
        for key in self.names.shards.keys(READY_MARK, first=self.first_looked_at):
            found: list[VersionedLane] = []
            for row in self._lanes(_Ready(key, until=now.seconds), _READ_BY_A_CLAIM):
                found += [row] if row.is_free(now) and row.lane != besides else []
                if len(found) >= _READ_BY_A_CLAIM:
                    break
            if found:
                return found
        return []

    @property
    def first_looked_at(self) -> str:
        """Return what tells with which of many keys a look begins: anything, so that not all begin with the same."""
        return secrets.token_hex(2)

    def waiting_lanes(self, now: Moment) -> Iterator[VersionedLane]:
        """Return every lane that waits or was left, and few others, page by page."""
        for key in self.names.shards.keys(READY_MARK):
            yield from self._lanes(_Ready(key, until=now.seconds))

    def owned_lanes(self, now: Moment) -> Iterator[VersionedLane]:
        """Return the lanes with a living owner, page by page; those that may be half published are not among them."""
        for key in self.names.shards.keys(READY_MARK):
            yield from self._lanes(_Ready(key, since=now.seconds))

    def active_lanes(self) -> Iterator[VersionedLane]:
        """Return every lane that waits or is owned, page by page."""
        for key in self.names.shards.keys(READY_MARK):
            yield from self._lanes(_Ready(key))

    def count_owned(self, now: Moment) -> int:
        """Count the lanes with a living owner, but not those that may be half published, without reading them."""
        owned = {
            "Select": "COUNT",
            "FilterExpression": "attribute_exists(containerId) AND leaseUntil > :since",
        }
        with translated(f"the table {self.names.ownership}"):
            count = 0
            for key in self.names.shards.keys(READY_MARK):
                query = self._query_of(_Ready(key, since=now.seconds)) | owned
                count += sum(page["Count"] for page in self.client.get_paginator("query").paginate(**query))
            return count

    def live_lanes(self, *, until: float = _FAR_AHEAD) -> Iterator[VersionedLane]:
        """Return every lane with live jobs, or only those that are due for a look by then."""
        for key in self.names.shards.keys(TEND_MARK):
            yield from self._lanes(_Live(key, until=until))

    def _lanes(self, span: _Span, at_once: int | None = None) -> Iterator[VersionedLane]:
        more: Any = {"PaginationConfig": {"PageSize": at_once}} if at_once else {}
        with translated(f"the table {self.names.ownership}"):
            for page in self.client.get_paginator("query").paginate(**self._query_of(span), **more):
                yield from map(lane_from, page["Items"])

    def _query_of(self, span: _Span) -> dict[str, Any]:
        return {
            "TableName": self.names.ownership,
            "IndexName": span.index,
            "KeyConditionExpression": "#mark = :mark AND #at BETWEEN :since AND :until",
            "ExpressionAttributeNames": {"#mark": span.mark, "#at": span.at},
            "ExpressionAttributeValues": item_of({":mark": span.key, ":since": span.since, ":until": span.until}),
        }

    def running(self, row: LaneRow, job: str) -> JobRow | None:
        if row.running != job or not isinstance(row, VersionedLane):
            return None
        item = self.item(self.names.jobs, {"projectUserId": row.lane, "sequence": row.running_sequence})
        return job_from(item) if item else None

    def callback(self, token: str) -> Callback | None:
        records, name = self.names.records, token_id(token)
        item = self.item(records, {"kind": callback_kind(token), "id": name})
        # An earlier version kept all of them under one key.
        item = item or self.item(records, {"kind": CALLBACK, "id": name})
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
