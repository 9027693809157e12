"""A passage: something that is read in one go, and how other words are written in its place."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.agent.scripted.markup import Decoded, Splice, written

if TYPE_CHECKING:
    from collections.abc import Callable

PROSE, BRACES = "prose", "braces"
# Behind these a plain value would be read as something else.
_NOT_PLAIN = re.compile(r"[\s\-?:,\[\]{}#&*!|>'\"%@`].*|.*(?::\s|:\Z|\s#).*|.*\s\Z|", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Passage:
    """Words with their places; the quotation mark is set when they are the value of an attribute.

    A value of a file of figures has the name that it stands behind, and is always written as a whole.
    """

    words: Decoded
    quote: str = ""
    tag: str = ""
    heading: str = ""
    outer: tuple[int, int] | None = None
    style: str = ""
    whole: tuple[int, int] | None = None
    key: str = ""

    @property
    def text(self) -> str:
        return self.words.text

    def written(self, text: str) -> str:
        """Return words as they have to be written here so that they come out as words."""
        if self.style in {PROSE, "block"}:
            return " ".join(text.split())
        shown = written(text, self.quote)
        return shown.replace("{", "&#123;").replace("}", "&#125;") if self.style == BRACES else shown

    def replaced(self, pattern: re.Pattern[str], new: Callable[[str], str]) -> list[Splice]:
        """Return what has to be written so that each match becomes something else."""
        if self.whole is None:
            return [
                Splice(*self.words.span(*match.span()), self.written(new(match[0])))
                for match in pattern.finditer(self.text)
            ]
        text = pattern.sub(lambda match: new(match[0]), self.text)
        value = rewritten(self.style, text) if text != self.text else None
        return [] if value is None else [Splice(*self.whole, value)]


def rewritten(style: str, text: str) -> str | None:
    """Return a whole value as it is written in its file; None when it cannot stand there."""
    line = " ".join(text.split())
    if style == "line":
        return line if line and not re.search(r":\s|\s#|:\Z", line) else None
    return _QUOTED.get(style, _in_double_quotes)(line)


def _in_yaml(line: str) -> str:
    return _in_double_quotes(line) if _NOT_PLAIN.fullmatch(line) or _is_typed(line) else line


def _in_single_quotes(line: str) -> str:
    return "'" + line.replace("'", "''") + "'"


def _as_literal(line: str) -> str:
    return _in_double_quotes(line) if "'" in line else f"'{line}'"


def _as_plain_cell(line: str) -> str:
    return _cell(line) if re.search(r"[,;\t\"]", line) else line


def _in_double_quotes(line: str) -> str:
    return json.dumps(line, ensure_ascii=False)


def _cell(line: str) -> str:
    return '"' + line.replace('"', '""') + '"'


def _is_typed(line: str) -> bool:
    return bool(re.fullmatch(r"(?i)true|false|yes|no|on|off|null|~|[-+.\d][\d_.,:eE+-]*", line))


_QUOTED: dict[str, Callable[[str], str]] = {
    "yaml": _in_yaml,
    "single": _in_single_quotes,
    "literal": _as_literal,
    "cell": _as_plain_cell,
    "quoted cell": _cell,
}
