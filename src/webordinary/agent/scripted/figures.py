"""Words in files of figures and settings: each value that a visitor could read, with the name that it has there."""

# ruff: noqa: RUF001 - people write long dashes between times, and so do the patterns

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from webordinary.agent.scripted.formats import Format
from webordinary.agent.scripted.markup import Decoded
from webordinary.agent.scripted.passage import Passage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
