"""The sweep on AWS: which lanes are due for a look, and answers that were recorded and not sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from webordinary.dispatch.store import Rounds
from webordinary.engines.aws.dynamodb.earlier_layout import note_what_was_not_noted
from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.records import BEHIND, OWED
from webordinary.engines.aws.dynamodb.shards import MANY
from webordinary.engines.aws.faults import Stale, translated
from webordinary.metrics.meter import Metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.lane_row import VersionedLane
    from webordinary.engines.aws.dynamodb.store import DynamoStore

MOST_RUNG = 200


@dataclass(slots=True)
class FollowingRounds(Rounds):
    """Also the notes by which the lanes that are behind were found."""

    notes: list[dict[str, Any]] = field(default_factory=list)


def look_around(store: DynamoStore, now: Moment) -> FollowingRounds:
    """Look only at lanes in which something is due; the others cost nothing, however many wait."""
    note_what_was_not_noted(store, now)
    due = list(store.live_lanes(until=now.seconds))
    overdue = [row.lane for row in due if row.overdue_at is not None and row.overdue_at <= now.seconds]
    for row in due:
        if row.lane not in overdue:
            _plan_again(store, row, now)
    notes = [plain_of(item) for item in store.query(store.names.records, "kind", BEHIND)]
    return FollowingRounds(
        overdue=overdue,
        # Half a pause, or half its end.
        behind=[lane for note in notes for lane in store.lanes_behind(note["id"])],
        waiting=_to_be_rung(store, now),
        notes=notes,
    )


def tidy_up(store: DynamoStore, rounds: Rounds, now: Moment) -> int:  # noqa: ARG001 - as every store's
    """Forget who has followed, and answer the flow where an answer was recorded and not sent."""
    if rounds.failed:
        store.meter.record(Metric.TIMEOUTS, rounds.failed)
    for note in rounds.notes if isinstance(rounds, FollowingRounds) else ():
        _forget(store, note)
    return store.post_owed(store.query(store.names.records, "kind", OWED))


def _to_be_rung(store: DynamoStore, now: Moment) -> list[str]:
    """Return lanes for which somebody is called again, should the first call be lost: as many as there may be idle.

    Whoever works looks for itself who else waits, so nobody is forgotten. Where so many wait, much happens.
    """
    # Also beyond now: who waited when the clock was set back stands among the owners, where no worker looks.
    found = list(islice(_without_owner(store.active_lanes(), now), MOST_RUNG))
    if len(found) < MOST_RUNG:
        return found
    if store.names.shards.count < MANY:
        store.use_many_keys()
    # Those must not be hidden by the many who stand before them.
    return list(dict.fromkeys((*found, *islice(_without_owner(store.owned_lanes(now), now), MOST_RUNG))))


def _without_owner(lanes: Iterable[VersionedLane], now: Moment) -> Iterator[str]:
    return (row.lane for row in lanes if row.is_ready(now) or row.has_lapsed(now))


def _plan_again(store: DynamoStore, row: VersionedLane, now: Moment) -> None:
    """Let a lane rest that an earlier version has marked for a look at those who merely wait."""
    seen = row.tend_at
    row.plan_tending(now.seconds)
    try:
        with translated(f"the table {store.names.ownership}"):
            store.client.update_item(
                TableName=store.names.ownership,
                Key=item_of({"projectKey": row.lane}),
                UpdateExpression="SET #at = :again",
                ConditionExpression="#at = :seen AND #version = :version",
                ExpressionAttributeNames={"#at": "tendAt", "#version": "version"},
                ExpressionAttributeValues=item_of({":again": row.tend_at, ":seen": seen, ":version": row.version}),
            )
    except Stale:
        # Somebody has written the lane, and with it when it is to be looked at.
        return


def _forget(store: DynamoStore, note: dict[str, Any]) -> None:
    """Take a note away that nobody has renewed meanwhile."""
    try:
        with translated(f"the table {store.names.records}"):
            store.client.delete_item(
                TableName=store.names.records,
                Key=item_of({"kind": BEHIND, "id": note["id"]}),
                ConditionExpression="#at = :seen",
                ExpressionAttributeNames={"#at": "dueAt"},
                ExpressionAttributeValues=item_of({":seen": note["dueAt"]}),
            )
    except Stale:
        return
