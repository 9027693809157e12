"""A page as tags and text, so that words can be changed without touching anything else of the file."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

_OPENER = re.compile(r"<(?:(?P<comment>!--)|(?P<other>[!?])|(?P<slash>/?)(?P<name>[a-zA-Z][^\s/>]*))")
_TAG_REST = re.compile(r"[^\"'>]*")
_RAW = frozenset({"script", "style", "iframe", "xmp", "noembed", "noframes"})
_TEXT_ONLY = frozenset({"title", "textarea"})
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
# A name begins only after space, a quotation mark or a slash; without that a long run of letters would be
# tried from each of its letters.
_ATTRIBUTE = re.compile(r"(?<![^\s\"'/])(?P<name>[^\s\"'<>/=]+)\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')")
_TEMPLATE = re.compile(r"\{(?=[{%#])")


@dataclass(frozen=True, slots=True)
class MarkupToken:
    """One piece of a page: a text, a tag, or something that nobody reads (comment, script, style)."""

    kind: Literal["text", "tag", "skip"]
    start: int
    end: int
    name: str = ""
    closing: bool = False


@dataclass(frozen=True, slots=True)
class Attribute:
    """The value of an attribute, where it stands and which quotation mark is around it."""

    name: str
    value: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Splice:
    """New characters for one stretch of a file."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Decoded:
    """A stretch of a page as a visitor reads it, each character with its place in the file."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where in the file a stretch of the text stands."""
        return self.starts[start], self.ends[end - 1]


@lru_cache(maxsize=256)
def tokenize(raw: str) -> tuple[MarkupToken, ...]:
    """Split a page into tokens that together are the whole page."""
    tokens: list[MarkupToken] = []
    position = 0
    while match := _OPENER.search(raw, position):
        if match.start() > position:
            tokens.append(MarkupToken("text", position, match.start()))
        tokens.append(_token(raw, match))
        position = tokens[-1].end
        if tokens[-1].kind == "tag" and not tokens[-1].closing:
            position = _content(raw, tokens)
    if position < len(raw):
        tokens.append(MarkupToken("text", position, len(raw)))
    return tuple(tokens)


def attributes(raw: str, tag: MarkupToken) -> list[Attribute]:
    """Return the quoted attributes of a tag."""
    found = []
    for match in _ATTRIBUTE.finditer(raw, tag.start + 1 + len(tag.name), tag.end):
        kind = "double" if match["double"] is not None else "single"
        value = html.unescape(match[kind])
        quote = '"' if kind == "double" else "'"
        found.append(Attribute(match["name"].lower(), value, match.start(kind), match.end(kind), quote))
    return found


def decode(raw: str, start: int, end: int) -> Decoded:
    """Return a stretch of a page with its entities read, each character with its place."""
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = start
    for match in _ENTITY.finditer(raw, start, end):
        text.append(raw[position : match.start()])
        starts.extend(range(position, match.start()))
        ends.extend(range(position + 1, match.start() + 1))
        letters = html.unescape(match[0])
        text.append(letters)
        starts.extend([match.start()] * len(letters))
        ends.extend([match.end()] * len(letters))
        position = match.end()
    text.append(raw[position:end])
    starts.extend(range(position, end))
    ends.extend(range(position + 1, end + 1))
    return Decoded("".join(text), tuple(starts), tuple(ends))


def written(text: str, quote: str = "") -> str:
    """Return words as they must be written into a page so that they come out as words."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if quote:
        escaped = escaped.replace('"', "&quot;").replace("'", "&#39;")
    # A site's build may read "{{" and "{%" as its own commands.
    return _TEMPLATE.sub("&#123;", escaped)


def spliced(raw: str, splices: list[Splice]) -> str:
    """Return the page with new characters in place of the named stretches, all else as it was."""
    pieces: list[str] = []
    position = 0
    for splice in sorted(splices, key=lambda each: (each.start, each.end)):
        if splice.start < position:
            continue
        pieces += [raw[position : splice.start], splice.new]
        position = splice.end
    return "".join([*pieces, raw[position:]])


def newline_of(raw: str) -> str:
    """Return how the lines of a file end."""
    return "\r\n" if "\r\n" in raw else "\n"


def _token(raw: str, match: re.Match[str]) -> MarkupToken:
    if match["comment"]:
        end = raw.find("-->", match.end())
        return MarkupToken("skip", match.start(), len(raw) if end < 0 else end + 3)
    end = _tag_end(raw, match.end())
    if match["other"]:
        return MarkupToken("skip", match.start(), end)
    return MarkupToken("tag", match.start(), end, match["name"].lower(), closing=bool(match["slash"]))


def _tag_end(raw: str, position: int) -> int:
    while True:
        rest = _TAG_REST.match(raw, position)
        position = rest.end() if rest else len(raw)
        if position >= len(raw):
            return len(raw)
        if raw[position] == ">":
            return position + 1
        # Only after "=" does a quotation mark begin a value: <p class=it's> ends where it seems to end.
        opens_a_value = raw[max(0, position - 8) : position].rstrip().endswith("=")
        close = raw.find(raw[position], position + 1) if opens_a_value else position
        if close < 0:
            return len(raw)
        position = close + 1


def _content(raw: str, tokens: list[MarkupToken]) -> int:
    tag = tokens[-1]
    if tag.name not in _RAW and tag.name not in _TEXT_ONLY:
        return tag.end
    match = re.compile(rf"</{tag.name}(?![\w-])", re.IGNORECASE).search(raw, tag.end)
    end = match.start() if match else len(raw)
    if end > tag.end:
        tokens.append(MarkupToken("text" if tag.name in _TEXT_ONLY else "skip", tag.end, end))
    return end
