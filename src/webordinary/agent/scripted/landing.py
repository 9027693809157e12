"""Where new paragraphs and pictures land on a page: at the end of its own content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.agent.scripted.formats import Format, format_of
from webordinary.agent.scripted.markup import MarkupToken, Splice, newline_of, tokenize, written

if TYPE_CHECKING:
    from webordinary.agent.scripted.pages import SourcePage

_ELSEWHERE = frozenset({"header", "footer", "nav", "aside", "form", "table", "ul", "ol", "dl", "figure", "blockquote"})
_MARKDOWN_SIGN = re.compile(r"[\\`*_\[\]]|^(?:[#>+-]|\d+(?=[.)]))")


def markdown_text(text: str) -> str:
    return _MARKDOWN_SIGN.sub(lambda match: "\\" + match[0], written(text))


def paragraph(page: SourcePage, text: str) -> str:
    """Return a text as a paragraph of this page."""
    if format_of(page.path) is Format.PROSE:
        return " ".join(text.split())
    return markdown_text(text) if page.is_markdown else f"<p>{written(text)}</p>"


def landing(page: SourcePage, lines: list[str], *, behind_figures: bool = False) -> Splice:
    """Return where these lines go; pictures go behind those that are there already."""
    raw, newline = page.shown, newline_of(page.text)
    if page.is_markdown:
        end = len(page.text.rstrip())
        gap = newline * 2 if behind_figures and format_of(page.path) is Format.MARKDOWN else newline
        return Splice(end, len(raw), (newline * 2 if end else "") + gap.join(lines) + newline)
    tokens = _own_content(tokenize(raw))
    last = _last_paragraph(tokens)
    if behind_figures and (figure := _last_figure(tokens, last[1].end if last else 0)):
        last = figure
    if last is not None:
        opener, closer_of_it = last
        indent = _indent_at(raw, opener.start)
        return Splice(closer_of_it.end, closer_of_it.end, "".join(f"{newline}{indent}{line}" for line in lines))
    closer = tokens[-1].start if tokens and tokens[-1].closing else len(raw)
    place = len(raw[:closer].rstrip())
    indent = _indent_at(raw, closer) + "  " if closer < len(raw) else ""
    tail = newline if not raw[place:closer] else ""
    return Splice(place, place, "".join(f"{newline}{indent}{line}" for line in lines) + tail)


def _own_content(tokens: tuple[MarkupToken, ...]) -> tuple[MarkupToken, ...]:
    """Return the tokens of <main> with its closing tag, else those of <body>, else all."""
    for name in ("main", "body"):
        marks = [number for number, token in enumerate(tokens) if token.name == name]
        opened = next((number for number in marks if not tokens[number].closing), None)
        closed = next((number for number in reversed(marks) if tokens[number].closing), None)
        if opened is not None and closed is not None and opened < closed:
            return tokens[opened + 1 : closed + 1]
    return tokens


def _last_paragraph(tokens: tuple[MarkupToken, ...]) -> tuple[MarkupToken, MarkupToken] | None:
    depth, opener, last = 0, None, None
    for token in tokens:
        if token.name in _ELSEWHERE:
            depth = max(0, depth - 1) if token.closing else depth + 1
        elif token.name == "p" and not token.closing:
            opener = token
        elif token.name == "p" and opener and not depth:
            last = (opener, token)
    return last


def _last_figure(tokens: tuple[MarkupToken, ...], behind: int) -> tuple[MarkupToken, MarkupToken] | None:
    """Return the last figure of the page's own content that stands behind a place."""
    depth, opener, last = 0, None, None
    for token in tokens:
        if token.name not in _ELSEWHERE:
            continue
        if not token.closing:
            opener = token if token.name == "figure" and not depth else opener
            depth += 1
            continue
        depth = max(0, depth - 1)
        if token.name == "figure" and opener and not depth and opener.start >= behind:
            last = (opener, token)
    return last


def _indent_at(raw: str, position: int) -> str:
    line = raw[raw.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip())]
