"""The words of an HTML mail as a person would see them.

It walks the page itself: Python's own parser needs half a minute for 60 KB of opened tags, and raises on
others.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING

from webordinary.mail.html.quote import QuoteRole, place_of
from webordinary.mail.html.style import (
    UNSEEN,
    WHITE,
    Colour,
    HiddenNames,
    Style,
    is_same_colour,
    read_attribute,
    read_style,
)
from webordinary.mail.message import STRUCK_OUT, STRUCK_OUT_ENDS, picture_mark

if TYPE_CHECKING:
    from collections.abc import Mapping


BULLET = "- "
_DEEPEST_QUOTE = 10
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_SIGNATURE = re.compile(r"[ \t\r\n\f]*--[ \xa0][ \t\r\n\f\xa0]*\Z")


@dataclass(slots=True)
class Sheet:
    """The text so far, as lines; the last one is still being written."""

    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    quoting: int = 0
    item: str = BULLET
    # How many of the open elements cross their words out, and whether the mark of that is open on this line.
    struck: int = 0
    _is_marked: bool = False

    def write(self, text: str) -> None:
        if not self.struck:
            self._end_mark()
        elif not self._is_marked and text.strip():
            self.words.append(STRUCK_OUT)
            self._is_marked = True
        # Inside of the mark its own bracket would end it too early.
        self.words.append(text.replace(STRUCK_OUT_ENDS, ")") if self.struck else text)

    def _end_mark(self) -> None:
        """Close the mark behind the last word that was crossed out, and leave the space behind it outside."""
        if self._is_marked:
            self._is_marked = False
            last = self.words.pop()
            self.words += [last.rstrip(), STRUCK_OUT_ENDS, last[len(last.rstrip()) :]]

    def begin_item(self, number: int | None) -> None:
        """Begin an item of a list; people speak of those that are counted by their numbers."""
        if self.words == [self.item]:
            # The one before was empty.
            self.words.clear()
        self.item = BULLET if number is None else f"{number}. "
        self._end_mark()
        self.words.append(self.item)

    def end_line(self, *, blank: bool = False) -> None:
        """End the line; one of spaces leaves a gap where it was meant as one."""
        if self.words == [self.item]:
            return
        self._end_mark()
        written = "".join(self.words)
        self.words.clear()
        line = _SPACES.sub(" ", written).strip()
        if _SIGNATURE.match(written):
            line = "-- "
        if line:
            self.lines.append("> " * min(self.quoting, _DEEPEST_QUOTE) + line)
        elif blank:
            self._end_block()

    def end_paragraph(self) -> None:
        self.end_line()
        self._end_block()

    def _end_block(self) -> None:
        if self.words != [self.item] and self.lines and self.lines[-1]:
            self.lines.append("")

    def text(self) -> str:
        self.end_line()
        return "\n".join(self.lines).strip("\n")


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_ATTRIBUTE = re.compile(
    r"""[\s/]*(?:(>)|([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?)""",
)
_RAW_ENDS = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style")}
_UNSEEN = _names("title textarea template svg math iframe noscript select datalist object video audio canvas dialog rp")
_STRUCK = _names("s del strike")
_VOID = _names("area base br col embed hr img input link meta param source track wbr")
_BLOCKS = _names(
    "address article aside blockquote body center dd details div dl dt fieldset figure footer form h1 h2 h3"
    " h4 h5 h6 header html li main nav ol p pre section table tbody tfoot thead tr ul",
)
_PARAGRAPHS = _names("p ul ol table blockquote pre h1 h2 h3 h4 h5 h6")
_ENDS_ITS_LIKE = _names("p li td th tr dt dd option")
# Such a number is no letter, and one with thousands of digits makes `unescape` raise.
_HUGE_NUMBER = re.compile(r"&#(?:[0-9]{9,}|[xX][0-9a-fA-F]{9,});?")
_LONGEST_LINK = 2_000
_START = re.compile(r"\d{1,4}\Z")
# Programs put little between a list and its items; a page may be nested deeper than it is long.
_ITEM_DEPTH = 8
_NO_STYLE = Style()


@dataclass(slots=True)
class ReadAllowance:
    """How much may still be read, counted down by all pages of one mail: letters, tags and attributes."""

    letters: int
    steps: int = 60_000  # each costs some microseconds; the pages of office programs have ten thousand

    @property
    def is_spent(self) -> bool:
        return self.letters < 0 or self.steps < 0


@dataclass(frozen=True, slots=True)
class MailPage:
    """The visible lines of a page; `tells_more` when it has quotes, hidden words or pictures that plain text lacks."""

    text: str
    tells_more: bool = False


@dataclass(slots=True)
class _Open:
    """An element that is not closed yet, with all that its children inherit."""

    name: str
    hidden: bool = False
    tiny: bool = False
    quoting: bool = False
    link: str = ""
    place: QuoteRole = QuoteRole.ORDINARY
    colour: Colour | None = None
    background: Colour | None = WHITE
    keeps_lines: bool = False
    is_paragraph: bool = False
    first_line: int = 0
    items: int = 0
    struck: bool = False

    @property
    def is_unseen(self) -> bool:
        return self.tiny or is_same_colour(self.colour, self.background)


class _Walk:
    """One walk over a page, from its first letter to its last, never back."""

    def __init__(self, page: str, allowance: ReadAllowance, pictures: Mapping[str, str], *, is_answer: bool) -> None:
        self._page = page
        self._allowance = allowance
        self._pictures = pictures
        self._is_answer = is_answer
        self._sheet = Sheet()
        self._open: list[_Open] = []
        self._count: Counter[str] = Counter()
        self._hidden = 0
        self._hidden_names = HiddenNames()
        self._tells_more = False
        self._in_tail = False

    def page(self) -> MailPage:
        position, end = 0, len(self._page)
        while position < end and not self._allowance.is_spent:
            bracket = self._page.find("<", position)
            self._write(self._page[position : bracket if bracket >= 0 else end])
            position = self._step(bracket) if bracket >= 0 else end
            self._allowance.steps -= 1
        return MailPage(self._sheet.text(), self._tells_more)

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
            inside = page[end : closing.start() if closing else len(page)]
            if name == "style":
                self._hidden_names.learn(inside)
            return end + len(inside)
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

    @property
    def _is_seen(self) -> bool:
        return not self._hidden and not (self._open and self._open[-1].is_unseen)

    def _write(self, text: str) -> None:
        if not text:
            return
        if not self._is_seen:
            self._tells_more = self._tells_more or bool(text.strip())
            return
        text, self._allowance.letters = self._allowed(text), self._allowance.letters - len(text)
        text = unescape(_HUGE_NUMBER.sub("\ufffd", text))
        if self._open and self._open[-1].keeps_lines:
            self._write_lines(text)
        else:
            self._sheet.write(text)

    def _allowed(self, text: str) -> str:
        return text[: max(0, self._allowance.letters)]

    def _write_lines(self, text: str) -> None:
        first, *others = text.split("\n")
        self._sheet.write(first)
        for line in others:
            self._sheet.end_line(blank="".join(self._sheet.words).strip() == "")
            self._sheet.write(line)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._open and self._ends_before(name):
            self._pop()
        style = read_style(attributes["style"]) if "style" in attributes else _NO_STYLE
        is_paragraph = name in _PARAGRAPHS and not (name == "p" and _is_close(attributes, style))
        self._break(name, is_paragraph=is_paragraph)
        if name in _VOID:
            if name == "img":
                self._write_picture(attributes, style)
            elif name == "hr" and place_of(name, attributes, is_answer=self._is_answer) == QuoteRole.TAIL:
                self._begin_tail()
            return
        self._push(self._inherited(name, attributes, style, is_paragraph=is_paragraph))

    def _inherited(self, name: str, attributes: dict[str, str], style: Style, *, is_paragraph: bool) -> _Open:
        above = self._open[-1] if self._open else _Open("")
        sheet = self._hidden_names.style_of(name, attributes)
        background = style.background or read_attribute(attributes.get("bgcolor", "")) or sheet.background
        if background in {None, UNSEEN}:
            background = above.background
        pictured = style.has_picture_behind or sheet.has_picture_behind
        return _Open(
            name,
            hidden=self._hides(name, attributes, style),
            tiny=above.tiny if style.is_tiny is None else style.is_tiny,
            link=attributes.get("href", "") if name == "a" else "",
            place=place_of(name, attributes, is_answer=self._is_answer),
            colour=style.colour or read_attribute(_colour_of(name, attributes)) or sheet.colour or above.colour,
            # What a picture shows is unknown, so nothing can be said to vanish in front of it.
            background=None if pictured or "background" in attributes else background,
            keeps_lines=above.keeps_lines or name == "pre" or style.keeps_lines,
            is_paragraph=is_paragraph,
            first_line=len(self._sheet.lines),
            items=int(start) - 1 if _START.match(start := attributes.get("start", "")) else 0,
            struck=name in _STRUCK or style.is_struck or sheet.is_struck,
        )

    def _hides(self, name: str, attributes: dict[str, str], style: Style) -> bool:
        return (
            name in _UNSEEN or "hidden" in attributes or style.is_hidden or self._hidden_names.hides(name, attributes)
        )

    def _push(self, element: _Open) -> None:
        if element.place == QuoteRole.TAIL:
            self._begin_tail()
        elif element.place in {QuoteRole.QUOTE, QuoteRole.GMAIL_ANNOUNCEMENT}:
            self._sheet.end_line()
            element.quoting = True
        self._tells_more = self._tells_more or element.place != QuoteRole.ORDINARY or element.struck
        self._open.append(element)
        self._count[element.name] += 1
        self._hidden += element.hidden
        self._sheet.quoting += element.quoting
        self._sheet.struck += element.struck

    def _begin_tail(self) -> None:
        """Mark the rest of the page as the other mail; a second sign of it means the same mail."""
        if not self._hidden and not self._in_tail:
            self._in_tail = self._tells_more = True
            self._sheet.end_line()
            self._sheet.quoting += 1

    def _ends_before(self, name: str) -> bool:
        last = self._open[-1].name
        return (last == name and name in _ENDS_ITS_LIKE) or (last == "p" and name in _BLOCKS)

    def _break(self, name: str, *, is_paragraph: bool) -> None:
        if self._hidden:
            return
        if is_paragraph or (name == "br" and not self._sheet.words):
            self._sheet.end_paragraph()
        elif name in _BLOCKS or name in {"br", "hr"}:
            self._sheet.end_line()
        if name in {"td", "th"}:
            self._sheet.write(" ")
        if name == "li":
            self._sheet.begin_item(self._count_item())

    def _count_item(self) -> int | None:
        """Count an item in its list, if that is one that counts."""
        list_ = next((each for each in reversed(self._open[-_ITEM_DEPTH:]) if each.name in {"ol", "ul"}), None)
        if list_ is None or list_.name == "ul":
            return None
        list_.items += 1
        return list_.items

    def _write_picture(self, attributes: dict[str, str], style: Style) -> None:
        source = attributes.get("src", "")
        name = self._pictures.get(source[4:].strip("<>")) if source[:4].lower() == "cid:" else None
        if name and self._is_seen and not style.is_hidden:
            self._sheet.write(f" {picture_mark(name)} ")
            self._tells_more = True

    def _close(self, name: str) -> None:
        if not self._count[name]:
            return
        while self._open[-1].name != name:
            self._pop()
        self._pop()

    def _pop(self) -> None:
        closed = self._open.pop()
        self._count[closed.name] -= 1
        if closed.link:
            self._write_link(_target(closed.link))
        if not self._hidden and (closed.is_paragraph or closed.quoting):
            self._sheet.end_paragraph()
        elif not self._hidden and closed.name in _BLOCKS:
            self._sheet.end_line(blank=closed.name == "p")
        self._hidden -= closed.hidden
        self._sheet.struck -= closed.struck
        self._sheet.quoting -= closed.quoting
        if closed.place == QuoteRole.GMAIL_ANNOUNCEMENT:
            self._look_for_forward(closed)

    def _look_for_forward(self, announcement: _Open) -> None:
        """Gmail puts a forwarded mail into the container of its announcement, without a quote around it."""
        announced = self._sheet.lines[announcement.first_line : announcement.first_line + 1]
        container = next((each for each in reversed(self._open) if each.place == QuoteRole.GMAIL_CONTAINER), None)
        if container and not container.quoting and announced and announced[0].lstrip("> ").startswith("---"):
            container.quoting = True
            self._sheet.quoting += 1

    def _write_link(self, link: str) -> None:
        """Say where a link leads, unless its words say so already."""
        shown = "".join(self._sheet.words[-1:]).strip().strip("<>")
        if self._is_seen and 0 < len(link) <= _LONGEST_LINK and shown.rstrip("/").lower() != link.rstrip("/").lower():
            self._sheet.write(f" <{link}>")


def html_to_text(
    page: str, allowance: ReadAllowance, pictures: Mapping[str, str] | None = None, *, is_answer: bool = False
) -> MailPage:
    """Return the visible words of a page, line by line, as far as allowed; what others wrote begins with `>`.

    `pictures` are the names of the files that came along, by content id; `is_answer` when the mail answers another.
    """
    return _Walk(page, allowance, pictures or {}, is_answer=is_answer).page()


def _target(link: str) -> str:
    """Return where a link leads, if that is a page or a mail address."""
    if link[:7].lower() == "mailto:":
        return link[7:].partition("?")[0]
    return link if link.lower().startswith(("http://", "https://")) else ""


def _colour_of(name: str, attributes: dict[str, str]) -> str:
    return attributes.get("text" if name == "body" else "color", "")


def _after(found: int, length: int, end: int) -> int:
    return found + length if found >= 0 else end


def _is_close(attributes: dict[str, str], style: Style) -> bool:
    """Tell whether a paragraph is only a line: Outlook makes one of each line that is typed."""
    return style.is_close or attributes.get("class", "").lower().startswith(("msonormal", "msolistparagraph"))
