"""Records of a version that noted no lanes with their project and marked nobody in trouble: the first sweep does it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.project_row import behind_item, project_from
from webordinary.engines.aws.dynamodb.reading import LAYOUT_KEY
from webordinary.engines.aws.dynamodb.records import DEAD, PROJECT, PROPOSAL, SCHEDULE, lanes_kind
from webordinary.engines.aws.faults import Stale, translated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.items import Item
    from webordinary.engines.aws.dynamodb.store import DynamoStore


def note_what_was_not_noted(store: DynamoStore, now: Moment) -> None:
    """Read everything once, and never again; doing it twice is harmless."""
    if store.notes_lanes:
        return
    for item in _unmarked(store):
        with suppress(Stale), translated(f"the table {store.names.records}"):
            _mark(store, item, now)
    with translated(f"the table {store.names.records}"):
        for item in _notes(store, now):
            store.client.put_item(TableName=store.names.records, Item=item)
        store.client.put_item(TableName=store.names.records, Item=item_of(LAYOUT_KEY))


def _notes(store: DynamoStore, now: Moment) -> Iterator[Item]:
    for row in store.lanes():
        yield item_of({"kind": lanes_kind(row.project), "id": row.lane})
    for item in store.query(store.names.records, "kind", PROJECT):
        if project_from(plain_of(item)).paused is not None:
            yield behind_item(item["id"]["S"], now)


def _unmarked(store: DynamoStore) -> Iterator[Item]:
    for kind in (PROJECT, DEAD, PROPOSAL, SCHEDULE):
        for item in store.query(store.names.records, "kind", kind):
            if _needs_mark(kind, item) and "dueMark" not in item:
                yield item


def _needs_mark(kind: str, item: Item) -> bool:
    row = plain_of(item)
    match kind:
        case "project":
            return row.get("paused") is not None or row.get("failures", 0) > 1
        case "proposal":
            return bool(row["standing"] == "open")
        case "schedule":
            return "closedAt" not in row
        case _:
            return True


def _mark(store: DynamoStore, item: Item, now: Moment) -> None:
    """Mark it, unless somebody has changed or removed it meanwhile, who then has marked it."""
    store.client.update_item(
        TableName=store.names.records,
        Key={"kind": item["kind"], "id": item["id"]},
        UpdateExpression="SET #mark = if_not_exists(#mark, :mark), #at = if_not_exists(#at, :now)",
        ConditionExpression="attribute_exists(#kind)",
        ExpressionAttributeNames={"#mark": "dueMark", "#at": "dueAt", "#kind": "kind"},
        ExpressionAttributeValues=item_of({":mark": item["kind"]["S"], ":now": now.seconds}),
    )
