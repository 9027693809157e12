"""A page of a built site: what a visitor sees, what it says about itself to programs, and a mark of the rest."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from webordinary.site.markup import walk

_UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "svg", "math", "iframe", "object"})
_DRAWINGS = frozenset({"svg", "math"})
# What belongs into no drawing.
_ENDS_DRAWINGS = frozenset({
    "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2", "h3",
    "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s",
    "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var",
})  # fmt: skip
# Words inside these stay in the sentence that they stand in.
_INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "dfn", "em", "font", "i", "kbd", "label", "mark", "q", "s",
    "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
})  # fmt: skip
_EMPTY = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
})  # fmt: skip
# Of these a page tells something to programs; the other links only bring its files along.
_RELATIONS = frozenset({"canonical", "alternate", "next", "prev", "author", "license", "me"})
# What is told by itself, and what only says how often something was built.
_TOLD_ELSEWHERE = {"a": ("href",), "img": ("src", "srcset", "alt"), "html": ("lang",)}
_NEVER_SHOWN = frozenset({"nonce", "integrity"})
_LONGEST_NAME = 300
_HASHED = re.compile(r"[._-][0-9A-Za-z_-]*\d[0-9A-Za-z_-]{5,}(?=\.[a-z0-9]+$)")


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its title, its texts in their order, its pictures and where its links lead.

    `description` is for search engines and `alts` stand for the pictures; `data` is what else it tells to programs;
    `look` is a mark of everything else in it but comments and spaces.
    """

    title: str = ""
    texts: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    description: str = ""
    alts: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    look: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """Everything that somebody has written."""
        return (self.title, *self.texts, self.description, *self.alts)


def read_page(html: str) -> Page:
    """Read a page as it was built."""
    reader = _Reader()
    walk(html, reader)
    reader.end_text()
    return Page(
        _line("".join(reader.title)),
        tuple(reader.texts),
        tuple(reader.pictures),
        tuple(reader.links),
        " ".join(reader.descriptions),
        tuple(reader.alts),
        tuple(reader.data),
        reader.look.hexdigest()[:16],
    )


class _Reader:
    """Collects texts block by block; no stack of open elements, so that nothing can be nested too deep."""

    def __init__(self) -> None:
        self.title: list[str] = []
        self.texts: list[str] = []
        self.pictures: list[str] = []
        self.links: list[str] = []
        self.descriptions: list[str] = []
        self.alts: list[str] = []
        self.data: list[str] = []
        self.look = hashlib.sha256()
        self._words: list[str] = []
        self._unseen: dict[str, int] = {}
        self._in_title = False
        self._in_data = False

    @property
    def is_in_drawing(self) -> bool:
        return not _DRAWINGS.isdisjoint(self._unseen)

    def start(self, tag: str, given: dict[str, str], *, is_closed: bool) -> None:
        if tag in _ENDS_DRAWINGS:
            # As browsers do it: whoever forgot to close a drawing has not hidden the page with that.
            for drawing in _DRAWINGS:
                self._unseen.pop(drawing, None)
        if tag in _UNSEEN and not (is_closed and tag in _DRAWINGS):
            self._unseen[tag] = self._unseen.get(tag, 0) + 1
        self._in_title = tag == "title" and "svg" not in self._unseen
        self._in_data = tag == "script" and given.get("type", "").lower() == "application/ld+json"
        if tag not in _INLINE:
            self.end_text()
        self._look_at(tag, given)

    def _look_at(self, tag: str, given: dict[str, str]) -> None:
        match tag:
            case "body":
                # Whoever forgot to close the head has not hidden the page with that.
                self._unseen.pop("head", None)
                self._note_look(tag, given)
            case "meta":
                self._look_at_meta(given)
            case "link" if given.get("rel", "").lower() in _RELATIONS:
                self.data.append(_line(f"{given['rel']} {given.get('hreflang', '')} {given.get('href', '')}"))
            case _:
                self._look_at_content(tag, given)
                self._note_look(tag, given)

    def _look_at_meta(self, given: dict[str, str]) -> None:
        name, content = given.get("name") or given.get("property") or given.get("http-equiv"), given.get("content")
        if not name or not content:
            self._note_look("meta", given)
        elif name.lower() == "description":
            self.descriptions.append(_line(content))
        else:
            self.data.append(f"{name.lower()}: {_line(content)}")

    def _look_at_content(self, tag: str, given: dict[str, str]) -> None:
        if tag == "img" and (source := given.get("src") or given.get("srcset", "").strip()):
            self.pictures.append(given.get("src") or source.split(maxsplit=1)[0])
            if given.get("alt", "").strip():
                self.alts.append(_line(given["alt"]))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "html" and given.get("lang"):
            self.data.append(f"lang: {given['lang']}")

    def _note_look(self, tag: str, given: dict[str, str]) -> None:
        told = (*_TOLD_ELSEWHERE.get(tag, ()), *_NEVER_SHOWN)
        kept = sorted((name, plain_name(value.strip())) for name, value in given.items() if name not in told)
        self.look.update(repr((tag, kept)).encode(errors="replace"))

    def end(self, tag: str) -> None:
        if tag in _UNSEEN and self._unseen.get(tag, 0) > 0:
            self._unseen[tag] -= 1
            if not self._unseen[tag]:
                del self._unseen[tag]
        if tag == "title":
            self._in_title = False
        if tag == "script":
            self._in_data = False
        if tag not in _INLINE and tag not in _EMPTY:
            self.end_text()

    def text(self, text: str) -> None:
        if self._in_title:
            self.title.append(text)
        elif self._in_data:
            self.data.append(_line(text))
        elif not self._unseen:
            self._words.append(text)
        elif set(self._unseen) != {"head"}:
            # Styles and programs that stand in the page itself.
            self.look.update(_line(text).encode(errors="replace"))

    def end_text(self) -> None:
        text = _line("".join(self._words))
        self._words.clear()
        if text:
            self.texts.append(text)


def plain_name(path: str) -> str:
    """Return a file's name without what a build made of its content: the same file under another name is the same."""
    return _HASHED.sub("", path) if len(path) <= _LONGEST_NAME else path


def _line(text: str) -> str:
    return " ".join(text.split())
