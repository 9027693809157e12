"""What a visitor reads on a page, as passages: a paragraph, a table row, a list entry, a picture's words.

In files of figures and settings it is each value that a visitor could read, with the name that it has there.
"""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from webordinary.agent.scripted.formats import BRACED, COVER, Format, covered, format_of, front_of
from webordinary.agent.scripted.markup import Decoded, MarkupToken, attributes, decode, tokenize
from webordinary.agent.scripted.passage import BRACES, PROSE, Passage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webordinary.agent.scripted.pages import SourcePage


# What these say is meant for the generator, whatever it looks like.
_NAMES = """
layout template permalink slug id type class icon date lastmod weight draft url href src image img file path aliases
tags categories key lang language locale timezone theme plugin plugins
"""
_FOR_PROGRAMS = frozenset(_NAMES.split())
_NO_WORDS = re.compile(
    r"[a-z][a-z0-9_./-]*|[A-Za-z]+://\S*|\S*/\S*|\d{4}-\d\d-\d\d\S*|#[0-9A-Fa-f]{3,8}|true|false|null"
)
_TIMES = re.compile(r"\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\.?|uhr|h)?\s?(?:-|–|—|to|bis|à|a)\s?\d", re.IGNORECASE)
_YAML_LINE = re.compile(
    r"(?P<lead>[ \t]*(?:- +)*)"
    r"(?:(?P<key>\"[^\"\n]*\"|'[^'\n]*'|[^\s:#'\"\[\]{}&*!|>%@`,?-][^:#\n]*?)[ \t]*:(?=[ \t]|$)[ \t]*)?"
    r"(?P<value>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\n]|'')*'|[^\n]*?)[ \t]*(?P<comment>(?<=[ \t])#[^\n]*)?\r?$",
    re.MULTILINE,
)
_BLOCK = re.compile(r"[|>][+-]?\d?")
_STRING = re.compile(
    r"#[^\n]*|\"\"\".*?\"\"\"|'''.*?'''|\"(?P<double>(?:[^\"\\\n]|\\.)*)\"(?P<key>\s*[:=])?|'(?P<single>[^'\n]*)'(?P<key2>\s*=)?",
    re.DOTALL,
)
_NAME_BEFORE = re.compile(r"(?:\"(?P<quoted>[^\"\n]*)\"|(?P<bare>[\w-]+))\s*[:=]\s*(?:\[\s*)?$")
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.")
_CELL = re.compile(r"\"(?P<quoted>(?:[^\"]|\"\")*)\"|(?P<plain>[^,;\t\r\n\"]+)")
_LIST_ITEM = "li"
_LONGEST_LINE = 20_000


@lru_cache(maxsize=256)
def values(raw: str, form: Format, start: int, end: int) -> tuple[Passage, ...]:
    """Return every value of a file, or of a stretch of one, that reads like words."""
    match form:
        case Format.YAML:
            is_usual = all(len(line) <= _LONGEST_LINE for line in raw[start:end].split("\n"))
            return tuple(_yaml(raw, start, end)) if is_usual else ()
        case Format.CELLS:
            return tuple(_cells(raw, start, end))
        case _:
            return tuple(_strings(raw, form, start, end))


def with_key(raw: str, value: Passage) -> Passage:
    """Return times with the name before them: "monday" says on which day they hold."""
    if not value.key or value.whole is None or not _TIMES.search(value.text):
        return value
    at = raw.rfind(value.key, 0, value.whole[0])
    name = _plain(raw, at, at + len(value.key))
    here = value.whole[0]
    words = Decoded(
        f"{name.text}: {value.text}",
        (*name.starts, here, here, *value.words.starts),
        (*name.ends, here, here, *value.words.ends),
    )
    return replace(value, words=words)


def _yaml(raw: str, start: int, end: int) -> Iterator[Passage]:
    block: int | None = None
    heading = ""
    for match in _YAML_LINE.finditer(raw, start, end):
        indent = len(match["lead"]) - len(match["lead"].lstrip(" \t"))
        lead = len(match["lead"].expandtabs())
        if block is not None and (lead > block or not match[0].strip()):
            if match[0].strip():
                yield _block_line(raw, match, heading)
            continue
        block = None
        key, value = (match["key"] or "").strip("\"'"), match["value"]
        if _BLOCK.fullmatch(value):
            block = len(match["lead"]) - match["lead"].count("- ") * 2 if not match["key"] else indent
            continue
        if not value or match[0].lstrip().startswith("#"):
            heading = key or heading
        elif found := _yaml_value(raw, match, key, heading):
            yield found


