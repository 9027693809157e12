"""Values as DynamoDB keeps them, and back: absent means None, numbers travel as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.engines.stored_text import storable

if TYPE_CHECKING:
    from collections.abc import Mapping

    Plain = str | int | float | bool | bytes | None

Item = dict[str, Any]


def item_of(values: Mapping[str, Plain]) -> Item:
    """Return the values as one item; what is None is left out."""
    return {name: value_of(value) for name, value in values.items() if value is not None}


def value_of(value: Plain) -> dict[str, Any]:
    """Return one value with the letter of its type."""
    match value:
        case bool():
            return {"BOOL": value}
        case int() | float():
            # repr of a float is the shortest text that reads back as the same float.
            return {"N": repr(value)}
        case bytes():
            return {"B": value}
        case None:
            return {"NULL": True}
        case _:
            return {"S": storable(value)}


def plain_of(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item's values as Python has them."""
    return {name: _plain(value) for name, value in item.items()}


def _plain(value: Mapping[str, Any]) -> Any:  # noqa: ANN401 - whatever the store holds
    ((kind, content),) = value.items()
    if kind == "N":
        text = str(content)
        return int(text) if text.lstrip("-").isdecimal() else float(text)
    return None if kind == "NULL" else content
