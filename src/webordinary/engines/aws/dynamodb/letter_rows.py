"""Where the letters of the outbox lie: each under a key of its own, or all under one where an earlier version wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.engines.aws.dynamodb.items import Item, item_of
from webordinary.engines.aws.dynamodb.records import OUTBOX, letter_kind
from webordinary.engines.aws.faults import translated

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from webordinary.engines.aws.names import Names

_MOST_KNOWN = 1000


class LetterRows:
    """Finds letters in both places, and remembers which of them lie in the earlier one."""

    def __init__(self, client: DynamoDBClient, names: Names) -> None:
        self._client = client
        self._table = names.records
        self._earlier: set[str] = set()

    def key(self, letter: str) -> Item:
        """Return the key of a letter that was read before, or is new."""
        return item_of({"kind": OUTBOX if letter in self._earlier else letter_kind(letter), "id": letter})

    def read(self, letter: str) -> Item:
        """Return a letter's row; empty when there is none."""
        return self._get(letter_kind(letter), letter) or self.read_earlier(letter)

    def read_earlier(self, letter: str) -> Item:
        return self.known(self._get(OUTBOX, letter))

    def known(self, item: Item) -> Item:
        """Remember where a row lies that somebody has found."""
        if item and item["kind"]["S"] == OUTBOX:
            if len(self._earlier) >= _MOST_KNOWN:
                self._earlier.clear()
            self._earlier.add(item["id"]["S"])
        return item

    def _get(self, kind: str, letter: str) -> Item:
        with translated(f"the table {self._table}"):
            key = item_of({"kind": kind, "id": letter})
            return self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item", {})
