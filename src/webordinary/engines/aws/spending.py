"""Spending, kept in DynamoDB."""

from __future__ import annotations

import secrets
from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.records import KEPT_FOR, SPENDING
from webordinary.engines.aws.faults import Stale, Unknown, translated
from webordinary.errors import TryAgain
from webordinary.jobs.spending import MonthSpending, OutcomeCost

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.names import Names
    from webordinary.jobs.spending import Concluded, DayLimit, Payer

_MICRO = 1_000_000
_ALL = "micro"
# Each time somebody else of the project was quicker.
_TRIES = 20
# The driver repeats what was not answered, and a run writes one thing after the other: its own mark stands there
# exactly when this was written.
_NOT_YET = "(attribute_not_exists(#mark) OR #mark <> :mark)"
_FITS = "(attribute_not_exists(#all) OR #all <= :most) AND (attribute_not_exists(#user) OR #user <= :mostEach)"
_NO_LIMIT = 10**15
_ALLOWED, _USD_OF, _JOBS_OF = "allowed", "usd of ", "jobs of "


class DynamoSpending:
    """One item for each project and day, with the sum and each user's and each run's part in it."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records
        self._what = f"the table {names.records}"

    def reserve(self, payer: Payer, most: float, least: float, limit: DayLimit, now: Moment) -> float:
        row: dict[str, Any] | None = None
        others = self._other_days(payer) if limit.usd_a_month is not None else MonthSpending()
        for _ in range(_TRIES):
            whole, each = _room(limit, others, row or {}, payer.lane.user)
            asked = min(_micro(most), whole.left, each.left)
            if asked < max(_micro(least), 1):
                if row is None:
                    # More may have been allowed than the limits say.
                    row = self._row(payer.lane.project, payer.day)
                    continue
                return 0.0
            fits = {":most": whole.limit - asked, ":mostEach": each.limit - asked}
            row = self._add(payer, asked, now, fits=fits)
            if row is None:
                return asked / _MICRO
        raise TryAgain(f"{self._what} is written by too many at once")

    def charge(self, payer: Payer, reserved: float, spent: float, now: Moment) -> None:
        self._add(payer, _micro(spent) - _micro(reserved), now)

    def _add(self, payer: Payer, micro: int, now: Moment, fits: dict[str, int] | None = None) -> dict[str, Any] | None:
        """Add to all sums at once; return the item as it is when it leaves no room for that, None when it was done."""
        mark, marked = secrets.token_hex(8), f"mark#{payer.lane.user}"
        values: dict[str, str | int] = {
            ":usd": micro,
            ":ttl": _ttl(now),
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

    def conclude(self, concluded: Concluded, now: Moment) -> None:
        """Take out what was said of the job before, and put in what is true now, in one write."""
        mark, said = f"job#{concluded.job}", f"{concluded.outcome} {_micro(concluded.usd)}"
        for _ in range(_TRIES):
            before = str(self._row(concluded.project, concluded.day).get(mark, ""))
            if before == said:
                return
            moved = _moved(before, said)
            adds = ", ".join(f"#p{n} :p{n}" for n in range(len(moved)))
            values = {f":p{n}": value for n, value in enumerate(moved.values())}
            if self._change(
                concluded.project,
                concluded.day,
                f"ADD {adds} SET #mark = :said, #ttl = :ttl",
                "#mark = :before" if before else "attribute_not_exists(#mark)",
                {"#mark": mark, "#ttl": "ttl", **{f"#p{n}": name for n, name in enumerate(moved)}},
                {":said": said, ":ttl": _ttl(now), **values, **({":before": before} if before else {})},
            ):
                return
        raise TryAgain(f"{self._what} is written by too many at once")

    def allow(self, project: str, day: date, usd: float, now: Moment) -> None:
        mark = secrets.token_hex(8)
        self._change(
            project,
            day,
            "ADD #allowed :usd SET #mark = :mark, #ttl = :ttl",
            _NOT_YET,
            {"#allowed": _ALLOWED, "#mark": f"mark#{_ALLOWED}", "#ttl": "ttl"},
            {":usd": _micro(usd), ":mark": mark, ":ttl": _ttl(now)},
        )

    def allowed(self, project: str, day: date) -> float:
        return _usd(self._row(project, day).get(_ALLOWED, 0))

    def month(self, project: str, day: date) -> MonthSpending:
        return _summed(self._rows_of_month(project, day))

    def _other_days(self, payer: Payer) -> MonthSpending:
        """Return what the month has cost besides this day, which the condition of the write looks at."""
        rows = self._rows_of_month(payer.lane.project, payer.day)
        return _summed(row for row in rows if not str(row["id"]).endswith(payer.day.isoformat()))

    def _rows_of_month(self, project: str, day: date) -> list[dict[str, Any]]:
        with translated(self._what):
            pages = self._client.get_paginator("query").paginate(
                TableName=self._table,
                KeyConditionExpression="#kind = :kind AND begins_with(#id, :month)",
                ExpressionAttributeNames={"#kind": "kind", "#id": "id"},
                ExpressionAttributeValues=item_of({":kind": SPENDING, ":month": f"{project}#{day:%Y-%m}-"}),
                ConsistentRead=True,
            )
            return [plain_of(item) for page in pages for item in page["Items"]]

    def _change(
        self, project: str, day: date, update: str, only_if: str, names: dict[str, str], values: dict[str, Any]
    ) -> bool:
        """Change one day's item; False when the condition does not hold."""
        try:
            with translated(self._what):
                self._client.update_item(
                    TableName=self._table,
                    Key=_key(project, day),
                    UpdateExpression=update,
                    ConditionExpression=only_if,
                    ExpressionAttributeNames=names,
                    ExpressionAttributeValues=item_of(values),
                )
        except Stale:
            return False
        return True

    def _row(self, project: str, day: date) -> dict[str, Any]:
        with translated(self._what):
            found = self._client.get_item(TableName=self._table, Key=_key(project, day), ConsistentRead=True)
        return plain_of(found.get("Item", {}))


