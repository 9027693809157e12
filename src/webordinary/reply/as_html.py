"""A mail as HTML: one narrow column with its styles inside, and nothing that would have to be fetched."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from html import escape
from string import Template
from typing import TYPE_CHECKING

from css_inline import CSSInliner

from webordinary.reply.blocks import Shape, plain
from webordinary.reply.words import templates_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.reply.blocks import Block, Line, Wording
    from webordinary.reply.compose import Picture
    from webordinary.reply.kinds import Tone
    from webordinary.reply.pictures import Scene

_SAFE = ("https://", "http://", "mailto:")


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the words of a mail."""

    language: str
    site: str
    tone: Tone
    label: str
    marker: str
    footer: str


def as_html(words: Wording, frame: Frame, scenes: Sequence[Scene] = ()) -> str:
    """Return the page; every word in it is escaped, also those of our own."""
    blocks = [_paragraph(paragraph) for paragraph in words.paragraphs]
    shown = "\n".join(_scene(scene) for scene in scenes)
    # Pictures stand before the link, or at the end.
    place = next((number for number, text in enumerate(blocks) if 'class="go"' in text), len(blocks))
    page = Template(_read("page.html")).substitute(
        language=frame.language,
        title=escape(words.title),
        style=_read("mail.css"),
        marker=escape(frame.marker),
        site=escape(frame.site),
        initial=escape(_initial(frame.site)),
        tone=frame.tone.value,
        label=escape(frame.label),
        content="\n".join([*blocks[:place], *([shown] if shown else []), *blocks[place:]]),
        footer=escape(frame.footer),
    )
    return _inliner().inline(page)


@cache
def _inliner() -> CSSInliner:
    # What depends on the screen cannot be inlined: it stays in the head, for the clients that read it there.
    return CSSInliner(keep_at_rules=True, minify_css=True, load_remote_stylesheets=False)


@cache
def _read(name: str) -> str:
    return (templates_folder() / name).read_text(encoding="utf-8")


def _initial(site: str) -> str:
    return next((letter.upper()[:1] for letter in site if letter.isalnum()), "•")


def _paragraph(blocks: tuple[Block, ...]) -> str:
    """Return a paragraph; a list stands on a ground of its own, with the sentence that leads to it."""
    has_list = blocks[-1].shape in {Shape.ITEMS, Shape.CHOICES} and blocks[0].shape is not Shape.HEADING
    inside = "\n".join(_block(block, is_lead=has_list) for block in blocks)
    return f'<div class="facts">{inside}</div>' if has_list else inside


def _block(block: Block, *, is_lead: bool) -> str:
    lines = [_line(line) for line in block.lines]
    match block.shape:
        case Shape.ITEMS | Shape.CHOICES:
            return _list("ul" if block.shape is Shape.ITEMS else "ol", lines)
        case Shape.QUOTE:
            return _quote(lines)
        case Shape.LINK:
            return _link(block, lines[0])
        case Shape.TITLE | Shape.HEADING:
            tag = "h1" if block.shape is Shape.TITLE else "h2"
            return f"<{tag}>{' '.join(lines)}</{tag}>"
        case Shape.NOTE | Shape.TEXT:
            looks = "note" if block.shape is Shape.NOTE else "first" if is_lead else "text"
            return f'<p class="{looks}">{"<br>".join(lines)}</p>'


def _line(line: Line) -> str:
    return "".join(f'<span class="key">{_safe(span.text)}</span>' if span.is_key else _safe(span.text) for span in line)


def _safe(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _list(tag: str, lines: list[str]) -> str:
    items = "".join(f"<li>{line}</li>" for line in lines)
    return f"<{tag}>{items}</{tag}>"


def _quote(lines: list[str]) -> str:
    first, *others = lines
    # What is said in one line has no title.
    said = f'<p class="first">{first}</p>' if others else f"<p>{first}</p>"
    said += "".join(f"<p>{line}</p>" for line in others)
    return f'<div class="facts said">{said}</div>'


def _link(block: Block, label: str) -> str:
    """Return a button with the address below it, so that everybody sees where it leads."""
    address = escape(block.address)
    if not block.address.startswith(_SAFE):
        return f'<p class="text go">{label}: {address}</p>'
    button = f'<a class="button" href="{address}">{label}</a>'
    if block.address.startswith("mailto:") or plain(block.lines[0]) == block.address:
        return f'<div class="go">{button}</div>'
    return f'<div class="go">{button}<p class="where"><a href="{address}">{address}</a></p></div>'


def _scene(scene: Scene) -> str:
    """Return a page of the site: wide pictures below each other, narrow ones beside each other."""
    heading = f'<p class="scene">{escape(scene.heading)}</p>'
    if not scene.is_narrow:
        return heading + "".join(_picture(each, 544) for each in scene.pictures)
    # A table, because nothing else stands side by side in every mail program.
    cells = "".join(f'<td class="half" width="50%">{_picture(each, 264)}</td>' for each in scene.pictures)
    rest = "" if len(scene.pictures) > 1 else '<td class="half" width="50%">&nbsp;</td>'
    table = '<table class="pair" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">'
    return f"{heading}{table}<tr>{cells}{rest}</tr></table>"


def _picture(picture: Picture, width: int) -> str:
    shown = f'<img class="picture" src="cid:{escape(picture.cid)}" alt="{escape(picture.alt)}" width="{width}">'
    return f'<p class="caption">{escape(picture.caption)}</p>{shown}'
