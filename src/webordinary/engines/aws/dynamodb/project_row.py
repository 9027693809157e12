"""The record of a project's health: how many jobs in a row have failed, and whether it is paused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.dispatch.breaker import ProjectRow
from webordinary.engines.aws.dynamodb.conditions import condition_of
from webordinary.engines.aws.dynamodb.items import Item, item_of, plain_of
from webordinary.engines.aws.dynamodb.records import BEHIND, PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.store import DynamoStore


def project_key(project: str) -> Item:
    return item_of({"kind": PROJECT, "id": project})


def read_project(store: DynamoStore, project: str) -> ProjectRow:
    item = store.item(store.names.records, {"kind": PROJECT, "id": project})
    return project_from(plain_of(item)) if item else ProjectRow(project)


def project_from(row: dict[str, Any]) -> ProjectRow:
    return ProjectRow(row["id"], row.get("failures", 0), row.get("paused"), row.get("pausedAt", 0))


def project_writes(table: str, after: ProjectRow, seen: ProjectRow, now: Moment) -> Iterator[dict[str, Any]]:
    """Return the writes of a project's row, if it is still as it was seen, and of its lanes' duty to follow it."""
    paused_at = after.paused_at if after.paused is not None else None
    item = item_of(
        {
            "kind": PROJECT,
            "id": after.project,
            "failures": after.failures,
            "paused": after.paused,
            "pausedAt": paused_at,
            # Only who is in trouble is looked for, and not all projects for that.
            "dueMark": PROJECT if after.paused is not None or after.failures > 1 else None,
            "dueAt": now.seconds,
        }
    )
    pause = "attribute_not_exists(#paused)" if seen.paused is None else "#pausedAt = :pausedAt"
    failures = "#failures = :failures"
    if not seen.failures:
        failures = f"(attribute_not_exists(#failures) OR {failures})"
    values = {"pausedAt": seen.paused_at, "failures": seen.failures}
    yield {"Put": {"TableName": table, "Item": item, **condition_of(f"{pause} AND {failures}", values)}}
    if after.paused != seen.paused:
        yield {"Put": {"TableName": table, "Item": behind_item(after.project, now)}}


def behind_item(project: str, now: Moment) -> Item:
    """Return the note that lanes of a project may not be as paused as it is; the sweep looks, and takes it away."""
    return item_of({"kind": BEHIND, "id": project, "dueAt": now.seconds})


def forgiven(table: str, project: str) -> dict[str, Any]:
    """Return the write that begins to count anew, whatever was counted."""
    return {
        "TableName": table,
        "Key": project_key(project),
        "UpdateExpression": "SET #failures = :none",
        "ExpressionAttributeNames": {"#failures": "failures"},
        "ExpressionAttributeValues": item_of({":none": 0}),
    }
