"""What a page tells to programs, field by field: structured data and the head of a page as a person reads them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_FIELDS, _DEEPEST = 2_000, 40
# `og:title: Amelia's Bakery`, as the head of a page is told.
_NAMED = re.compile(r"([A-Za-z][\w.:-]*): (.*)", re.DOTALL)
_INSIDE_A_NAME = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+")


class Field(NamedTuple):
    """One field that differs, by its own name; empty where there was or is nothing."""

    name: str
    before: str
    after: str


def differing_fields(before: str, after: str) -> tuple[Field, ...]:
    """Return the fields in which two texts for programs differ; none when they have no fields."""
    old, new = _fields(before), _fields(after)
    if old is None or new is None:
        return ()
    places = dict.fromkeys((*old, *new))
    return tuple(
        Field(place[-1], old.get(place, ""), new.get(place, "")) for place in places if old.get(place) != new.get(place)
    )


def in_words(name: str) -> str:
    """Return a field's name with spaces: `servesCuisine` is told as “serves cuisine”."""
    return _INSIDE_A_NAME.sub(" ", name.lstrip("@")).strip().lower() or name


def _fields(text: str) -> dict[tuple[str, ...], str] | None:
    """Return the values of a text by the places where they stand; None when it cannot be taken apart."""
    if not text:
        return {}
    if text.lstrip().startswith(("{", "[")):
        try:
            read = json.loads(text, object_pairs_hook=_each_name_once)
            found = dict(_leaves(read, ()))
        except (ValueError, RecursionError):
            return None
        return found if len(found) <= _MOST_FIELDS else None
    named = _NAMED.fullmatch(text)
    # A field of structured data is named with all that it stands in: the last name is its own.
    return {(named[1].rpartition(".")[2],): named[2].strip()} if named else None


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) != len(pairs):
        raise ValueError("a name stands there twice, and programs differ in which of them counts")
    return read


def _leaves(read: Any, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:  # noqa: ANN401 - any JSON
    if len(place) > _DEEPEST:
        raise ValueError("deeper than anybody writes by hand")
    match read:
        case dict():
            for name, value in read.items():
                yield from _leaves(value, (*place, str(name)))
        case list() if any(isinstance(each, dict | list) for each in read):
            for number, value in enumerate(read):
                # A name comes last, so that it is the one to be told.
                yield from _leaves(value, (*place[:-1], str(number), *place[-1:]))
        case list():
            yield place or ("",), ", ".join(map(_told, read))
        case _:
            yield place or ("",), _told(read)


def _told(value: Any) -> str:  # noqa: ANN401 - any JSON
    return " ".join(value.split()) if isinstance(value, str) else json.dumps(value)