def _block_line(raw: str, match: re.Match[str], heading: str) -> Passage:
    text = match[0].rstrip("\r")
    start = match.start() + len(text) - len(text.lstrip())
    return Passage(_plain(raw, start, match.start() + len(text.rstrip())), "", "", heading, style="block")


def _yaml_value(raw: str, match: re.Match[str], key: str, heading: str) -> Passage | None:
    start, end = match.span("value")
    first = raw[start]
    if first in "[{&*!|>%@`":
        return None
    is_item = "- " in match["lead"]
    if first in "\"'" and raw[end - 1] == first and end - start > 1:
        style = "double" if first == '"' else "single"
        words = _escaped(raw, start + 1, end - 1) if first == '"' else _doubled(raw, start + 1, end - 1)
    else:
        style = "yaml" if match["key"] or is_item else "line"
        words = _plain(raw, start, end)
    if not _reads_as_words(key, words.text):
        return None
    outer = (match.start(), match.end() + 1) if is_item and not match["key"] else None
    return Passage(words, "", _LIST_ITEM if is_item else "", heading, outer, style, (start, end), key)


def _strings(raw: str, form: Format, start: int, end: int) -> Iterator[Passage]:
    for match in _STRING.finditer(raw, start, end):
        kind = "double" if match["double"] is not None else "single" if match["single"] is not None else ""
        if not kind or match["key"] or match["key2"] or (kind == "single" and form is not Format.TOML):
            continue
        at, to = match.span(kind)
        named = _NAME_BEFORE.search(raw, max(start, at - 200), at - 1)
        key = (named["quoted"] or named["bare"] or "") if named else ""
        words = _escaped(raw, at, to) if kind == "double" else _plain(raw, at, to)
        if _reads_as_words(key, words.text):
            style = "double" if kind == "double" else "literal"
            tag = _LIST_ITEM if raw[: at - 1].rstrip()[-1:] in "[{" or key.lower() in {"name", "title"} else ""
            yield Passage(words, "", tag, "", None, style, (at - 1, to + 1), key)


def _cells(raw: str, start: int, end: int) -> Iterator[Passage]:
    line = -1
    for match in _CELL.finditer(raw, start, end):
        kind = "quoted" if match["quoted"] is not None else "plain"
        at, to = match.span(kind)
        words = _doubled(raw, at, to, '"') if kind == "quoted" else _plain(raw, at, to)
        row = raw.count("\n", 0, at)
        if words.text.strip():
            tag = _LIST_ITEM if row != line else ""
            yield Passage(words, "", tag, "", None, "quoted cell" if kind == "quoted" else "cell", match.span())
        line = row


def _reads_as_words(key: str, value: str) -> bool:
    text = value.strip()
    return bool(text) and key.lower() not in _FOR_PROGRAMS and not _NO_WORDS.fullmatch(text)


def _plain(raw: str, start: int, end: int) -> Decoded:
    return Decoded(raw[start:end], tuple(range(start, end)), tuple(range(start + 1, end + 1)))


def _escaped(raw: str, start: int, end: int) -> Decoded:
    return _read(raw, start, end, _ESCAPE, _meant)


def _doubled(raw: str, start: int, end: int, mark: str = "'") -> Decoded:
    return _read(raw, start, end, re.compile(mark * 2), lambda _: mark)


def _meant(escape: str) -> str:
    try:
        return str(json.loads(f'"{escape}"'))
    except ValueError:
        return escape[1:]


def _read(raw: str, start: int, end: int, pattern: re.Pattern[str], meant: Callable[[str], str]) -> Decoded:
    text, starts, ends, position = "", list[int](), list[int](), start
    for match in [*pattern.finditer(raw, start, end), None]:
        until = match.start() if match else end
        text += raw[position:until]
        starts += range(position, until)
        ends += range(position + 1, until + 1)
        if match:
            letters = meant(match[0])
            text += letters
            starts += [match.start()] * len(letters)
            ends += [match.end()] * len(letters)
            position = match.end()
    return Decoded(text, tuple(starts), tuple(ends))


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
