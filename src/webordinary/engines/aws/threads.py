"""Threads in DynamoDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.records import message_key
from webordinary.engines.aws.faults import Stale, translated
from webordinary.routing.lane import Lane
from webordinary.routing.threads import Thread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.engines.aws.names import Names

# No Message-ID that a mail program made is as long as a key of the table may be.
_LONGEST_KEY = 2048


class DynamoThreads:
    """Conversations by their id and by the Message-IDs that were written in them."""

    def __init__(
        self, client: DynamoDBClient, names: Names, let_go_along: Callable[[dict[str, Any]], None] | None = None
    ) -> None:
        self._client = client
        self._let_go_along = let_go_along
        self._table = names.threads
        self._what = f"the table {names.threads}"

    def find(self, thread: str) -> Thread | None:
        row = self._read(thread)
        return Thread(row["threadId"], Lane.parse(row["lane"]), row.get("session")) if "lane" in row else None

    def find_by_messages(self, message_ids: Sequence[str]) -> Thread | None:
        for message_id in reversed(message_ids):
            row = self._read(message_key(message_id))
            if row:
                return self.find(row["thread"])
        return None

    def begin_session(self, thread: str, session: str, *, is_first: bool = False) -> str:
        update: dict[str, Any] = {
            "TableName": self._table,
            "Key": item_of({"threadId": thread}),
            "UpdateExpression": "SET #session = if_not_exists(#session, :session)",
            "ExpressionAttributeNames": {"#session": "session"},
            "ExpressionAttributeValues": item_of({":session": session}),
        }
        if is_first and self._let_go_along is not None:
            self._let_go_along(update)
            return session
        update["ConditionExpression"] = "attribute_exists(#lane)"
        update["ExpressionAttributeNames"] = {"#session": "session", "#lane": "lane"}
        try:
            with translated(self._what):
                # One request for looking and writing; a repeated request finds the first one's session.
                written = self._client.update_item(**update, ReturnValues="ALL_NEW")
        except Stale:
            # A thread that nobody knows keeps none.
            return session
        return str(plain_of(written["Attributes"])["session"])

    def _read(self, key: str) -> dict[str, Any]:
        if not _may_be_key(key):
            return {}
        with translated(self._what):
            found = self._client.get_item(TableName=self._table, Key=item_of({"threadId": key}), ConsistentRead=True)
        return plain_of(found.get("Item", {}))


def _may_be_key(key: str) -> bool:
    try:
        return 0 < len(key.encode()) <= _LONGEST_KEY
    except UnicodeEncodeError:
        return False
