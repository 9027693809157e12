"""What a visitor reads on a page, as passages: a paragraph, a table row, a list entry, a picture's words."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from webordinary.agent.scripted.figures import values, with_key
from webordinary.agent.scripted.formats import BRACED, COVER, Format, covered, format_of, front_of
from webordinary.agent.scripted.markup import Decoded, MarkupToken, attributes, decode, tokenize
from webordinary.agent.scripted.passage import BRACES, PROSE, Passage

if TYPE_CHECKING:
    from webordinary.agent.scripted.pages import SourcePage

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
_DATA = frozenset({Format.YAML, Format.TOML, Format.JSON, Format.CELLS})
_MARKED_UP = frozenset({Format.MARKUP, Format.TAGS_IN_CODE})
_UNDERLINE = re.compile(r"\s*([=~^\"'`#*+.:_-])\1{2,}\s*")


class _Gatherer:
    """Collects the texts between two block tags into one passage."""

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._pieces: list[Decoded] = []
        self._opener: MarkupToken | None = None
        self._heading = ""
        self.passages: list[Passage] = []

    def take_text(self, token: MarkupToken) -> None:
        self._pieces.append(decode(self._raw, token.start, token.end))

    def take_mark(self, token: MarkupToken, mark: str) -> None:
        self._pieces.append(Decoded(mark, (token.start,), (token.start,)))

    def take_block(self, token: MarkupToken) -> None:
        self._end_passage(token)
        if token.closing and token.name in _ENDS_A_HEADING:
            self._heading = ""
        self._opener = None if token.closing else token

    def end(self) -> None:
        self._end_passage(None)

    def _end_passage(self, closer: MarkupToken | None) -> None:
        words = Decoded(
            "".join(piece.text for piece in self._pieces),
            tuple(start for piece in self._pieces for start in piece.starts),
            tuple(end for piece in self._pieces for end in piece.ends),
        )
        self._pieces = []
        if _is_blank(words.text):
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
def passages(page: SourcePage) -> tuple[Passage, ...]:
    """Return what is read on a page, in order, with the words that stand in attributes and at its top."""
    form, shown = format_of(page.path), covered(page.path, page.text)
    if form in _DATA:
        return tuple(with_key(page.text, each) for each in values(page.text, form, 0, len(page.text)))
    found = _front(page)
    if form not in _MARKED_UP:
        return (*found, *_lines(shown, _style_of(page)))
    gatherer = _Gatherer(shown)
    for token in tokenize(shown):
        if token.kind == "text":
            gatherer.take_text(token)
        elif token.kind == "tag":
            _take_tag(gatherer, token)
            gatherer.passages += _read_attributes(shown, token)
    gatherer.end()
    return (*found, *_styled(gatherer.passages, _style_of(page)))


@lru_cache(maxsize=256)
def pieces(page: SourcePage) -> tuple[Passage, ...]:
    """Return every single text, value and read attribute of a page: no tag stands inside a piece."""
    form, shown = format_of(page.path), covered(page.path, page.text)
    if form in _DATA:
        return values(page.text, form, 0, len(page.text))
    if form not in {*_MARKED_UP, Format.MARKDOWN}:
        return (*_front(page), *_lines(shown, _style_of(page)))
    found: list[Passage] = []
    for token in tokenize(shown):
        if token.kind == "text":
            found.append(Passage(decode(shown, token.start, token.end)))
        elif token.kind == "tag":
            found += _read_attributes(shown, token)
    return (*_front(page), *_styled(found, _style_of(page)))


def _front(page: SourcePage) -> tuple[Passage, ...]:
    front = front_of(page.path, page.text)
    return values(page.text, front[2], front[0], front[1]) if front else ()


def _style_of(page: SourcePage) -> str:
    if format_of(page.path) in {Format.PROSE, Format.INDENTED, Format.CODE}:
        return PROSE
    return BRACES if page.path.lower().endswith(BRACED) else ""


def _styled(found: list[Passage], style: str) -> list[Passage]:
    return [replace(each, style=style) for each in found] if style else found


def _is_blank(text: str) -> bool:
    return not text.replace(COVER, "").strip()


def _take_tag(gatherer: _Gatherer, token: MarkupToken) -> None:
    if token.name in _BLOCKS:
        gatherer.take_block(token)
    elif token.name in _CELLS and not token.closing:
        gatherer.take_mark(token, "\t")
    elif token.name == "br":
        gatherer.take_mark(token, "\n")


def _read_attributes(raw: str, token: MarkupToken) -> list[Passage]:
    if token.closing:
        return []
    named = attributes(raw, token)
    read = [each for each in named if each.name in _READ_ATTRIBUTES]
    if token.name == "meta" and any(
        each.name in {"name", "property"} and _READ_META.fullmatch(each.value.lower()) for each in named
    ):
        read += [each for each in named if each.name == "content"]
    return [Passage(decode(raw, each.start, each.end), each.quote, token.name) for each in read]


def _lines(raw: str, style: str) -> tuple[Passage, ...]:
    found: list[Passage] = []
    heading = ""
    skipped = [] if style == PROSE else [(token.start, token.end) for token in tokenize(raw) if token.kind == "skip"]
    for match in _LINE.finditer(raw):
        inside = any(start <= match.start() < end for start, end in skipped)
        if inside or _is_blank(match[0]):
            continue
        start, end = match.start(), match.start() + len(match[0].rstrip("\r\n"))
        if found and _UNDERLINE.fullmatch(match[0]):
            # The line above is a heading, as reStructuredText and Markdown write it.
            heading = found[-1].text
            continue
        words = _as_it_stands(raw, start, end) if style == PROSE else decode(raw, start, end)
        found.append(Passage(words, "", "", heading, match.span(), style))
        if words.text.startswith(("#", "=", "*")) and " " in words.text[:7]:
            heading = words.text
    return tuple(found)


def _as_it_stands(raw: str, start: int, end: int) -> Decoded:
    return Decoded(raw[start:end], tuple(range(start, end)), tuple(range(start + 1, end + 1)))
