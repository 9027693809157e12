"""Changes tables of the configuration that belong to no project, in its text; all the rest stays as it was written."""

from __future__ import annotations

import copy
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webordinary.config.lines import key_lines
from webordinary.config.statements import end_of_statement, end_of_table, is_header, put, toml_of, with_value
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webordinary.config.lines import KeyPath
    from webordinary.config.statements import TomlValue


@dataclass(frozen=True, slots=True)
class TablesText:
    """The text of a configuration; each change returns it anew, and is believed only if nothing else has moved."""

    text: str

    @property
    def said(self) -> dict[str, Any]:
        """What the text says, without any default."""
        return copy.deepcopy(tomllib.loads(self._plain))

    def with_table(self, table: KeyPath, values: Mapping[str, TomlValue]) -> TablesText:
        """Return it with these keys of a table set, or removed where the value is None.

        A table of a list is named with its number: `("imap", 0)`; the next number begins a new one.
        """
        made = self
        for key, value in values.items():
            made = made._with_key((*table, key), value)
        return made

    def _with_key(self, path: KeyPath, value: TomlValue) -> TablesText:
        lines, known = self._plain.split("\n"), key_lines(self._plain)
        if path not in known and value is None:
            return self
        expected = self.said
        _make_room(expected, path)
        put(expected, path, value)
        if path not in known:
            assert value is not None  # noqa: S101 - said above
            return self._checked(_inserted(lines, known, path, toml_of(value)), expected)
        at = known[path] - 1
        end = end_of_statement(lines, at)
        new = [] if value is None else [with_value(lines[at:end], toml_of(value))]
        return self._checked([*lines[:at], *new, *lines[end:]], expected)

    def _checked(self, lines: Sequence[str], expected: Mapping[str, Any]) -> TablesText:
        text = "\n".join(lines)
        try:
            is_meant = tomllib.loads(text) == expected
        except tomllib.TOMLDecodeError:
            is_meant = False
        if not is_meant:
            raise Misconfigured(
                "The way in which the configuration is written cannot be changed from here without touching more than"
                " was meant; change the file by hand. Nothing was written."
            )
        return TablesText(text.replace("\n", "\r\n") if "\r\n" in self.text else text)

    @property
    def _plain(self) -> str:
        return self.text.replace("\r\n", "\n")


def _make_room(data: dict[str, Any], path: KeyPath) -> None:
    """Begin a new table of a list, if that is what the path names."""
    for at, number in enumerate(path):
        if isinstance(number, int):
            rows = data.setdefault(str(path[at - 1]), [])
            rows += [{}] if len(rows) == number else []


def _inserted(lines: Sequence[str], known: Mapping[KeyPath, int], path: KeyPath, value: str) -> list[str]:
    """Write a new key at the end of its table, or a new table before the projects."""
    table, key = path[:-1], path[-1]
    statement = f"{key} = {value}"
    if not table:
        end = end_of_table(lines, -1)
        return [*lines[:end], statement, *lines[end:]]
    header = known.get(table)
    if header is not None and is_header(lines[header - 1]):
        end = end_of_table(lines, header - 1)
        return [*lines[:end], statement, *lines[end:]]
    name = ".".join(each for each in table if isinstance(each, str))
    block = [f"[[{name}]]" if isinstance(table[-1], int) else f"[{name}]", statement, ""]
    first = known.get(("project", 0))
    if first is None:
        return [*lines[: _end_of_text(lines)], "", *block]
    return [*lines[: first - 1], *block, *lines[first - 1 :]]


def _end_of_text(lines: Sequence[str]) -> int:
    filled = (at for at in range(len(lines), 0, -1) if lines[at - 1].strip())
    return next(filled, 0)
