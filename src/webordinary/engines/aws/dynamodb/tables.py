"""The tables, as tests and onboarding make them and as the infrastructure must declare them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.faults import translated

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.engines.aws.names import Names

# Deletes late, within days, and so collects garbage only: nothing is ever decided by it.
TIME_TO_LIVE = "ttl"

OWNER_INDEX = "containerId-index"
READY_INDEX = "ready-index"
TEND_INDEX = "tend-index"
JOB_INDEX = "job-index"
RECEIVED_INDEX = "received-index"
DUE_INDEX = "due-index"


@dataclass(frozen=True, slots=True)
class Index:
    """A second way to look; it lags behind, so it may start a look and never decides."""

    name: str
    hash: str
    range: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One table with its keys."""

    name: str
    hash: str
    range: str | None = None
    indexes: tuple[Index, ...] = ()
    # Whether DynamoDB deletes what is past its `ttl`.
    forgets: bool = True
    # Whether it is sealed with a key of its own, so that reading it needs a right of its own.
    is_sealed: bool = False


NUMBERS = {"sequence", "readySince", "tendAt", "receivedAt", "dueAt"}


def tables(names: Names) -> tuple[Table, ...]:
    """Return every table of an installation."""
    return (
        Table(
            names.ownership,
            "projectKey",
            indexes=(
                Index(OWNER_INDEX, "containerId"),
                # Sparse: lanes that wait for a worker, and owned ones with the end of their lease.
                Index(READY_INDEX, "readyMark", "readySince"),
                # Sparse: lanes with live jobs, and when the sweep should look at them.
                Index(TEND_INDEX, "tendMark", "tendAt"),
            ),
            # There it says until when a claim holds; the lane stays, for its fence must never begin again.
            forgets=False,
        ),
        Table(names.jobs, "projectUserId", "sequence", (Index(RECEIVED_INDEX, "jobMark", "receivedAt"),)),
        Table(
            names.records,
            "kind",
            "id",
            (
                Index(DUE_INDEX, "dueMark", "dueAt"),
                Index(RECEIVED_INDEX, "kind", "receivedAt"),
                # Sparse: entries of the trail that are about a job.
                Index(JOB_INDEX, "trailJob", "id"),
            ),
        ),
        Table(names.threads, "threadId"),
        Table(names.projects, "id"),
        Table(names.interruptions, "messageId"),
        Table(names.secrets, "name", is_sealed=True),
    )


def create_tables(client: DynamoDBClient, names: Names) -> None:
    """Make the tables that are not there yet."""
    with translated("the tables"):
        for table in tables(names):
            try:
                made = client.create_table(**definition(table))
            except client.exceptions.ResourceInUseException:
                continue
            if made["TableDescription"].get("TableStatus") != "ACTIVE":
                client.get_waiter("table_exists").wait(TableName=table.name)
            if table.forgets:
                client.update_time_to_live(
                    TableName=table.name,
                    TimeToLiveSpecification={"Enabled": True, "AttributeName": TIME_TO_LIVE},
                )


def definition(table: Table) -> dict[str, Any]:
    """Return a table as CreateTable wants it."""
    keys = [table.hash, table.range, *(key for index in table.indexes for key in (index.hash, index.range))]
    indexes = [
        {
            "IndexName": index.name,
            "KeySchema": _key_schema(index.hash, index.range),
            "Projection": {"ProjectionType": "ALL"},
        }
        for index in table.indexes
    ]
    made: dict[str, Any] = {
        "TableName": table.name,
        "KeySchema": _key_schema(table.hash, table.range),
        "AttributeDefinitions": [
            {"AttributeName": key, "AttributeType": "N" if key in NUMBERS else "S"}
            for key in dict.fromkeys(keys)
            if key is not None
        ],
        "BillingMode": "PAY_PER_REQUEST",
    }
    return {**made, "GlobalSecondaryIndexes": indexes} if indexes else made


def _key_schema(hash_key: str, range_key: str | None) -> list[dict[str, str]]:
    schema = [{"AttributeName": hash_key, "KeyType": "HASH"}]
    return [*schema, {"AttributeName": range_key, "KeyType": "RANGE"}] if range_key else schema
