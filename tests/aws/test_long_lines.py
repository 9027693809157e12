"""A lane in which a thousand jobs wait costs what one with ten costs; counted in requests and items, not in time."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.contracts.long_lines import QUEUE, costs_of_all
from tests.rigs.aws_ports import aws_clients, open_aws_ports
from webordinary.dispatch.lanes import StoredLanes
from webordinary.engines.aws.dynamodb.items import item_of
from webordinary.engines.aws.dynamodb.rows import JOB_MARK, job_item, places_of
from webordinary.engines.aws.dynamodb.store import DynamoStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.rigs.ports import Ports

LANE = "amelia#scott"
MANY = 1_000
_AT_ONCE = 25


def store_of(ports: Ports) -> DynamoStore:
    assert isinstance(ports.engine.lanes, StoredLanes)
    store = ports.engine.lanes._store  # noqa: SLF001 - the rig makes it up
    assert isinstance(store, DynamoStore)
    return store


def let_wait(ports: Ports, waiting: int) -> None:
    """Put many copies of the lane's only job behind it, as if each had been accepted."""
    store = store_of(ports)
    (first,) = store.live_jobs(LANE).values()
    copies = [replace(first, id=f"copy-{number}", sequence=number) for number in range(2, waiting + 1)]
    items = [item for row in copies for item in (job_item(row, JOB_MARK), *_places(row))]
    for at in range(0, len(items), _AT_ONCE):
        puts = [{"PutRequest": {"Item": item}} for item in items[at : at + _AT_ONCE]]
        store.client.batch_write_item(RequestItems={store.names.jobs: puts})  # type: ignore[dict-item]  # the driver's own dictionary type is closed
    store.client.update_item(
        TableName=store.names.ownership,
        Key=item_of({"projectKey": LANE}),
        UpdateExpression="SET #pending = :count, #next = :next",
        ExpressionAttributeNames={"#pending": "pending", "#next": "nextSequence"},
        ExpressionAttributeValues=item_of({":count": waiting, ":next": waiting + 1}),
    )


def _places(row: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - a row
    for key in places_of(row):
        yield item_of({**key, "jobId": row.id})


@contextmanager
def counted() -> Iterator[Callable[[Callable[[], object]], int]]:
    """Count the requests to DynamoDB, and every item that one has looked at."""
    events, total = aws_clients().dynamodb.meta.events, 0
    # What earlier tests have left running asks too.
    here = threading.get_ident()

    def note(parsed: dict[str, Any], **_: object) -> None:
        nonlocal total
        if threading.get_ident() != here:
            return
        total += 1 + int(parsed.get("ScannedCount", 0)) + sum(map(len, parsed.get("Responses", {}).values()))

    def cost(act: Callable[[], object]) -> int:
        before = total
        act()
        return total - before

    events.register("after-call.dynamodb", note)
    try:
        yield cost
    finally:
        events.unregister("after-call.dynamodb", note)


@pytest.mark.thorough
def test_a_thousand_waiting_jobs_cost_what_ten_cost(tmp_path: Path) -> None:
    costs = {}
    for waiting in (10, MANY):
        ports = open_aws_ports(tmp_path / str(waiting))
        ports.queue(rule=QUEUE)
        let_wait(ports, waiting)
        with counted() as cost:
            costs[waiting] = costs_of_all(ports, cost)
        # The flow wants to hear from time to time of every single job that waits.
        del costs[waiting]["sweep"]
    assert costs[MANY] == costs[10]
