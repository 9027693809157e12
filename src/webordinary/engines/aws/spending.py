"""Spending, kept in DynamoDB."""

from __future__ import annotations

import secrets
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.records import KEPT_FOR, SPENDING
from webordinary.engines.aws.faults import Stale, Unknown, translated
from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from datetime import date

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.names import Names
    from webordinary.jobs.spending import DayLimit, Payer

_MICRO = 1_000_000
_ALL = "micro"
# Each time somebody else of the project was quicker.
_TRIES = 20
# The driver repeats what was not answered, and a run writes one thing after the other: its own mark stands there
# exactly when this was written.
_NOT_YET = "(attribute_not_exists(#mark) OR #mark <> :mark)"
_FITS = "(attribute_not_exists(#all) OR #all <= :most) AND (attribute_not_exists(#user) OR #user <= :mostEach)"
_NO_LIMIT = 10**15


class DynamoSpending:
    """One item for each project and day, with the sum and each user's and each run's part in it."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records
        self._what = f"the table {names.records}"

    def reserve(self, payer: Payer, most: float, least: float, limit: DayLimit, now: Moment) -> float:
        asked, row = _micro(most), dict[str, Any]()
        whole, each = _micro(limit.usd), _NO_LIMIT if limit.usd_each is None else _micro(limit.usd_each)
        for _ in range(_TRIES):
            asked = min(asked, whole - int(row.get(_ALL, 0)), each - int(row.get(_part(payer.lane.user), 0)))
            if asked < max(_micro(least), 1):
                return 0.0
            in_the_way = self._add(payer, asked, now, fits={":most": whole - asked, ":mostEach": each - asked})
            if in_the_way is None:
                return asked / _MICRO
            row = in_the_way
        raise TryAgain(f"{self._what} is written by too many at once")

    def settle(self, payer: Payer, reserved: float, spent: float, now: Moment) -> None:
        self._add(payer, _micro(spent) - _micro(reserved), now)

    def _add(self, payer: Payer, micro: int, now: Moment, fits: dict[str, int] | None = None) -> dict[str, Any] | None:
        """Add to all sums at once; return the item as it is when it leaves no room for that, None when it was done."""
        mark, marked = secrets.token_hex(8), f"mark#{payer.lane.user}"
        values: dict[str, str | int] = {
            ":usd": micro,
            ":ttl": int((now + KEPT_FOR).seconds),
            ":mark": mark,
            **(fits or {}),
        }
        names = {"#all": _ALL, "#user": _part(payer.lane.user), "#run": _run(payer), "#mark": marked, "#ttl": "ttl"}
        try:
            with translated(self._what):
                self._client.update_item(
                    TableName=self._table,
                    Key=_key(payer.lane.project, payer.day),
                    UpdateExpression="ADD #all :usd, #user :usd, #run :usd SET #ttl = :ttl, #mark = :mark",
                    ConditionExpression=f"{_NOT_YET} AND {_FITS}" if fits else _NOT_YET,
                    ExpressionAttributeNames=names,
                    ExpressionAttributeValues=item_of(values),
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
        except Stale as stale:
            row = _seen(stale) or self._row(payer.lane.project, payer.day)
            return None if row.get(marked) == mark else row
        except Unknown:
            if self._row(payer.lane.project, payer.day).get(marked) != mark:
                raise
        return None

    def spent(self, project: str, day: date, *, user: str | None = None) -> float:
        return _usd(self._row(project, day).get(_part(user) if user else _ALL, 0))

    def spent_by(self, payer: Payer) -> float:
        return _usd(self._row(payer.lane.project, payer.day).get(_run(payer), 0))

    def _row(self, project: str, day: date) -> dict[str, Any]:
        with translated(self._what):
            found = self._client.get_item(TableName=self._table, Key=_key(project, day), ConsistentRead=True)
        return plain_of(found.get("Item", {}))


def _seen(stale: Stale) -> dict[str, Any]:
    """Return the item that the condition was held against: DynamoDB sends it along, which saves a look."""
    return plain_of(getattr(stale.__cause__, "response", {}).get("Item", {}))


def _micro(usd: float) -> int:
    """Count in whole millionths: sums of fractions would drift."""
    return round(usd * _MICRO)


def _usd(micro: int) -> float:
    return float(Decimal(micro) / _MICRO)


def _part(user: str) -> str:
    return f"{_ALL}#{user}"


def _run(payer: Payer) -> str:
    return f"run#{payer.run}"


def _key(project: str, day: date) -> Any:  # noqa: ANN401 - the driver's own nested dictionaries
    return item_of({"kind": SPENDING, "id": f"{project}#{day.isoformat()}"})
