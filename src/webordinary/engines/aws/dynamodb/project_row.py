"""The record of a project's health: how many jobs in a row have failed, and whether it is paused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.dispatch.breaker import ProjectRow
from webordinary.engines.aws.dynamodb.conditions import condition_of
from webordinary.engines.aws.dynamodb.items import Item, item_of, plain_of
from webordinary.engines.aws.dynamodb.records import PROJECT

if TYPE_CHECKING:
    from webordinary.engines.aws.dynamodb.store import DynamoStore


def project_key(project: str) -> Item:
    return item_of({"kind": PROJECT, "id": project})


def read_project(store: DynamoStore, project: str) -> ProjectRow:
    item = store.item(store.names.records, {"kind": PROJECT, "id": project})
    return project_from(plain_of(item)) if item else ProjectRow(project)


def project_from(row: dict[str, Any]) -> ProjectRow:
    return ProjectRow(row["id"], row.get("failures", 0), row.get("paused"), row.get("pausedAt", 0))


def project_put(table: str, after: ProjectRow, seen: ProjectRow) -> dict[str, Any]:
    """Return the write of a project's row, if it is still as it was seen."""
    paused_at = after.paused_at if after.paused is not None else None
    item = item_of(
        {
            "kind": PROJECT,
            "id": after.project,
            "failures": after.failures,
            "paused": after.paused,
            "pausedAt": paused_at,
        }
    )
    pause = "attribute_not_exists(#paused)" if seen.paused is None else "#pausedAt = :pausedAt"
    failures = "#failures = :failures"
    if not seen.failures:
        failures = f"(attribute_not_exists(#failures) OR {failures})"
    values = {"pausedAt": seen.paused_at, "failures": seen.failures}
    return {"Put": {"TableName": table, "Item": item, **condition_of(f"{pause} AND {failures}", values)}}


def forgiven(table: str, project: str) -> dict[str, Any]:
    """Return the write that begins to count anew, whatever was counted."""
    return {
        "TableName": table,
        "Key": project_key(project),
        "UpdateExpression": "SET #failures = :none",
        "ExpressionAttributeNames": {"#failures": "failures"},
        "ExpressionAttributeValues": item_of({":none": 0}),
    }
