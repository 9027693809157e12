"""What a visitor reads on a page, as passages: a paragraph, a table row, a list entry, a picture's words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from webordinary.agent.scripted.markup import Decoded, Token, attributes, decode, tokenize

_BLOCK_NAMES = """
p div li ul ol dl dt tr table thead tbody tfoot caption section article header footer main nav aside h1
h2 h3 h4 h5 h6 hr figure figcaption blockquote address body html head title form pre option select
fieldset legend summary details textarea button
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_CELLS = frozenset({"td", "th", "dd"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "caption", "legend", "summary"})
_ENDS_A_HEADING = frozenset({"section", "article", "aside", "footer", "header", "main", "nav"})
_READ_ATTRIBUTES = frozenset({"alt", "title", "placeholder", "aria-label"})
_READ_META = re.compile(
    r"description|keywords|author|application-name|(?:og|twitter):(?:title|description|site_name|image:alt)"
)
_LINE = re.compile(r"[^\n]*\n?")


@dataclass(frozen=True, slots=True)
class Passage:
    """Something that is read in one go; the quotation mark is set when it is the value of an attribute."""

    words: Decoded
    quote: str = ""
    tag: str = ""
    heading: str = ""
    outer: tuple[int, int] | None = None

    @property
    def text(self) -> str:
        return self.words.text


class _Gatherer:
    """Collects the texts between two block tags into one passage."""

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._pieces: list[Decoded] = []
        self._opener: Token | None = None
        self._heading = ""
        self.passages: list[Passage] = []

    def take_text(self, token: Token) -> None:
        self._pieces.append(decode(self._raw, token.start, token.end))

    def take_mark(self, token: Token, mark: str) -> None:
        self._pieces.append(Decoded(mark, (token.start,), (token.start,)))

    def take_block(self, token: Token) -> None:
        self._end_passage(token)
        if token.closing and token.name in _ENDS_A_HEADING:
            self._heading = ""
        self._opener = None if token.closing else token

    def end(self) -> None:
        self._end_passage(None)

    def _end_passage(self, closer: Token | None) -> None:
        words = Decoded(
            "".join(piece.text for piece in self._pieces),
            tuple(start for piece in self._pieces for start in piece.starts),
            tuple(end for piece in self._pieces for end in piece.ends),
        )
        self._pieces = []
        if not words.text.strip():
            return
        opener = self._opener
        outer = None
        if opener and closer and closer.closing and closer.name == opener.name:
            outer = (opener.start, closer.end)
        tag = opener.name if opener else ""
        self.passages.append(Passage(words, "", tag, self._heading, outer))
        if tag in _HEADINGS:
            self._heading = words.text


@lru_cache(maxsize=256)
def passages(raw: str, *, markdown: bool = False) -> tuple[Passage, ...]:
    """Return what is read on a page, in order, with the words that stand in attributes."""
    if markdown:
        return _lines(raw)
    gatherer = _Gatherer(raw)
    for token in tokenize(raw):
        if token.kind == "text":
            gatherer.take_text(token)
        elif token.kind == "tag":
            _take_tag(gatherer, token)
            gatherer.passages += _read_attributes(raw, token)
    gatherer.end()
    return tuple(gatherer.passages)


@lru_cache(maxsize=256)
def pieces(raw: str) -> tuple[Passage, ...]:
    """Return every single text and read attribute of a page: no tag stands inside a piece."""
    found: list[Passage] = []
    for token in tokenize(raw):
        if token.kind == "text":
            found.append(Passage(decode(raw, token.start, token.end)))
        elif token.kind == "tag":
            found += _read_attributes(raw, token)
    return tuple(found)


def _take_tag(gatherer: _Gatherer, token: Token) -> None:
    if token.name in _BLOCKS:
        gatherer.take_block(token)
    elif token.name in _CELLS and not token.closing:
        gatherer.take_mark(token, "\t")
    elif token.name == "br":
        gatherer.take_mark(token, "\n")


def _read_attributes(raw: str, token: Token) -> list[Passage]:
    if token.closing:
        return []
    named = attributes(raw, token)
    read = [each for each in named if each.name in _READ_ATTRIBUTES]
    if token.name == "meta" and any(
        each.name in {"name", "property"} and _READ_META.fullmatch(each.value.lower()) for each in named
    ):
        read += [each for each in named if each.name == "content"]
    return [Passage(decode(raw, each.start, each.end), each.quote, token.name) for each in read]


def _lines(raw: str) -> tuple[Passage, ...]:
    found: list[Passage] = []
    heading = ""
    skipped = [(token.start, token.end) for token in tokenize(raw) if token.kind == "skip"]
    for match in _LINE.finditer(raw):
        inside = any(start <= match.start() < end for start, end in skipped)
        if inside or not match[0].strip():
            continue
        words = decode(raw, match.start(), match.start() + len(match[0].rstrip("\r\n")))
        found.append(Passage(words, "", "", heading, match.span()))
        if words.text.startswith("#"):
            heading = words.text
    return tuple(found)