class _Room(NamedTuple):
    """A limit and what is left of it, in millionths."""

    limit: int
    left: int


def _room(limit: DayLimit, others: MonthSpending, row: Mapping[str, Any], user: str) -> tuple[_Room, _Room]:
    """Return the room of the whole project, and of one user; the day's item is what a condition can look at."""
    allowed = int(row.get(_ALLOWED, 0))
    whole = _micro(limit.usd) + allowed
    if limit.usd_a_month is not None:
        whole = min(whole, _micro(limit.usd_a_month + others.allowed - others.usd) + allowed)
    each = _NO_LIMIT if limit.usd_each is None else _micro(limit.usd_each) + allowed
    return _Room(whole, whole - int(row.get(_ALL, 0))), _Room(each, each - int(row.get(_part(user), 0)))


def _moved(before: str, said: str) -> dict[str, int]:
    """Return what is added to the sums of outcomes when one word about a job takes the place of another."""
    sums: Counter[str] = Counter()
    for sign, word in ((-1, before), (1, said)):
        outcome, _, micro = word.partition(" ")
        if outcome:
            sums[f"{_USD_OF}{outcome}"] += sign * int(micro)
            sums[f"{_JOBS_OF}{outcome}"] += sign
    return dict(sums)


def _summed(rows: Iterable[Mapping[str, Any]]) -> MonthSpending:
    sums: Counter[str] = Counter()
    for row in rows:
        kept = (name for name in row if name in {_ALL, _ALLOWED} or name.startswith((_USD_OF, _JOBS_OF)))
        sums.update({name: int(row[name]) for name in kept})
    names = [name.removeprefix(_JOBS_OF) for name, jobs in sums.items() if name.startswith(_JOBS_OF) and jobs]
    outcomes = {name: OutcomeCost(sums[f"{_JOBS_OF}{name}"], _usd(sums[f"{_USD_OF}{name}"])) for name in names}
    return MonthSpending(_usd(sums[_ALL]), _usd(sums[_ALLOWED]), outcomes)


def _ttl(now: Moment) -> int:
    return int((now + KEPT_FOR).seconds)


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
