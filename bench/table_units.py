"""What a request to DynamoDB costs, key by key: by the sizes of items, and each index that an item stands in."""

from __future__ import annotations

import base64
import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from webordinary.engines.aws.dynamodb.tables import Table

    Item = Mapping[str, Any]

_KILOBYTE = 1024
_READ_AT_ONCE = 4 * _KILOBYTE
# A transaction looks before it writes.
_IN_TRANSACTION = 2


@dataclass(frozen=True, slots=True)
class Written:
    """One item before and after a write; empty where there was or is none."""

    table: str
    before: Item
    after: Item
    in_transaction: bool = False


@dataclass(slots=True)
class Units:
    """Units by key: the table or its index, and the value of its hash key."""

    reads: Counter[tuple[str, str]] = field(default_factory=Counter)
    writes: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, other: Units) -> None:
        self.reads.update(other.reads)
        self.writes.update(other.writes)


@dataclass(frozen=True, slots=True)
class Tariff:
    """The tables of an installation, and what DynamoDB charges for them."""

    tables: Mapping[str, Table]

    def of_write(self, written: Written, units: Units) -> None:
        """Count what a write costs under the item's own key, and under its keys in the indexes."""
        table, before, after = self.tables[written.table], written.before, written.after
        larger = max(size_of(before), size_of(after))
        some = after or before
        if some:
            twice = _IN_TRANSACTION if written.in_transaction else 1
            units.writes[written.table, _plain(some[table.hash])] += twice * _write_units(larger)
        for index in table.indexes:
            place = f"{written.table}/{index.name}"
            was, is_now = _place(before, index.hash, index.range), _place(after, index.hash, index.range)
            if was == is_now:
                if is_now is not None and before != after:
                    units.writes[place, is_now[0]] += _write_units(larger)
                continue
            if was is not None:
                units.writes[place, was[0]] += _write_units(size_of(before))
            if is_now is not None:
                units.writes[place, is_now[0]] += _write_units(size_of(after))

    def of_read(self, where: str, key: str, items: Iterable[Item], *, is_consistent: bool, units: Units) -> None:
        """Count what reading these items under one key costs: at least one look."""
        looked = max(1, math.ceil(sum(map(size_of, items)) / _READ_AT_ONCE))
        units.reads[where, key] += looked if is_consistent else looked / 2  # type: ignore[assignment]  # halves count too

    def key_of(self, table: str, item: Item) -> dict[str, Any]:
        """Return the key of an item."""
        known = self.tables[table]
        return {name: item[name] for name in (known.hash, known.range) if name}

    def hash_of(self, table: str, item: Item) -> str:
        return _plain(item[self.tables[table].hash])


def size_of(item: Item) -> int:
    """Return the size of an item as DynamoDB counts it: the names and the values of its attributes."""
    return sum(len(name.encode()) + _value_size(value) for name, value in item.items())


def _value_size(value: Mapping[str, Any]) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content.encode())
        case "N":
            return len(content) // 2 + 1
        case "B":
            return len(base64.b64decode(content))
        case "SS":
            return sum(len(each.encode()) for each in content)
        case _:
            return 1


def _place(item: Item, hash_key: str, range_key: str | None) -> tuple[str, ...] | None:
    names = [name for name in (hash_key, range_key) if name]
    return tuple(_plain(item[name]) for name in names) if all(name in item for name in names) else None


def _plain(value: Mapping[str, Any]) -> str:
    return str(next(iter(value.values())))


def _write_units(size: int) -> int:
    return max(1, math.ceil(size / _KILOBYTE))
