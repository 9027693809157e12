"""Reads a page: walks through its tree once and sorts what it finds by who would notice it.

The look is a line of entries, one for each element and each text: how deep it stands, what it is (`n` an element, `i` a
picture, `b` a break, `t` a text) and the number of its style. A text has, where it is not the same throughout, at which
letters other words begin to look otherwise, and behind `~` a mark of spaces that browsers show.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from turbohtml import Doctype, DocumentFragment, Element, Namespace, Text

from webordinary.site.read.elements import Page, PageContents, described, mark, one_line, sizes_of
from webordinary.site.read.looks import INSIDE
from webordinary.site.read.markup import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Node

# Words inside these stay in the sentence that they stand in.
_INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "nobr", "q", "rb", "rp", "rt", "ruby", "s", "samp", "slot", "small", "span", "strike",
    "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "tspan", "textPath",
})  # fmt: skip
# What stands inside is not among the texts that everybody sees.
_ASIDE = frozenset({
    "audio", "canvas", "datalist", "desc", "iframe", "metadata", "noembed", "noframes", "object", "optgroup", "option",
    "select", "template", "textarea", "title", "video",
})  # fmt: skip
_PICTURES = frozenset({"image", "img"})
_PROGRAMS = frozenset({"script", "style"})
# What is told by itself.
_ELSEWHERE = _PROGRAMS | {"base", "head", "link", "meta", "noscript", "title"}
_KEEPS_SPACES = frozenset({"listing", "plaintext", "pre", "textarea", "xmp"})
_SPACES = re.compile(r"[ \t\n\f\r]+")
_LONGEST_TITLE = 1_000_000
# More than any page has that somebody reads; comparing them takes longer than reading them.
_MOST_ELEMENTS = 100_000


def read_page(html: str | bytes) -> Page:
    """Read a page as it was built."""
    tree = parse(html)
    if tree is None:
        return Page(is_broken=True)
    reader = _Reader()
    reader.walk(tree)
    if len(reader.look) > _MOST_ELEMENTS:
        return Page(is_broken=True)
    told = reader.told
    return Page(
        reader.title or "",
        tuple(reader.texts),
        tuple(told.pictures),
        tuple(told.links),
        " ".join(told.descriptions),
        tuple(told.alts),
        tuple(told.data),
        " ".join(reader.look),
        tuple(told.others),
        tuple(told.deeds),
        tuple(reader.styles),
    )


def read_title(content: bytes) -> str:
    """Return what a page calls itself."""
    return read_page(content[:_LONGEST_TITLE]).title


class _Reader:
    """Collects texts block by block; no function calls itself, so that nothing can be nested too deep."""

    def __init__(self) -> None:
        self.told = PageContents()
        self.title: str | None = None
        self.texts: list[str] = []
        self.look: list[str] = []
        self.styles: dict[str, int] = {}
        self._names: list[str] = []
        self._number("")
        self._pieces: list[tuple[int, str]] = []
        self._depth = 0
        self._aside = 0
        self._spaced = 0
        # The styles of the open inline elements, all in one.
        self._style = 0

    def walk(self, root: Node) -> None:
        open_: list[tuple[Iterator[Node], _Open]] = [(iter(root.children), _Open())]
        while open_ and len(self.look) <= _MOST_ELEMENTS:
            children, element = open_[-1]
            node = next(children, None)
            if node is None:
                open_.pop()
                self._leave(element)
            elif isinstance(node, Text):
                self._pieces.append((self._style, node.data))
            elif isinstance(node, Doctype):
                self._entry(
                    "n", "\n".join(("doctype", f"name={node.name}", f"of={node.public_id}", f"at={node.system_id}"))
                )
            elif isinstance(node, DocumentFragment):
                open_.append((iter(node.children), _Open()))
            elif isinstance(node, Element):
                entered = self._enter(node)
                if entered is not None:
                    open_.append((iter(node.children), entered))

    def _enter(self, node: Element) -> _Open | None:
        """Begin an element; None when nothing inside of it is left to look at."""
        tag = node.tag
        given = {name: _value(value) for name, value in node.attrs.items()}
        if tag in _ELSEWHERE and (node.namespace is Namespace.HTML or tag in _PROGRAMS):
            return self._enter_elsewhere(tag, given, node)
        if tag in _INLINE or node.namespace is Namespace.MATHML:
            return self._enter_inline(tag, given)
        return self._enter_block(tag, given, node)

    def _enter_elsewhere(self, tag: str, given: dict[str, str], node: Element) -> _Open | None:
        """Take what is told by itself and stands nowhere in the look."""
        match tag:
            case "head":
                return _Open()
            case "title" if self.title is None:
                self.title = one_line(node.text)
            case "title":
                self.told.others.append(one_line(node.text))
            case "noscript":
                self._read_noscript(node, self.told.read(tag, given))
            case "style":
                self._end_text()
                self._entry("n", "\n".join(("style", *given, f"text={mark(self.told.read_css(node.text))}")))
            case _:
                self._note(tag, given, node)
        return None

    def _note(self, tag: str, given: dict[str, str], node: Element) -> None:
        match tag:
            case "script":
                self.told.read_script(given, node.text)
            case "meta":
                self.told.read_meta(given)
            case "link":
                self.told.read_link(given)
            case _:
                self.told.deeds.append(described(tag, given))

    def _read_noscript(self, node: Element, own: str) -> None:
        """Read what browsers without programs would show; it is text for all others."""
        self._end_text()
        self._entry("n", own)
        inside = parse(node.text) if not self._aside else None
        if inside is None:
            self.told.others.append(one_line(node.text))
            return
        self._aside += 1
        self.walk(inside)
        self._aside -= 1

    def _enter_inline(self, tag: str, given: dict[str, str]) -> _Open:
        before, entries = self._style, len(self.look)
        own = self.told.read(tag, given)
        self._style = self._number(f"{self._names[before]}{INSIDE}{own}" if before else own)
        return _Open(tag, inline=before, entries=entries, pieces=len(self._pieces))

    def _enter_block(self, tag: str, given: dict[str, str], node: Element) -> _Open:
        self._end_text()
        is_picture = tag in _PICTURES or (tag == "input" and given.get("type", "").lower() == "image")
        sizes = sizes_of(given) if is_picture else {}
        rest = {name: value for name, value in given.items() if name not in sizes}
        is_drawn = tag == "source" and _parent_tag(node) == "picture"
        own = self.told.read(tag, rest, is_drawn=is_drawn)
        kind = "i" if is_picture else "b" if tag == "br" else "n"
        self._entry(kind, own, "\n".join(("", *(f"{name}={value}" for name, value in sizes.items()))) if sizes else "")
        is_aside = tag in _ASIDE and not (tag == "template" and "shadowrootmode" in given)
        self._depth += 1
        self._aside += is_aside
        self._spaced += tag in _KEEPS_SPACES
        return _Open(tag, is_aside=is_aside)

    def _leave(self, element: _Open) -> None:
        if element.inline is not None:
            if len(self.look) == element.entries and len(self._pieces) == element.pieces:
                # Nothing stands in it, and yet it can be seen.
                self._end_text()
                self._entry("n", "")
            self._style = element.inline
            return
        self._end_text()
        if element.tag:
            self._depth -= 1
            self._aside -= element.is_aside
            self._spaced -= element.tag in _KEEPS_SPACES

    def _entry(self, kind: str, own: str, sizes: str = "") -> None:
        around = f"@{self._style}" if self._style else ""
        extra = f"/{self._number(sizes)}" if sizes else ""
        self.look.append(f"{self._depth}{kind}{self._number(own)}{extra}{around}")

    def _number(self, style: str) -> int:
        number = self.styles.get(style)
        if number is None:
            number = self.styles[style] = len(self._names)
            self._names.append(style)
        return number

    def _end_text(self) -> None:
        if not self._pieces:
            return
        pieces, self._pieces = self._pieces, []
        text, runs = _joined(pieces)
        if not text:
            return
        if self._aside:
            self.told.others.append(text)
            if runs:
                self._entry(
                    "n", f"aside\nlook={mark(repr([(self._names[style], len(each)) for style, each in pieces]))}"
                )
            return
        self.texts.append(text)
        self.look.append(f"{self._depth}t{runs}{self._spaces(pieces, text)}")

    def _spaces(self, pieces: list[tuple[int, str]], text: str) -> str:
        """Return a mark of spaces that browsers show; most texts have none."""
        raw = "".join(piece for _, piece in pieces)
        if self._spaced:
            return f"~{mark(raw)}"
        if raw.isascii() or (shown := _SPACES.sub(" ", raw).strip(" ")) == text:
            return ""
        return f"~{mark(shown)}"


class _Open:
    """An element that was begun: what has to be taken back at its end."""

    __slots__ = ("entries", "inline", "is_aside", "pieces", "tag")

    def __init__(
        self, tag: str = "", *, inline: int | None = None, entries: int = 0, pieces: int = 0, is_aside: bool = False
    ) -> None:
        self.tag, self.inline, self.entries, self.pieces, self.is_aside = tag, inline, entries, pieces, is_aside


def _joined(pieces: list[tuple[int, str]]) -> tuple[str, str]:
    """Return a text in one line, and at which letters another style begins."""
    parts: list[str] = []
    runs: list[str] = []
    length, style_now, is_spaced = 0, 0, False
    for style, piece in pieces:
        chunk = one_line(piece)
        if not chunk:
            is_spaced = is_spaced or bool(piece)
            continue
        if length and (is_spaced or piece[0].isspace()):
            parts.append(" ")
            length += 1
        if style != style_now:
            runs.append(f"{length}@{style}")
            style_now = style
        parts.append(chunk)
        length += len(chunk)
        is_spaced = piece[-1].isspace()
    return "".join(parts), ",".join(runs)


def _parent_tag(node: Element) -> str:
    parent = node.parent
    return parent.tag if isinstance(parent, Element) else ""


def _value(value: str | list[str] | None) -> str:
    if isinstance(value, list):
        return " ".join(value)
    return value or ""
