"""The purse in DynamoDB."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from webordinary.engines.aws.faults import translated
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
        with translated(self._what):
            self._client.update_item(
                TableName=self._table,
                Key=item_of({"kind": SPENDING, "id": f"{lane.project}#{day.isoformat()}"}),
                UpdateExpression="ADD #all :usd, #user :usd SET #ttl = :ttl",
                ExpressionAttributeNames={"#all": "micro", "#user": f"micro#{lane.user}", "#ttl": "ttl"},
                # In whole millionths: sums of fractions would drift.
                ExpressionAttributeValues=item_of({":usd": round(usd * _MICRO), ":ttl": int((now + KEPT_FOR).seconds)}),
            )

    def spent(self, project: str, day: date, *, user: str | None = None) -> float:
        with translated(self._what):
            found = self._client.get_item(
                TableName=self._table,
                Key=item_of({"kind": SPENDING, "id": f"{project}#{day.isoformat()}"}),
                ConsistentRead=True,
            )
        row = plain_of(found.get("Item", {}))
        return float(Decimal(row.get(f"micro#{user}" if user else "micro", 0)) / _MICRO)
