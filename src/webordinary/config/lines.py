"""On which line of a TOML text a key stands, so that a complaint can point at it."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from typing import TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]

_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_BLANK_OR_COMMA = re.compile(r"(?:[\s,]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
# Quoted texts, the ones over several lines first: their opening also looks like an empty short one.
_QUOTED = re.compile(
    r'"""(?:\\.|[^\\])*?""""{0,2}'
    r"|'''.*?''''{0,2}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
# A date and its time may stand apart by one space.
_PLAIN = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:[^\s,\]}#]+|[^\s,\]}#]+")


def line_of(text: str, path: KeyPath) -> int | None:
    """Return the line of the key, or of the nearest table around it that is written down."""
    found = key_lines(text)
    around = (path[:length] for length in range(len(path), 0, -1))
    return next((found[part] for part in around if part in found), None)


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the line on which each key, table and list element of a valid TOML text first stands."""
    return _Scan(text).lines


class _Lost(Exception):
    """The text is not TOML here."""


class _Scan:
    """One walk over the text; it looks at every character once."""

    def __init__(self, text: str) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._text = text
        self._at = 0
        self._counted_to = 0
        self._line = 1
        self._elements: dict[KeyPath, int] = {}
        # What was found before the walk got lost is still right, and better than no line at all.
        with suppress(_Lost, tomllib.TOMLDecodeError, RecursionError):
            self._walk()

    def _walk(self) -> None:
        table: KeyPath = ()
        self._skip(_BLANK)
        while self._at < len(self._text):
            if self._next_is("[["):
                table = self._element()
            elif self._next_is("["):
                table = self._table()
            else:
                self._pair(table)
            self._skip(_BLANK)

    def _table(self) -> KeyPath:
        self._at += 1
        path = self._resolve(self._dotted_key())
        self._expect("]")
        return path

    def _element(self) -> KeyPath:
        self._at += 2
        *parents, name = self._dotted_key()
        array = (*self._resolve(tuple(parents)), name)
        self._note(array)
        index = self._elements.get(array, 0)
        self._elements[array] = index + 1
        self._expect("]]")
        self._note((*array, index))
        return (*array, index)

    def _resolve(self, keys: tuple[str, ...]) -> KeyPath:
        """Turn the names of a header into a path: inside a list of tables they mean its last element."""
        path: KeyPath = ()
        for key in keys:
            path = (*path, key)
            self._note(path)
            if path in self._elements:
                path = (*path, self._elements[path] - 1)
        return path

    def _pair(self, table: KeyPath) -> None:
        path = table
        for key in self._dotted_key():
            path = (*path, key)
            self._note(path)
        self._expect("=")
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        self._skip(_SPACE)
        if self._next_is("["):
            self._array(path)
        elif self._next_is("{"):
            self._inline_table(path)
        elif self._next_is('"') or self._next_is("'"):
            self._take(_QUOTED)
        else:
            self._take(_PLAIN)

    def _array(self, path: KeyPath) -> None:
        index = 0
        self._at += 1
        while not self._closes("]"):
            self._note((*path, index))
            self._value((*path, index))
            index += 1

    def _inline_table(self, path: KeyPath) -> None:
        self._at += 1
        while not self._closes("}"):
            self._pair(path)

    def _closes(self, bracket: str) -> bool:
        self._skip(_BLANK_OR_COMMA)
        if not self._next_is(bracket):
            return False
        self._at += 1
        return True

    def _dotted_key(self) -> tuple[str, ...]:
        keys = [self._key()]
        while self._next_is("."):
            self._at += 1
            keys.append(self._key())
        return tuple(keys)

    def _key(self) -> str:
        self._skip(_SPACE)
        quoted = self._next_is('"') or self._next_is("'")
        raw = self._take(_QUOTED if quoted else _BARE_KEY)
        self._skip(_SPACE)
        return str(tomllib.loads(f"key = {raw}")["key"]) if quoted else raw

    def _note(self, path: KeyPath) -> None:
        self._line += self._text.count("\n", self._counted_to, self._at)
        self._counted_to = self._at
        self.lines.setdefault(path, self._line)

    def _next_is(self, what: str) -> bool:
        return self._text.startswith(what, self._at)

    def _expect(self, what: str) -> None:
        self._skip(_SPACE)
        if not self._next_is(what):
            raise _Lost
        self._at += len(what)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        self._take(pattern)

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        if found is None:
            raise _Lost
        self._at = found.end()
        return found[0]
