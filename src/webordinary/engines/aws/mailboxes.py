"""Bookmarks of mailboxes in DynamoDB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.faults import Stale, translated
from webordinary.mail.mailboxes import Bookmark

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.names import Names

MAILBOX = "mailbox"


class DynamoMailboxes:
    """One record for each mailbox."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records
        self._what = f"the table {names.records}"

    def find(self, mailbox: str) -> Bookmark | None:
        with translated(self._what):
            key = item_of({"kind": MAILBOX, "id": mailbox})
            found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        row = plain_of(found.get("Item", {}))
        return Bookmark(row["validity"], row["uid"]) if row else None

    def remember(self, mailbox: str, bookmark: Bookmark, now: Moment) -> None:
        row = {"validity": bookmark.validity, "uid": bookmark.uid, "readAt": now.seconds}
        try:
            with translated(self._what):
                self._client.put_item(
                    TableName=self._table,
                    Item=item_of({"kind": MAILBOX, "id": mailbox, **row}),
                    ConditionExpression="attribute_not_exists(#id) OR #validity <> :validity OR #uid < :uid",
                    ExpressionAttributeNames={"#id": "id", "#validity": "validity", "#uid": "uid"},
                    ExpressionAttributeValues=item_of({":validity": bookmark.validity, ":uid": bookmark.uid}),
                )
        except Stale:
            # Somebody has read on already.
            return
