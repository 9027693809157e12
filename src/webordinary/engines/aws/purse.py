"""The purse in DynamoDB."""

from __future__ import annotations

import secrets
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.faults import Stale, Unknown, translated
from webordinary.engines.aws.items import item_of, plain_of
from webordinary.engines.aws.records import KEPT_FOR, SPENDING

if TYPE_CHECKING:
    from datetime import date

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.names import Names
    from webordinary.routing.lane import Lane

_MICRO = 1_000_000


class DynamoPurse:
    """One item for each project and day, with the sum and each user's part in it."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records
        self._what = f"the table {names.records}"

    def spend(self, lane: Lane, day: date, usd: float, now: Moment) -> None:
        mark = secrets.token_hex(8)
        values: dict[str, str | int] = {
            ":usd": round(usd * _MICRO),
            ":ttl": int((now + KEPT_FOR).seconds),
            ":mark": mark,
        }
        names = {"#all": "micro", "#user": f"micro#{lane.user}", "#mark": f"mark#{lane.user}", "#ttl": "ttl"}
        try:
            with translated(self._what):
                self._client.update_item(
                    TableName=self._table,
                    Key=_key(lane.project, day),
                    UpdateExpression="ADD #all :usd, #user :usd SET #ttl = :ttl, #mark = :mark",
                    # The driver repeats what was not answered, and a lane pays for one job at a time: its own mark
                    # stands there exactly when this was paid.
                    ConditionExpression="attribute_not_exists(#mark) OR #mark <> :mark",
                    ExpressionAttributeNames=names,
                    # In whole millionths: sums of fractions would drift.
                    ExpressionAttributeValues=item_of(values),
                )
        except Stale:
            return
        except Unknown:
            if self._row(lane.project, day).get(names["#mark"]) != mark:
                raise

    def spent(self, project: str, day: date, *, user: str | None = None) -> float:
        row = self._row(project, day)
        return float(Decimal(row.get(f"micro#{user}" if user else "micro", 0)) / _MICRO)

    def _row(self, project: str, day: date) -> dict[str, Any]:
        with translated(self._what):
            found = self._client.get_item(TableName=self._table, Key=_key(project, day), ConsistentRead=True)
        return plain_of(found.get("Item", {}))


def _key(project: str, day: date) -> Any:  # noqa: ANN401 - the driver's own nested dictionaries
    return item_of({"kind": SPENDING, "id": f"{project}#{day.isoformat()}"})
