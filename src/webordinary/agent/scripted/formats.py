"""How the files of generators are written: which of their letters are words, and which belong to a program.

What is no word is covered by a sign that nobody writes: the covered text is as long as the file, so that a place in one
is the same place in the other. Which files may be changed is not said here: the worker names them.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

COVER = "\ue001"


class Format(StrEnum):
    """How a file is written."""

    MARKUP = "markup"
    MARKDOWN = "markdown"
    PROSE = "prose"
    # A name for each line of text, and what stands behind it.
    INDENTED = "indented"
    TAGS_IN_CODE = "tags in code"
    YAML = "yaml"
    TOML = "toml"
    JSON = "json"
    CELLS = "cells"
    # Read to find out where words come from, and never written.
    CODE = "code"


_TABLE = {
    Format.MARKUP: "html htm xhtml xml astro vue svelte njk nunjucks liquid hbs handlebars mustache ejs eta erb twig"
    " jinja jinja2 j2 webc vto tmpl gohtml templ marko",
    Format.MARKDOWN: "md markdown mdown mkdown mkdn mkd mdoc mdx svx qmd rmd",
    Format.PROSE: "rst adoc asciidoc org textile txt lr",
    Format.INDENTED: "pug jade haml slim",
    Format.TAGS_IN_CODE: "jsx tsx",
    Format.YAML: "yml yaml",
    Format.TOML: "toml",
    Format.JSON: "json geojson",
    Format.CELLS: "csv tsv",
    Format.CODE: "js mjs cjs ts mts cts coffee json5 jsonc py rb php lua go exs ex less styl ini cfg conf",
}
ENDINGS = {ending: form for form, endings in _TABLE.items() for ending in endings.split()}
# Braces alone are a program in these.
BRACED = (".astro", ".svelte", ".mdx", ".svx", ".jsx", ".tsx", ".marko")
# As long as a command may be: without an end each beginning would be looked after to the end of the file.
_COMMANDS = re.compile(
    r"\{\{.{0,1000}?\}\}|\{%.{0,1000}?%\}|\{#.{0,1000}?#\}|<%.{0,1000}?%>|<\?.{0,1000}?\?>", re.DOTALL
)
_HEAD = re.compile(
    r"\A\ufeff?(?P<mark>---|\+\+\+|;;;)[^\n]*\n(?P<inside>.*?)^(?P=mark)[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE
)
_IMPORTS = re.compile(r"^(?:import|export)\s[^\n]*$", re.MULTILINE)
_KEYWORDS = "extends|include|block|append|prepend|mixin|if|unless|else|each|for|while|case|when|default|doctype"
_LINE_OF_TEXT = re.compile(
    rf"^[ \t]*(?!(?:{_KEYWORDS})\b)"
    r"(?:\|[ \t]?|(?:[%.#]?[A-Za-z][\w.#:-]*|[.#][\w-][\w.#-]*)(?:\([^()\n]*\)|\{[^{}\n]*\})?(?![\w=(:])[ \t]+)"
    r"(?P<text>[^\s=|:{(-][^\n]*)$",
    re.MULTILINE,
)
_TAG_AND_TEXT = re.compile(
    r"</?[A-Za-z][\w.:-]*(?:\s[^<>]*)?>(?P<text>[^<>{};=]*)(?=</?[A-Za-z])|</?[A-Za-z][\w.:-]*(?:\s[^<>]*)?>"
)
_DEEPEST = 50


def format_of(path: str) -> Format | None:
    """Return how a file of this name is written; None when nobody here can read it."""
    return ENDINGS.get(_ending(path))


def front_of(path: str, text: str) -> tuple[int, int, Format] | None:
    """Return where the figures at the top of a page stand, and how they are written; a program there is none."""
    head = _HEAD.match(text) if format_of(path) in {Format.MARKUP, Format.MARKDOWN, Format.PROSE} else None
    if head is None or _ending(path) == "astro" or re.match(r"\ufeff?---[a-z]", text):
        return None
    written = {"---": Format.YAML, "+++": Format.TOML, ";;;": Format.JSON}[head["mark"]]
    return *head.span("inside"), written


@lru_cache(maxsize=512)
def covered(path: str, text: str) -> str:
    """Return the text with everything covered that is no word for a visitor and no markup around one."""
    form, ending = format_of(path), _ending(path)
    if form in {Format.INDENTED, Format.TAGS_IN_CODE}:
        return _all_but(text, _LINE_OF_TEXT if form is Format.INDENTED else _TAG_AND_TEXT)
    if form not in {Format.MARKUP, Format.MARKDOWN, Format.PROSE}:
        return text
    head = _HEAD.match(text)
    shown = _cover(text, 0, head.end()) if head else text
    shown = _COMMANDS.sub(lambda match: COVER * len(match[0]), shown)
    if path.lower().endswith(BRACED):
        for start, end in _braces(shown):
            shown = _cover(shown, start, end)
    return _IMPORTS.sub(lambda match: COVER * len(match[0]), shown) if ending in {"mdx", "svx"} else shown


def _ending(path: str) -> str:
    return PurePosixPath(path).suffix[1:].lower()


def _cover(text: str, start: int, end: int) -> str:
    hidden = "".join(sign if sign in "\r\n" else COVER for sign in text[start:end])
    return f"{text[:start]}{hidden}{text[end:]}"


def _all_but(text: str, kept: re.Pattern[str]) -> str:
    """Cover what the pattern does not find, and in what it finds everything but tags and the text behind them."""
    parts, position = [], 0
    for match in kept.finditer(text):
        start = match.start() if text[match.start()] == "<" else match.start("text")
        parts += [_cover(text[position:start], 0, start - position), text[start : match.end()]]
        position = match.end()
    return "".join([*parts, _cover(text[position:], 0, len(text) - position)])


def _braces(text: str) -> Iterator[tuple[int, int]]:
    """Yield what stands in braces, with all that stands in braces inside."""
    depth, start = 0, 0
    for match in re.finditer(r"[{}]", text):
        if match[0] == "{":
            start = match.start() if not depth else start
            depth = min(depth + 1, _DEEPEST)
        elif depth:
            depth -= 1
            if not depth:
                yield start, match.end()
