"""A mail as plain text: for people who read it so, and to be quoted under their reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.reply.blocks import Shape, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.reply.blocks import Block, Line, Wording
    from webordinary.reply.words import Phrases

_MAILTO = "mailto:"


def as_text(words: Wording, phrases: Phrases, footer: str = "") -> str:
    """Return the mail without its marker."""
    told = ["\n".join(line for block in blocks for line in _lines(block, phrases)) for blocks in words.paragraphs]
    return "\n\n".join([*told, *([footer] if footer else [])]) + "\n"


def _lines(block: Block, phrases: Phrases) -> Iterator[str]:
    lines = [_line(line, phrases) for line in block.lines]
    match block.shape:
        case Shape.ITEMS:
            yield from (f"- {line}" for line in lines)
        case Shape.CHOICES:
            yield from (f"{number}. {line}" for number, line in enumerate(lines, start=1))
        case Shape.QUOTE:
            yield from (f"    {line}" for line in lines)
        case Shape.LINK if block.address.startswith(_MAILTO):
            yield from lines
        case Shape.LINK:
            yield f"{lines[0]}{block.colon}"
            yield block.address
        case Shape.TITLE | Shape.HEADING | Shape.NOTE | Shape.TEXT:
            yield from lines


def _line(line: Line, phrases: Phrases) -> str:
    if len(line) == 1:
        return plain(line)
    quoted = (f"{phrases.open_quote}{span.text}{phrases.close_quote}" if span.is_key else span.text for span in line)
    return "".join(quoted)
