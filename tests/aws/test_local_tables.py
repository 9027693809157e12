"""The local server's tables keep Amazon's promises about transactions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from webordinary.engines.aws.dynamodb.items import item_of

if TYPE_CHECKING:
    from tests.aws.conftest import Place


def test_a_transaction_that_fails_takes_nobody_elses_writes_with_it(place: Place) -> None:
    client, table = place.clients.dynamodb, place.names.threads

    def write(number: int) -> bool:
        mine = {"TableName": table, "Item": item_of({"threadId": f"t{number}"})}
        once = {"TableName": table, "Item": item_of({"threadId": "once"})}
        condition = "attribute_not_exists(threadId)"
        try:
            client.transact_write_items(
                TransactItems=[{"Put": mine}, {"Put": {**once, "ConditionExpression": condition}}]  # type: ignore[typeddict-item]  # the driver's own dictionary type is closed
            )
        except ClientError:
            client.put_item(TableName=table, Item=item_of({"threadId": f"late{number}"}))
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        won = sum(pool.map(write, range(24)))
    kept = {item["threadId"]["S"] for item in client.scan(TableName=table)["Items"]}
    assert won == 1
    assert len(kept) == 25
    assert len([name for name in kept if name.startswith("late")]) == 23
