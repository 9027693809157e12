"""The words of an HTML mail as a person would see them.

It walks the page itself: Python's own parser needs half a minute for 60 KB of opened tags, and raises on
others.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html import unescape


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_ATTRIBUTE = re.compile(
    r"""[\s/]*(?:(>)|([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?)""",
)
_RAW_ENDS = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style")}
_UNSEEN = _names("title textarea template svg math iframe")
_VOID = _names("area base br col embed hr img input link meta param source track wbr")
_BLOCKS = _names(
    "address article aside blockquote body center dd details div dl dt fieldset figure footer form h1 h2 h3"
    " h4 h5 h6 header html li main nav ol p pre section table tbody tfoot thead tr ul",
)
_PARAGRAPHS = _names("p ul ol table blockquote pre h1 h2 h3 h4 h5 h6")
_ENDS_ITS_LIKE = _names("p li td th tr dt dd option")
_HIDDEN_STYLE = re.compile(
    r"(?:^|;)(?:display:none|visibility:hidden|mso-hide:all"
    r"|(?:max-height|max-width|opacity):0(?:\.0+)?(?:px|pt|em|%)?(?:!important)?(?:;|$))",
)
_FONT_SIZE = re.compile(r"(?:^|;)font-size:(0(?:\.0+)?(?:px|pt|em|%)?(?:!important)?(?:;|$))?")
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
# Such a number is no letter, and one with thousands of digits makes `unescape` raise.
_HUGE_NUMBER = re.compile(r"&#(?:[0-9]{9,}|[xX][0-9a-fA-F]{9,});?")
_BULLET = "- "
_DEEPEST_QUOTE = 10
_LONGEST_LINK = 2_000


@dataclass(slots=True)
class Allowance:
    """How much may still be read, counted down by all pages of one mail: letters, tags and attributes."""

    letters: int
    steps: int = 200_000  # each costs some microseconds; the pages of office programs have ten thousand

    @property
    def is_spent(self) -> bool:
        return self.letters < 0 or self.steps < 0


@dataclass(frozen=True, slots=True)
class _Open:
    name: str
    hidden: bool
    tiny: bool
    quoting: bool
    link: str


@dataclass(slots=True)
class _Sheet:
    """The text so far, as lines; the last one is still being written."""

    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    quoting: int = 0

    def write(self, text: str) -> None:
        self.words.append(text)

    def end_line(self) -> None:
        if self.words == [_BULLET]:
            return
        line = _SPACES.sub(" ", "".join(self.words)).strip()
        if line:
            self.lines.append("> " * min(self.quoting, _DEEPEST_QUOTE) + line)
        self.words.clear()

    def end_paragraph(self) -> None:
        self.end_line()
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def text(self) -> str:
        self.end_line()
        return "\n".join(self.lines).strip("\n")


class _Walk:
    """One walk over a page, from its first letter to its last, never back."""

    def __init__(self, page: str, allowance: Allowance) -> None:
        self._page = page
        self._allowance = allowance
        self._sheet = _Sheet()
        self._open: list[_Open] = []
        self._count: Counter[str] = Counter()
        self._hidden = 0

    def text(self) -> str:
        position, end = 0, len(self._page)
        while position < end and not self._allowance.is_spent:
            bracket = self._page.find("<", position)
            self._write(self._page[position : bracket if bracket >= 0 else end])
            position = self._step(bracket) if bracket >= 0 else end
            self._allowance.steps -= 1
        return self._sheet.text()

    def _step(self, position: int) -> int:
        """Read what begins with this bracket and return where it ends; if never closed, it hides the rest."""
        page = self._page
        if page.startswith("<!--", position):
            return _after(page.find("-->", position + 4), 3, len(page))
        if page.startswith(("<!", "<?"), position):
            return _after(page.find(">", position), 1, len(page))
        tag = _TAG.match(page, position)
        if tag is None:
            self._write("<")
            return position + 1
        attributes, end = self._read_attributes(tag.end())
        name = tag[2].lower()
        if tag[1]:
            self._close(name)
            return end
        if name in _RAW_ENDS:
            closing = _RAW_ENDS[name].search(page, end)
            return closing.start() if closing else len(page)
        self._start(name, attributes)
        return end

    def _read_attributes(self, position: int) -> tuple[dict[str, str], int]:
        attributes: dict[str, str] = {}
        while not self._allowance.is_spent and (found := _ATTRIBUTE.match(self._page, position)):
            position = found.end()
            if found[1]:
                return attributes, position
            value = found[3] or found[4] or found[5] or ""
            attributes.setdefault(found[2].lower(), unescape(_HUGE_NUMBER.sub("", value)))
            self._allowance.steps -= 1
        return attributes, len(self._page)

    def _write(self, text: str) -> None:
        if not self._hidden and text and not (self._open and self._open[-1].tiny):
            text, self._allowance.letters = self._allowed(text), self._allowance.letters - len(text)
            text = unescape(_HUGE_NUMBER.sub("\ufffd", text))
            if self._count["pre"]:
                self._write_lines(text)
            else:
                self._sheet.write(_SPACES.sub(" ", text))

    def _allowed(self, text: str) -> str:
        return text[: max(0, self._allowance.letters)]

    def _write_lines(self, text: str) -> None:
        first, *others = text.split("\n")
        self._sheet.write(first)
        for line in others:
            self._sheet.end_line()
            self._sheet.write(line)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._open and self._ends_before(name):
            self._pop()
        self._break(name)
        if name in _VOID:
            return
        quoting = name == "blockquote" and _is_quote(attributes)
        link = attributes.get("href", "") if name == "a" else ""
        style = _SPACES.sub("", attributes.get("style", "")).lower()
        hidden = name in _UNSEEN or _is_hidden(attributes, style)
        self._open.append(_Open(name, hidden, self._is_tiny(style), quoting, link))
        self._count[name] += 1
        self._hidden += hidden
        self._sheet.quoting += quoting

    def _is_tiny(self, style: str) -> bool:
        """Tell whether letters have no size here; without a size of its own, an element has its parent's."""
        size = _FONT_SIZE.search(style)
        return size[1] is not None if size else bool(self._open) and self._open[-1].tiny

    def _ends_before(self, name: str) -> bool:
        last = self._open[-1].name
        return (last == name and name in _ENDS_ITS_LIKE) or (last == "p" and name in _BLOCKS)

    def _break(self, name: str) -> None:
        if self._hidden:
            return
        if name in _PARAGRAPHS or (name == "br" and not self._sheet.words):
            self._sheet.end_paragraph()
        elif name in _BLOCKS or name in {"br", "hr"}:
            self._sheet.end_line()
        if name in {"td", "th"}:
            self._sheet.write(" ")
        if name == "li":
            self._sheet.write(_BULLET)

    def _close(self, name: str) -> None:
        if not self._count[name]:
            return
        while self._open[-1].name != name:
            self._pop()
        self._pop()

    def _pop(self) -> None:
        closed = self._open.pop()
        self._count[closed.name] -= 1
        if closed.link.lower().startswith(("http://", "https://")):
            self._write_link(closed.link)
        if not self._hidden and closed.name in _PARAGRAPHS:
            self._sheet.end_paragraph()
        elif not self._hidden and closed.name in _BLOCKS:
            self._sheet.end_line()
        self._hidden -= closed.hidden
        self._sheet.quoting -= closed.quoting

    def _write_link(self, link: str) -> None:
        """Say where a link leads, unless its words say so already."""
        shown = "".join(self._sheet.words[-1:]).strip()
        if not self._hidden and len(link) <= _LONGEST_LINK and shown.rstrip("/") != link.rstrip("/"):
            self._sheet.write(f" <{link}>")


def html_to_text(page: str, allowance: Allowance) -> str:
    """Return the visible words of a page, line by line, as far as allowed; quoted ones begin with `>`."""
    return _Walk(page, allowance).text()


def _after(found: int, length: int, end: int) -> int:
    return found + length if found >= 0 else end


def _is_hidden(attributes: dict[str, str], style: str) -> bool:
    return "hidden" in attributes or _HIDDEN_STYLE.search(style) is not None


def _is_quote(attributes: dict[str, str]) -> bool:
    """Tell a quoted mail from an indented paragraph, which Gmail writes as a blockquote too."""
    return attributes.get("type", "").lower() == "cite" or "quote" in attributes.get("class", "").lower()
