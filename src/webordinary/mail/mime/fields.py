"""The inner structure of header values: parameters, message ids, and lists that may contain quotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from webordinary.mail.mime.charset import clean_line, decode_text, decode_words

if TYPE_CHECKING:
    from collections.abc import Iterator

_CONTINUED = re.compile(r"([^*]+)(?:\*(\d{1,3}))?(\*)?\Z")
_ID_IN_BRACKETS = re.compile(r"<([^<>\s]{1,998})>")


def split_outside_quotes(value: str, separator: str) -> Iterator[str]:
    """Yield the pieces between separators that stand outside of quotes, comments and angle brackets."""
    start, quoted, escaped, comments, angles = 0, False, False, 0, False
    for position, letter in enumerate(value):
        if escaped:
            escaped = False
        elif letter == "\\" and (quoted or comments):
            escaped = True
        elif letter == '"' and not comments:
            quoted = not quoted
        elif quoted:
            continue
        elif letter in "()":
            comments = max(0, comments + (1 if letter == "(" else -1))
        elif letter in "<>":
            angles = letter == "<"
        elif letter == separator and not comments and not angles:
            yield value[start:position].strip()
            start = position + 1
    yield value[start:].strip()


def unquote(value: str) -> str:
    """Return what stands between the double quotes, if they enclose the whole value."""
    if len(value) > 1 and value[0] == value[-1] == '"':
        return re.sub(r"\\(.)", r"\1", value[1:-1])
    return value


def read_parameters(value: str) -> dict[str, str]:
    """Return the parameters of a Content-Type or Content-Disposition, long and encoded ones put together."""
    found: dict[str, dict[int, tuple[bool, str]]] = {}
    for piece in list(split_outside_quotes(value, ";"))[1:]:
        name, equals, content = piece.partition("=")
        match = _CONTINUED.match(name.strip().lower())
        if match and equals:
            place, encoded = int(match[2] or 0), match[3] is not None
            known = found.setdefault(match[1], {})
            # The first of two equal ones counts, unless the second is the same name in its better form.
            if place not in known or (encoded and not known[place][0]):
                known[place] = encoded, unquote(content.strip())
    return {name: _joined([known[place] for place in sorted(known)]) for name, known in found.items()}


def _joined(pieces: list[tuple[bool, str]]) -> str:
    if not any(encoded for encoded, _ in pieces):
        return clean_line(decode_words("".join(text for _, text in pieces)))
    charset, content = "", b""
    for place, (encoded, text) in enumerate(pieces):
        rest = text
        if place == 0 and encoded and text.count("'") > 1:
            charset, _, rest = text.split("'", 2)
        content += unquote_to_bytes(rest) if encoded else rest.encode("utf-8", "replace")
    return clean_line(decode_text(content, charset))


def read_ids(value: str) -> list[str]:
    """Return the message ids of a header, without the angle brackets that some programs leave out."""
    value = clean_line(decode_words(value))
    found = _ID_IN_BRACKETS.findall(value)
    return found or [word for word in re.split(r"[\s,<>]+", value) if "@" in word[1:-1]]
