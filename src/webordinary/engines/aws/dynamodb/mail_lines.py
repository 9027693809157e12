"""The line of each author's mails, in the order of their arrival: rows that are read consistently, unlike an index."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from webordinary.engines.aws.dynamodb.items import item_of, plain_of
from webordinary.engines.aws.dynamodb.records import KEPT_FOR
from webordinary.engines.aws.faults import translated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.clock import Moment
    from webordinary.engines.aws.dynamodb.items import Item
    from webordinary.engines.aws.names import Names
    from webordinary.mail.inbox import KeptMail

_LINE = "line-of-mails"
# A flood in one person's name must not keep a mail of theirs from being decided.
_MOST_OLDER = 50


def line_item(kept: KeptMail, now: Moment) -> Item:
    """Return a mail's place in its author's line, to be written together with the mail."""
    return item_of({**_place(kept), "mail": kept.id, "ttl": int((now + KEPT_FOR).seconds)})


class MailLines:
    """The mails that wait in a line; the next reader removes one that has been decided."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records
        self._what = f"the table {names.records}"

    def before(self, kept: KeptMail) -> Iterator[str]:
        """Return the mails that stand before this one, the oldest first."""
        place = _place(kept)
        with translated(self._what):
            found = self._client.query(
                TableName=self._table,
                KeyConditionExpression="#kind = :kind AND #id < :id",
                ExpressionAttributeNames={"#kind": "kind", "#id": "id"},
                ExpressionAttributeValues=item_of({":kind": place["kind"], ":id": place["id"]}),
                ConsistentRead=True,
                Limit=_MOST_OLDER,
            )
        return (str(plain_of(item)["mail"]) for item in found["Items"])

    def leave(self, kept: KeptMail) -> None:
        with translated(self._what):
            self._client.delete_item(TableName=self._table, Key=item_of(_place(kept)))


def place_in_line(author: str, received_at: datetime, mail: str) -> Item:
    """Return the key of a mail's place in the line of its author."""
    return item_of(_key(author, received_at, mail))


def _place(kept: KeptMail) -> dict[str, Any]:
    return _key(kept.author, kept.received_at, kept.id)


def _key(author: str, received_at: datetime, mail: str) -> dict[str, Any]:
    line = hashlib.sha256(author.encode(errors="replace")).hexdigest()
    return {"kind": f"{_LINE}#{line}", "id": f"{received_at.timestamp():020.6f}#{mail}"}
