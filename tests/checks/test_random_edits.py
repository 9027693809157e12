from __future__ import annotations

import re
from collections import Counter
from html import escape
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from tests.checks.oracle import shown
from webordinary.site.index import SiteIndex
from webordinary.site.page import read_page
from webordinary.site.receipt import Place, take_receipt

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

_WORDS = ("bread", "Bath", "9:00", "£4.80", "Öl", "and", "closed", "x", "24 May", "<", "&amp;", "a b", "ñ", "4 €")
_BLOCKS = ("p", "h2", "li", "td", "div", "blockquote", "figcaption")
_INLINE = ("b", "em", "a", "span", "small")


def _texts() -> SearchStrategy[str]:
    return st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6).map(" ".join)


@st.composite
def _blocks(draw: DrawFn) -> str:
    """Return one block of a page as anybody may write it."""
    text, tag, inline = escape(draw(_texts())), draw(st.sampled_from(_BLOCKS)), draw(st.sampled_from(_INLINE))
    shapes = (
        f"<{tag}>{text}</{tag}>",
        f"<{tag} class=note>{text} <{inline}>{escape(draw(_texts()))}</{inline}></{tag}>",
        f"<{tag}>\n  {text}\n</{tag}><!-- {draw(st.sampled_from(('a', 'b')))} -->",
        f"<{tag.upper()}>{text}<br>{escape(draw(_texts()))}</{tag.upper()}>",
        f"<{tag}>{text}",
    )
    return draw(st.sampled_from(shapes))


@st.composite
def _edits(draw: DrawFn) -> tuple[str, str]:
    """Return a page and what became of it: blocks that changed, went, came, or moved."""
    before = draw(st.lists(_blocks(), min_size=1, max_size=8))
    after = list(before)
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(after)))
        match draw(st.sampled_from(("change", "go", "come", "move"))):
            case "change" if place < len(after):
                after[place] = draw(_blocks())
            case "go" if place < len(after):
                del after[place]
            case "come":
                after.insert(place, draw(_blocks()))
            case "move" if after:
                after.insert(place, after.pop(draw(st.integers(0, len(after) - 1))))
            case _:
                pass
    return _page(before), _page(after)


def _page(blocks: list[str]) -> str:
    return f"<!doctype html><html><head><meta charset=utf-8></head><body><main>{''.join(blocks)}</main></body></html>"


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\S", text))


def _read(html: str) -> Counter[str]:
    """Return the signs that a visitor reads, as another parser reads them."""
    return _words(shown(html.encode()))


@given(_edits())
def test_what_a_receipt_says_makes_the_new_page_of_the_old_one(edit: tuple[str, str]) -> None:
    old, new = (SiteIndex({"index.html": read_page(html)}, {"index.html": html}) for html in edit)
    told = [words for page in take_receipt(old, new).pages for words in page.words if words.place == Place.TEXT]
    before, after = (_read(html) for html in edit)
    gone = _words("".join(words.before for words in told))
    come = _words("".join(words.after for words in told))
    before.subtract(gone)
    before.update(come)
    assert +before == after
    assert not -before
