"""The options of variants from outside: read by the variant's own class, and refused with their line in the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from webordinary.variants import read_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.config.lines import KeyPath
    from webordinary.config.source import Source


def check_options(shape: type[msgspec.Struct] | None, given: Mapping[str, Any], at: KeyPath, source: Source) -> None:
    """Refuse options that do not have the shape that their variant asks for."""
    try:
        if shape is not None:
            read_options(shape, given)
    except msgspec.ValidationError as error:
        raise source.explain(error, shape, at) from None


def plain_options(shape: type[msgspec.Struct] | None, given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return options as a store can keep them, with their defaults; relative paths begin at the folder."""
    if shape is None:
        return {}

    def plain(value: object) -> str:
        return str(folder / value) if isinstance(value, Path) else str(value)

    found: dict[str, Any] = msgspec.to_builtins(read_options(shape, given), enc_hook=plain)
    return found
