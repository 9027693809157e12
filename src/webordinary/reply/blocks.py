"""Templates: plain text in which each line begins with what it is, filled with facts that can never become markup.

A paragraph ends at an empty line. `?` before it: it is left out when a fact is missing. Then `#` a title, `##` a
heading, `-` items, `1.` numbered choices, `>` what somebody else wrote, `@ label: $address` a link, `~` small print.
`$name` is a fact, `` `word` `` a word to be typed exactly so; `Subject:` in the first line begins a mail of its own.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_SUBJECT = "Subject: "
_OPTIONAL = "? "
_FACT = re.compile(r"\$([a-z_]+)")
_PART = re.compile(r"\$(?P<fact>[a-z_]+)|`(?P<key>[^`]+)`")
_LINK = re.compile(r"@ (?P<label>.+?)(?P<colon>[ \u00a0]?:) \$(?P<fact>[a-z_]+)")


class Shape(StrEnum):
    """What a block is; the value begins its lines in a template."""

    TITLE = "# "
    HEADING = "## "
    ITEMS = "- "
    CHOICES = "1. "
    QUOTE = "> "
    NOTE = "~ "
    LINK = "@ "
    TEXT = ""


@dataclass(frozen=True, slots=True)
class InlineWords:
    """Words inside a line; a key is a word that the person may type exactly so."""

    text: str
    is_key: bool = False


Line = tuple[InlineWords, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one shape; only a link has an address, and the colon that its language puts before one."""

    shape: Shape
    lines: tuple[Line, ...]
    address: str = ""
    colon: str = ":"


@dataclass(frozen=True, slots=True)
class Wording:
    """A whole mail in words: paragraphs of blocks, and a subject if it is no reply."""

    subject: str | None
    paragraphs: tuple[tuple[Block, ...], ...]

    @property
    def title(self) -> str:
        """The one line that says everything."""
        blocks = [block for paragraph in self.paragraphs for block in paragraph]
        chosen = next((block for block in blocks if block.shape is Shape.TITLE), blocks[0])
        return " ".join(plain(line) for line in chosen.lines)


def below_title(wording: Wording, words: str) -> Wording:
    """Put somebody's own words behind the first paragraph; they are never read as marks."""
    own = [paragraph.strip() for paragraph in words.replace("\r\n", "\n").split("\n\n")]
    added = tuple(_as_written(paragraph) for paragraph in own if paragraph)
    first, *rest = wording.paragraphs
    return Wording(wording.subject, (first, *added, *rest))


def _as_written(paragraph: str) -> tuple[Block, ...]:
    return (Block(Shape.TEXT, tuple((InlineWords(line.strip()),) for line in paragraph.split("\n"))),)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a template."""

    text: str
    is_optional: bool

    @property
    def facts(self) -> frozenset[str]:
        return fact_names(self.text)


@dataclass(frozen=True, slots=True)
class Template:
    """A text with holes, read once."""

    name: str
    subject: str | None
    paragraphs: tuple[Paragraph, ...]

    def fill(self, facts: Mapping[str, str]) -> Wording:
        """Put the facts in; what is missing is never shown as a hole, and says so aloud where it is our mistake."""
        known = {name: fact.strip() for name, fact in facts.items() if fact.strip()}
        whole = [paragraph for paragraph in self.paragraphs if self._is_whole(paragraph, known)]
        subject = _filled(self.subject, known) if self.subject is not None else None
        return Wording(
            plain(subject) if subject is not None else None,
            tuple(tuple(_blocks(paragraph.text, known)) for paragraph in whole),
        )

    def _is_whole(self, paragraph: Paragraph, known: Mapping[str, str]) -> bool:
        missing = paragraph.facts - known.keys()
        if missing and not paragraph.is_optional:
            warnings.warn(f"the mail {self.name} lacks {', '.join(sorted(missing))}", RuntimeWarning, stacklevel=3)
        return not missing


def read_template(name: str, text: str) -> Template:
    """Read a template; the name is for complaints."""
    subject = None
    text = text.strip()
    if text.startswith(_SUBJECT):
        first, _, text = text.partition("\n")
        subject = first.removeprefix(_SUBJECT)
    paragraphs = (paragraph.strip() for paragraph in text.split("\n\n"))
    return Template(name, subject, tuple(_paragraph(text) for text in paragraphs if text))


def fact_names(text: str) -> frozenset[str]:
    """Return the facts that a text has holes for."""
    return frozenset(_FACT.findall(text))


def plain(line: Line) -> str:
    """Return a line without any marks."""
    return "".join(span.text for span in line)


def _paragraph(text: str) -> Paragraph:
    return Paragraph(text.removeprefix(_OPTIONAL), text.startswith(_OPTIONAL))


def _blocks(text: str, facts: Mapping[str, str]) -> Iterator[Block]:
    """Yield the blocks of a paragraph: lines of the same shape that follow each other are one."""
    gathered: list[Line] = []
    shape = Shape.TEXT
    for written in text.split("\n"):
        found = next(each for each in Shape if written.startswith(each.value))
        if gathered and (found is not shape or found is Shape.LINK):
            yield Block(shape, tuple(gathered))
            gathered = []
        shape = found
        if shape is Shape.LINK:
            yield _link(written, facts)
        else:
            gathered.extend(_lines(written.removeprefix(shape.value), shape, facts))
    if gathered:
        yield Block(shape, tuple(gathered))


def _link(written: str, facts: Mapping[str, str]) -> Block:
    found = _LINK.fullmatch(written)
    if found is None:
        raise ValueError(f"a link is written `@ label: $address`, not {written!r}")
    return Block(Shape.LINK, (_filled(found["label"], facts),), facts[found["fact"]], found["colon"])


def _lines(written: str, shape: Shape, facts: Mapping[str, str]) -> Iterable[Line]:
    """Return the lines that one line of a template becomes: a fact of many lines stands for as many items."""
    alone = _PART.fullmatch(written)
    if alone is None or not alone["fact"] or shape in {Shape.TITLE, Shape.HEADING}:
        return (_filled(written, facts),)
    return tuple(
        (InlineWords(line.strip()),) for line in facts[alone["fact"]].split("\n") if line.strip() or not shape.value
    )


def _filled(written: str, facts: Mapping[str, str]) -> Line:
    spans: list[InlineWords] = []
    position = 0
    for found in _PART.finditer(written):
        spans.append(InlineWords(written[position : found.start()]))
        if found["fact"]:
            spans.append(InlineWords(facts.get(found["fact"], "")))
        else:
            spans.append(InlineWords("".join(span.text for span in _filled(found["key"], facts)), is_key=True))
        position = found.end()
    spans.append(InlineWords(written[position:]))
    return tuple(span for span in spans if span.text)
