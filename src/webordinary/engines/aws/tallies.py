"""Tallies in DynamoDB: one item for each, with the set of what was noted in it."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.dynamodb.items import item_of
from webordinary.engines.aws.faults import Stale, translated
from webordinary.engines.stored_text import storable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.names import Names
    from webordinary.mail.tallies import TallyLimit

TALLY = "tally"
_KEPT_FOR = timedelta(days=3)


class DynamoTallies:
    """Adds to a set: what is in it already changes nothing."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records

    def note(self, thing: str, bounds: Sequence[TallyLimit], now: Moment) -> str | None:
        return next((bound.tally for bound in bounds if not self._has_room(bound, storable(thing), now)), None)

    def _has_room(self, bound: TallyLimit, thing: str, now: Moment) -> bool:
        try:
            with translated(f"the table {self._table}"):
                self._client.update_item(**tally_update(self._table, bound, thing, now))
        except Stale:
            return False
        return True

    def count(self, tally: str) -> int:
        with translated(f"the table {self._table}"):
            found = self._client.get_item(TableName=self._table, Key=_key(tally), ConsistentRead=True)
        return _size(found.get("Item", {}))

    def forget_before(self, now: Moment) -> None:
        """Nothing to do: the table forgets by itself."""


def tally_update(table: str, bound: TallyLimit, thing: str, now: Moment) -> dict[str, Any]:
    """Return the write that notes a thing, only if there is room or it is noted already."""
    return {
        "TableName": table,
        "Key": _key(bound.tally),
        "UpdateExpression": "ADD #things :thing SET #ttl = :ttl",
        "ConditionExpression": "attribute_not_exists(#things) OR contains(#things, :one) OR size(#things) < :most",
        "ExpressionAttributeNames": {"#things": "things", "#ttl": "ttl"},
        "ExpressionAttributeValues": {
            ":thing": {"SS": [thing]},
            **item_of({":one": thing, ":most": bound.most, ":ttl": int((now + _KEPT_FOR).seconds)}),
        },
    }


def _key(tally: str) -> Any:  # noqa: ANN401 - the driver's own nested dictionaries
    # Hashed: a name may hold an address, which may be longer than a key.
    return item_of({"kind": TALLY, "id": hashlib.sha256(tally.encode(errors="replace")).hexdigest()})


def _size(item: Any) -> int:  # noqa: ANN401 - the same
    return len(item.get("things", {}).get("SS", ()))
