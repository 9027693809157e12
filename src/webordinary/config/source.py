"""Where a value came from, a line of the file or a variable, so that every complaint can say it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.config.describe import (
    dotted,
    expectation,
    field_at,
    is_list,
    is_required,
    keys_of,
    section_in,
    sentences_of,
)
from webordinary.config.lines import KeyPath, line_of
from webordinary.config.shape import File
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from msgspec import Struct, ValidationError
    from msgspec.structs import FieldInfo

_LOCATED = re.compile(r"(.*) - at `\$(.*)`", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_BAD_CHOICE = re.compile(r"Invalid enum value (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a configuration file, and which keys were set by a variable instead."""

    path: Path
    text: str = field(repr=False)
    variables: Mapping[KeyPath, str] = field(default_factory=dict)

    def refuse(self, path: KeyPath, complaint: str) -> Misconfigured:
        """Make the error for one key: where it is, what it is called, what is wrong with it."""
        variable = self.variables.get(path)
        if variable is not None:
            return Misconfigured(f"{variable}: `{dotted(path)}` {complaint}.")
        return Misconfigured(f"{self.place(path)}: `{dotted(path)}` {complaint}.")

    def explain(self, error: ValidationError, shape: type[Struct] | None = None, at: KeyPath = ()) -> Misconfigured:
        """Say in plain words what a table or a value has that its shape does not allow.

        The shape is the whole file's, or that of the options `at` a place, which a variant from outside has brought.
        """
        return _Explaining(self, shape or File, at).explain(error)

    def place(self, path: KeyPath) -> str:
        """Say in which file and line a key stands."""
        line = line_of(self.text, path)
        return f"{self.path}, line {line}" if line else str(self.path)


@dataclass(frozen=True, slots=True)
class _Explaining:
    """Complaints about one shape."""

    source: Source
    root: type[Struct]
    at: KeyPath

    def explain(self, error: ValidationError) -> Misconfigured:
        message, inner = _take_apart(str(error))
        path = (*self.at, *inner)
        if unknown := _UNKNOWN.fullmatch(message):
            return self._unknown(path, unknown[1])
        if missing := _MISSING.fullmatch(message):
            return self._missing(path, missing[1])
        if isinstance(error.__cause__, ValueError | TypeError):
            return self.source.refuse(path, str(error.__cause__))
        key = self._field(path)
        wanted = expectation(key.type) if key else "something else"
        if key and is_list(key.type) and section_in(key.type):
            wanted += f", each under [[{dotted(path)}]]"
        choice = _BAD_CHOICE.fullmatch(message)
        return self.source.refuse(path, f"must be {wanted}" + (f", not {choice[1][:60]}" if choice else ""))

    def _unknown(self, table: KeyPath, name: str) -> Misconfigured:
        path = (*table, name)
        shown = dotted((*table, name if name.isprintable() else repr(name)))[:100]
        section = self._section(table)
        known = list(keys_of(section)) if section else []
        near = nearest(name.lower(), known)
        hint = f"did you mean `{near}`?" if near else f"known here: {', '.join(known)}."
        return Misconfigured(f"{self.source.place(path)}: there is no key `{shown}`; {hint}")

    def _missing(self, table: KeyPath, name: str) -> Misconfigured:
        key = self._field((*table, name))
        inner = section_in(key.type) if key else None
        if inner:
            # A whole table is missing: name the key that it is needed for.
            return self._missing((*table, name), next(n for n, f in keys_of(inner).items() if is_required(f)))
        meaning = _meaning(self._section(table), name)
        return Misconfigured(f"{self.source.place(table)}: `{dotted((*table, name))}` is missing. {meaning}".rstrip())

    def _field(self, path: KeyPath) -> FieldInfo | None:
        return field_at(path[len(self.at) :], self.root)

    def _section(self, table: KeyPath) -> type[Struct] | None:
        if len(table) == len(self.at):
            return self.root
        key = self._field(table)
        return section_in(key.type) if key else None


def _take_apart(message: str) -> tuple[str, KeyPath]:
    located = _LOCATED.fullmatch(message)
    if located is None:
        return message, ()
    return located[1], tuple(name or int(index) for name, index in _STEP.findall(located[2]))


def _meaning(section: type[Struct] | None, name: str) -> str:
    try:
        return sentences_of(section).get(name, "") if section else ""
    except OSError:
        # Installed without its source text; the name of the key has to be enough.
        return ""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was probably meant."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a complaint needs it

    return next(iter(get_close_matches(name, list(known), n=1)), None)
