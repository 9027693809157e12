"""Statements of a TOML text, line by line: where one ends, and how its value is replaced."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, TypeAlias

from webordinary.config.write import quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.config.lines import KeyPath

TomlValue: TypeAlias = "str | int | float | bool | list[str] | None"


def toml_of(value: str | float | bool | list[str]) -> str:  # noqa: FBT001 - a value as it stands in the file
    """Write a value as TOML does, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(quote(each) for each in value)}]"
    return quote(value) if isinstance(value, str) else repr(value)


def put(data: dict[str, Any], path: KeyPath, value: TomlValue) -> None:
    """Set a key in what a text says, or take it out."""
    place: Any = data
    for key in path[:-1]:
        place = place.setdefault(key, {}) if isinstance(key, str) else place[key]
    if value is None:
        place.pop(path[-1], None)
    else:
        place[path[-1]] = value


def with_value(statement: Sequence[str], value: str) -> str:
    """Write another value behind the key, and keep the remark behind it."""
    key = statement[0].partition("=")[0].rstrip()
    remark = _remark(statement[0]) if len(statement) == 1 else ""
    return f"{key} = {value}{f'  {remark}' if remark else ''}"


def _remark(line: str) -> str:
    whole = tomllib.loads(line)
    for at in (at for at, each in enumerate(line) if each == "#"):
        try:
            if tomllib.loads(line[:at]) == whole:
                return line[at:]
        except tomllib.TOMLDecodeError:
            continue
    return ""


def is_header(line: str) -> bool:
    """Whether a table begins here."""
    return line.lstrip().startswith("[")


def end_of_statement(lines: Sequence[str], at: int) -> int:
    """Return behind which line a key with its value ends; a list may go over several."""
    for end in range(at + 1, len(lines) + 1):
        try:
            tomllib.loads("\n".join(lines[at:end]))
        except tomllib.TOMLDecodeError:
            continue
        return end
    return at + 1


def end_of_table(lines: Sequence[str], header: int) -> int:
    """Return behind which line the last key of a table ends."""
    at = end = header + 1
    while at < len(lines) and not is_header(lines[at]):
        if not lines[at].strip() or lines[at].lstrip().startswith("#"):
            at += 1
            continue
        at = end = end_of_statement(lines, at)
    return end
