"""The tags and the text of a page as browsers take them apart, from its first letter to its last and never back.

Python's own parser needs minutes for a few kilobytes of opened tags. As in browsers, what is opened and never closed
takes the rest of the page with it, whether that is a tag, a comment or a title.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Protocol

_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*+)")
_ATTRIBUTE = re.compile(
    r"""([\s/]*+)(?:(>)|([^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)("?)|'([^']*+)('?)|([^\s>"'][^\s>]*+)?))?+)"""
)
# Inside of these nothing is a tag but their own end; in the second kind references to letters are still read.
_RAW = frozenset({"script", "style", "iframe", "noembed", "noframes", "xmp", "plaintext"})
_ALMOST_RAW = frozenset({"title", "textarea"})
_ENDS = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _RAW | _ALMOST_RAW}
_COMMENT_ENDS = re.compile("--!?>")
# Longer than any letter's number; Python refuses to read numbers of some thousand digits.
_HUGE_NUMBER = re.compile(r"&#[xX]?[0-9a-fA-F]{9,}+;?")


class Listener(Protocol):
    """Who hears what a page is made of; names are in lower case, and of two attributes of a name the first counts."""

    @property
    def is_in_drawing(self) -> bool:
        """Whether it is inside of a drawing, where other rules hold for what is no tag."""

    def start(self, tag: str, given: dict[str, str], *, is_closed: bool) -> None: ...

    def end(self, tag: str) -> None: ...

    def text(self, text: str) -> None: ...


def walk(page: str, listener: Listener) -> None:
    """Tell the listener everything, in its order."""
    position, end = 0, len(page)
    while position < end:
        bracket = page.find("<", position)
        if bracket < 0:
            bracket = end
        if bracket > position:
            listener.text(_read(page[position:bracket]))
        position = _step(page, bracket, listener) if bracket < end else end


def _step(page: str, position: int, listener: Listener) -> int:
    """Read what begins with this bracket and return where it ends."""
    tag = _TAG.match(page, position)
    if tag is None:
        return _skip(page, position, listener)
    name = tag[2].lower()
    given, end, is_closed = _attributes(page, tag.end())
    if given is None:
        return end
    if tag[1]:
        listener.end(name)
        return end
    is_raw = name in _ENDS and not listener.is_in_drawing
    listener.start(name, given, is_closed=is_closed)
    return _raw(page, end, name, listener) if is_raw else end


def _skip(page: str, position: int, listener: Listener) -> int:
    """Go behind a comment, or behind what browsers take for one; a bracket alone is text."""
    if page.startswith("<!--", position):
        if page.startswith((">", "->"), position + 4):
            return page.index(">", position) + 1
        found = _COMMENT_ENDS.search(page, position + 4)
        return found.end() if found else len(page)
    if page.startswith(("<!", "<?", "</"), position):
        closed = page.find(">", position)
        return closed + 1 if closed >= 0 else len(page)
    listener.text("<")
    return position + 1


def _attributes(page: str, position: int) -> tuple[dict[str, str] | None, int, bool]:
    """Return the attributes, where the tag ends and whether it closes itself; no attributes when it never ends."""
    given: dict[str, str] = {}
    while (found := _ATTRIBUTE.match(page, position)) is not None:
        before, closing, name, quoted, quote, marked, mark, plain = found.groups()
        position = found.end()
        if closing:
            return given, position, before.endswith("/")
        if (quoted is not None and not quote) or (marked is not None and not mark):
            break
        given.setdefault(name.lower(), _read(quoted or marked or plain or ""))
    return None, len(page), False


def _raw(page: str, position: int, name: str, listener: Listener) -> int:
    found = _ENDS[name].search(page, position) if name != "plaintext" else None
    end = found.start() if found else len(page)
    if end > position:
        inside = page[position:end]
        listener.text(_read(inside) if name in _ALMOST_RAW else inside)
    return end


def _read(text: str) -> str:
    return unescape(_HUGE_NUMBER.sub("\ufffd", text)) if "&" in text else text
