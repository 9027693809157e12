"""The sweep on AWS: which lanes are due for a look, those who wait are spoken for, and answers are sent again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webordinary.dispatch.store import Rounds
from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.lane_row import TEND_MARK, VersionedLane, lane_from
from webordinary.engines.aws.dynamodb.project_row import project_from
from webordinary.engines.aws.dynamodb.reading import MOST_AT_ONCE
from webordinary.engines.aws.dynamodb.records import OWED, PROJECT
from webordinary.engines.aws.dynamodb.tables import TEND_INDEX
from webordinary.engines.aws.faults import translated
from webordinary.metrics.meter import Metric

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.store import DynamoStore


@dataclass(slots=True)
class TendingRounds(Rounds):
    """Also the lanes in which nobody beats for those who wait."""

    due: list[VersionedLane] = field(default_factory=list)


def look_around(store: DynamoStore, now: Moment) -> TendingRounds:
    """Look only at lanes with live jobs that are due for it; the others cost nothing."""
    due = [row for row in _due_lanes(store, now) if row.tend_at <= now.seconds]
    paused = _paused(store) if due else {}
    return TendingRounds(
        overdue=[row.lane for row in due if row.overdue_at is not None and row.overdue_at <= now.seconds],
        # Half a pause, or half its end.
        behind=[row.lane for row in due if row.paused != paused.get(row.project)],
        waiting=[row.lane for row in store.candidates() if row.is_ready(now) or row.has_lapsed(now)],
        due=due,
    )


def tidy_up(store: DynamoStore, rounds: Rounds, now: Moment) -> int:
    """Beat for those who wait, and answer the flow where an answer was recorded and not sent."""
    if rounds.failed:
        store.meter.record(Metric.TIMEOUTS, rounds.failed)
    for row in rounds.due if isinstance(rounds, TendingRounds) else ():
        _beat_for_those_who_wait(store, row, now)
        _note_tending(store, row, now)
    return store.post_owed(store.query(store.names.records, "kind", OWED))


def _due_lanes(store: DynamoStore, now: Moment) -> list[VersionedLane]:
    request: dict[str, Any] = {
        "TableName": store.names.ownership,
        "IndexName": TEND_INDEX,
        "KeyConditionExpression": "#mark = :mark AND #at <= :now",
        "ExpressionAttributeNames": {"#mark": "tendMark", "#at": "tendAt"},
        "ExpressionAttributeValues": item_of({":mark": TEND_MARK, ":now": now.seconds}),
        "Limit": MOST_AT_ONCE,
    }
    with translated(f"the table {store.names.ownership}"):
        return [lane_from(item) for item in store.client.query(**request)["Items"]]


def _paused(store: DynamoStore) -> dict[str, str | None]:
    rows = (project_from(plain_of(item)) for item in store.query(store.names.records, "kind", PROJECT))
    return {row.project: row.paused for row in rows}


def _beat_for_those_who_wait(store: DynamoStore, lane: VersionedLane, now: Moment) -> None:
    """Beat for every job that no owner beats for: the flow's patience runs from the first moment on."""
    if not store.flow.is_open:
        return
    for row in store.live_jobs(lane.lane).values():
        if row.id != lane.running or not lane.is_owned(now):
            store.is_waited_for(row, now)


def _note_tending(store: DynamoStore, row: VersionedLane, now: Moment) -> None:
    """Let others have their turn; a concurrent writer of the lane may ask for more, which is harmless."""
    row.tended_at = now.seconds
    row.plan_tending(store.tend_every)
    with translated(f"the table {store.names.ownership}"):
        store.client.update_item(
            TableName=store.names.ownership,
            Key=item_of({"projectKey": row.lane}),
            UpdateExpression="SET #tended = :now, #at = :again",
            ExpressionAttributeNames={"#tended": "tendedAt", "#at": "tendAt"},
            ExpressionAttributeValues=item_of({":now": now.seconds, ":again": row.tend_at}),
        )
