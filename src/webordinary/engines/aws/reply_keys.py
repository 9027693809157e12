"""The key of the reply addresses: from the settings, where a secret of AWS may put it, else one item of the records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.faults import Stale, translated
from webordinary.mail.tokens import ReplyKey, new_secret

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.engines.aws.names import Names

_KEY = {"kind": "secret", "id": "reply-key"}


class DynamoReplyKeys:
    """Made by the first machine that needs it; a key from the settings goes before it."""

    def __init__(self, client: DynamoDBClient, names: Names, configured: str | None = None) -> None:
        self._client = client
        self._table = names.records
        self._known = ReplyKey(configured.encode()) if configured else None

    def current(self) -> ReplyKey:
        if self._known is None:
            self._known = ReplyKey(bytes.fromhex(self._read() or self._make()))
        return self._known

    def _read(self) -> str | None:
        with translated(f"the table {self._table}"):
            found = self._client.get_item(TableName=self._table, Key=item_of(_KEY), ConsistentRead=True)
        value = plain_of(found.get("Item", {})).get("secret")
        return str(value) if value else None

    def _make(self) -> str:
        secret = new_secret().hex()
        try:
            with translated(f"the table {self._table}"):
                self._client.put_item(
                    TableName=self._table,
                    Item=item_of({**_KEY, "secret": secret}),
                    ConditionExpression="attribute_not_exists(#id)",
                    ExpressionAttributeNames={"#id": "id"},
                )
        except Stale:
            # Another machine was quicker; its key counts.
            return self._read() or secret
        return secret
