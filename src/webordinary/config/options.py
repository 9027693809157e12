"""The options of variants from outside: read by the variant's own class, and refused with their line in the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec
from msgspec.structs import fields

from webordinary.values import Section
from webordinary.variants import read_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webordinary.config.lines import KeyPath
    from webordinary.config.source import Source


S = TypeVar("S", bound=msgspec.Struct)


def check_options(shape: type[msgspec.Struct] | None, given: Mapping[str, Any], at: KeyPath, source: Source) -> None:
    """Refuse options that do not have the shape that their variant asks for."""
    try:
        if shape is not None:
            read_options(shape, given)
    except msgspec.ValidationError as error:
        raise source.explain(error, shape, at) from None


def plain_options(shape: type[msgspec.Struct] | None, given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return options as a store can keep them, with their defaults; relative paths begin at the folder."""
    return {} if shape is None else plain_keys(read_options(shape, given), folder)


def plain_keys(keys: msgspec.Struct, folder: Path) -> dict[str, Any]:
    """Return keys that are read already in the same way."""

    def plain(value: object) -> str:
        return str(folder / value) if isinstance(value, Path) else str(value)

    found: dict[str, Any] = msgspec.to_builtins(keys, enc_hook=plain)
    return found


def optional_keys(shape: type[S], name: str, about: str) -> type[S]:
    """Return a table with the same keys, each of which may be left out: what is set there holds over the other's."""
    keys = [(each.name, each.type | None, None) for each in fields(shape)]
    spoken = {"__doc__": about, "JOINED": (shape,)}
    made = msgspec.defstruct(name, keys, bases=(Section,), namespace=spoken, frozen=True, kw_only=True)
    return cast("type[S]", made)


def joined_keys(common: type[S], name: str, shapes: Sequence[type[msgspec.Struct]]) -> type[S]:
    """Return a table with the keys that are common to all variants, and after them those of each built-in one."""
    keys: dict[str, tuple[str, Any, Any]] = {}
    for each in (each for shape in shapes for each in fields(shape)):
        keys.setdefault(each.name, (each.name, each.type, each.default))
    about = {"__doc__": common.__doc__, "JOINED": shapes}
    made = msgspec.defstruct(name, keys.values(), bases=(common,), namespace=about, frozen=True, kw_only=True)
    return cast("type[S]", made)
