"""Changes a project in the text of the configuration: everything else of it, comments too, stays as it was written."""

from __future__ import annotations

import copy
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webordinary.config.lines import key_lines
from webordinary.config.statements import end_of_statement, end_of_table, is_header, put, toml_of, with_value
from webordinary.errors import Misconfigured, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webordinary.config.lines import KeyPath
    from webordinary.config.statements import TomlValue

_PROJECT, _EDITOR = "project", "editor"


@dataclass(frozen=True, slots=True)
class ProjectText:
    """One project in the text of a configuration; each change returns the whole text anew.

    A change is believed only when the new text says exactly what was meant: nothing else may have moved.
    """

    text: str
    project: str

    @property
    def said(self) -> Mapping[str, Any]:
        """What the file says of the project, without any default."""
        found: Mapping[str, Any] = self._data()[_PROJECT][self._number()]
        return found

    def with_key(self, keys: tuple[str, ...], value: TomlValue) -> ProjectText:
        """Return it with a key set, or removed if the value is None; keys of a table are named with it."""
        if _found_in(self.said, keys) == value:
            return self
        number = self._number()
        return self._changed((_PROJECT, number, *keys), value)

    def with_editor(self, user: str, values: Mapping[str, TomlValue]) -> ProjectText:
        """Return it with an editor added, or with other values of one who is there."""
        editors = self.said.get(_EDITOR, [])
        place = next((at for at, each in enumerate(editors) if each.get("user") == user), None)
        if place is None:
            return self._with_new_editor(user, values)
        made = self
        for key, value in values.items():
            if editors[place].get(key) != value:
                made = made._changed((_PROJECT, self._number(), _EDITOR, place, key), value)
        return made

    def without_editor(self, user: str) -> ProjectText:
        editors = self.said.get(_EDITOR, [])
        place = next((at for at, each in enumerate(editors) if each.get("user") == user), None)
        if place is None:
            raise Refused(f"{user} is no editor of {self.project}.")
        path = (_PROJECT, self._number(), _EDITOR, place)
        lines, known = self._lines(), key_lines(self._plain)
        begin = known[path] - 1
        end = end_of_table(lines, begin)
        begin = begin - 1 if begin and not lines[begin - 1].strip() else begin
        expected = self._data()
        del expected[_PROJECT][path[1]][_EDITOR][place]
        if not expected[_PROJECT][path[1]][_EDITOR]:
            del expected[_PROJECT][path[1]][_EDITOR]
        return self._checked([*lines[:begin], *lines[end:]], expected)

    def _with_new_editor(self, user: str, values: Mapping[str, TomlValue]) -> ProjectText:
        number = self._number()
        written = {"user": user, **{key: value for key, value in values.items() if value is not None}}
        lines, known = self._lines(), key_lines(self._plain)
        last = max(line for path, line in known.items() if path[:2] == (_PROJECT, number)) - 1
        end = last + 1 if is_header(lines[last]) else end_of_statement(lines, last)
        block = ["", f"[[{_PROJECT}.{_EDITOR}]]", *(f"{key} = {toml_of(value)}" for key, value in written.items())]
        expected = self._data()
        expected[_PROJECT][number].setdefault(_EDITOR, []).append(written)
        return self._checked([*lines[:end], *block, *lines[end:]], expected)

    def _changed(self, path: KeyPath, value: TomlValue) -> ProjectText:
        lines, known = self._lines(), key_lines(self._plain)
        expected = self._data()
        put(expected, path, value)
        if path in known:
            at = known[path] - 1
            end = end_of_statement(lines, at)
            new = [] if value is None else [with_value(lines[at:end], toml_of(value))]
            return self._checked([*lines[:at], *new, *lines[end:]], expected)
        return self._checked(_inserted(lines, known, path, toml_of(value) if value is not None else ""), expected)

    def _checked(self, lines: Sequence[str], expected: Mapping[str, Any]) -> ProjectText:
        text = "\n".join(lines)
        try:
            is_meant = tomllib.loads(text) == expected
        except tomllib.TOMLDecodeError:
            is_meant = False
        if not is_meant:
            raise _by_hand(self.project)
        return ProjectText(text.replace("\n", "\r\n") if "\r\n" in self.text else text, self.project)

    def _number(self) -> int:
        found = self._data().get(_PROJECT, [])
        number = next((at for at, each in enumerate(found) if each.get("id") == self.project), None)
        if number is None:
            raise Refused(f"There is no project {self.project} in the configuration.")
        line = key_lines(self._plain).get((_PROJECT, number))
        if line is None or not is_header(self._lines()[line - 1]):
            raise _by_hand(self.project)
        return number

    @property
    def _plain(self) -> str:
        return self.text.replace("\r\n", "\n")

    def _lines(self) -> list[str]:
        return self._plain.split("\n")

    def _data(self) -> dict[str, Any]:
        return copy.deepcopy(tomllib.loads(self._plain))


def _by_hand(project: str) -> Misconfigured:
    return Misconfigured(
        f"The way in which {project} is written down cannot be changed from here without touching more than was meant;"
        " change the file by hand. Nothing was written."
    )


def _found_in(table: Mapping[str, Any], keys: tuple[str, ...]) -> object:
    place: object = table
    for key in keys:
        place = place.get(key) if isinstance(place, dict) else None
    return place


def _inserted(lines: Sequence[str], known: Mapping[KeyPath, int], path: KeyPath, value: str) -> list[str]:
    """Write a new key at the end of its table, or behind the project's own keys with a table of its own."""
    table, key = path[:-1], path[-1]
    header = known.get(table)
    if header is not None and is_header(lines[header - 1]):
        end = end_of_table(lines, header - 1)
        return [*lines[:end], f"{key} = {value}", *lines[end:]]
    names = [each for each in path if isinstance(each, str)]
    end = end_of_table(lines, known[path[:2]] - 1)
    if header is not None:
        return [*lines[:end], f"{'.'.join(names[1:])} = {value}", *lines[end:]]
    return [*lines[:end], "", f"[{'.'.join(names[:-1])}]", f"{key} = {value}", *lines[end:]]
