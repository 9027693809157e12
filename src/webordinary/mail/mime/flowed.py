"""Text whose long lines a mail program broke in a way that can be undone (RFC 3676)."""

from __future__ import annotations

import re

_QUOTE = re.compile(r">*")
_SIGNATURE = "-- "


def unflow(text: str, *, delsp: bool) -> str:
    """Return the lines as they were typed; `delsp` when the space before a break was added by the program."""
    joined: list[tuple[int, list[str], bool]] = []
    for raw in text.split("\n"):
        depth, line = _depth_and_words(raw)
        soft = line.endswith(" ") and line != _SIGNATURE
        words = line[:-1] if soft and delsp else line
        if joined and joined[-1][2] and joined[-1][0] == depth and line != _SIGNATURE:
            joined[-1][1].append(words)
            joined[-1] = (depth, joined[-1][1], soft)
        else:
            joined.append((depth, [words], soft))
    return "\n".join(_line(depth, "".join(words)) for depth, words, _ in joined)


def _depth_and_words(raw: str) -> tuple[int, str]:
    marks = _QUOTE.match(raw)
    depth = marks.end() if marks else 0
    # A program puts a space before a line that begins with one, with a `>` or with "From ".
    return depth, raw[depth:].removeprefix(" ")


def _line(depth: int, words: str) -> str:
    words = words if words == _SIGNATURE else words.rstrip(" ")
    return f"{'>' * depth} {words}".rstrip(" ") if depth else words
