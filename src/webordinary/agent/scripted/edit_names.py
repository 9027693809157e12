"""The title and the main heading of a page."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from webordinary.agent.scripted.edit_words import unknown_page
from webordinary.agent.scripted.formats import front_of
from webordinary.agent.scripted.instruction import Heading, InstructionOutcome, NewTitle, shortened
from webordinary.agent.scripted.markup import MarkupToken, Splice, tokenize, written

if TYPE_CHECKING:
    from webordinary.agent.scripted.pages import Site, SourcePage

_FRONT_TITLE = re.compile(r"^[ \t]*\"?title\"?[ \t]*[:=][ \t]*(?P<value>\"(?:[^\"\\\n]|\\.)*\"|[^\r\n]*)", re.MULTILINE)
_FIRST_HEADING = re.compile(r"^#[ \t]+(?P<value>[^\r\n]*)", re.MULTILINE)


def set_title(site: Site, wish: NewTitle) -> InstructionOutcome:
    """Set the title that the browser and search engines show."""
    page = site.page_called(wish.page)
    if page is None:
        return unknown_page(site, wish.page or "home")
    front = _front_title(page, wish.text)
    splices = front or (
        _markdown_heading(page, wish.text) if page.is_markdown else _inside(page.shown, "title", wish.text)
    )
    return _told(site, page, "title", wish.text, splices)


def set_heading(site: Site, wish: Heading) -> InstructionOutcome:
    """Set the first heading of a page."""
    page = site.page_called(wish.page)
    if page is None:
        return unknown_page(site, wish.page or "home")
    if page.is_markdown:
        return _told(site, page, "heading", wish.text, _markdown_heading(page, wish.text))
    splices = _inside(page.shown, "h1", wish.text) or _inside(page.shown, "h2", wish.text)
    return _told(site, page, "heading", wish.text, splices)


def _told(site: Site, page: SourcePage, what: str, text: str, splices: list[Splice]) -> InstructionOutcome:
    if not splices:
        question = f"I could not find a {what} on {page.label}. Which words should change?"
        return InstructionOutcome(question, question=question)
    if site.change(page, splices):
        return InstructionOutcome(f"Set the {what} of {page.label} to “{shortened(text)}”.", (page.path,))
    return InstructionOutcome(f"The {what} of {page.label} already is “{shortened(text)}”.")


def _inside(raw: str, name: str, text: str) -> list[Splice]:
    tokens = tokenize(raw)
    first = next((n for n, each in enumerate(tokens) if each.name == name and not each.closing), None)
    if first is None:
        return []
    inner: list[MarkupToken] = []
    for token in tokens[first + 1 :]:
        if token.name == name and token.closing:
            return _new_text(raw, tokens[first], inner, text)
        inner.append(token)
    return []


def _new_text(raw: str, opener: MarkupToken, inner: list[MarkupToken], text: str) -> list[Splice]:
    texts = [each for each in inner if each.kind == "text" and raw[each.start : each.end].strip()]
    if not texts:
        return [Splice(opener.end, opener.end, written(text))]
    # The tags inside stay: a link or a line break in a heading belongs to the design.
    spans = [_trimmed(raw, each) for each in texts]
    return [Splice(*spans[0], written(text)), *(Splice(*span, "") for span in spans[1:])]


def _trimmed(raw: str, token: MarkupToken) -> tuple[int, int]:
    text = raw[token.start : token.end]
    return token.start + len(text) - len(text.lstrip()), token.end - len(text) + len(text.rstrip())


def _front_title(page: SourcePage, text: str) -> list[Splice]:
    front = front_of(page.path, page.text)
    match = _FRONT_TITLE.search(page.text, front[0], front[1]) if front else None
    return [Splice(*match.span("value"), json.dumps(text, ensure_ascii=False))] if match else []


def _markdown_heading(page: SourcePage, text: str) -> list[Splice]:
    match = _FIRST_HEADING.search(page.shown)
    return [Splice(*match.span("value"), written(text))] if match else []
