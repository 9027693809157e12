"""Patches of DynamoDB: transactions happen one after the other, and one that fails takes nobody's writes with it."""

from __future__ import annotations

import copy
import threading
from contextlib import suppress
from typing import Any

from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.table import Table
from moto.dynamodb.responses import DynamoHandler

from webordinary_local_aws.moto_patches.patch import patch_method


def whole_transactions() -> None:
    """Fix 15: transactions ran through each other, and a failed one put the whole table back to how it was before."""
    one_at_a_time = threading.RLock()

    @patch_method(DynamoHandler, "call_action")
    def _(original: Any, self: Any) -> Any:
        with one_at_a_time:
            return original(self)

    # The copy that moto puts back; ours knows only the items that are written, and costs as little.
    Table.__deepcopy__ = lambda self, _: self

    @patch_method(DynamoDBBackend, "transact_write_items")
    def _(original: Any, self: Any, transact_items: list[dict[str, Any]]) -> Any:
        before = [_place(self, write) for write in transact_items]
        try:
            return original(self, transact_items)
        except BaseException:
            for shelf, key, item in filter(None, before):
                shelf.pop(key, None)
                if item is not None:
                    shelf[key] = item
            raise


def _place(backend: Any, write: dict[str, Any]) -> tuple[dict[Any, Any], Any, Any] | None:
    """Return where an item stands and what stands there now."""
    ((_, asked),) = write.items()
    with suppress(Exception):
        table = backend.get_table(asked["TableName"])
        hash_key, range_key = backend.get_keys_value(table, asked.get("Key") or asked["Item"])
        shelf, key = (table.items[hash_key], range_key) if table.has_range_key else (table.items, hash_key)
        return shelf, key, copy.deepcopy(shelf.get(key))
    # The write itself is wrong, and moto says so.
    return None
