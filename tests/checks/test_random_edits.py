from __future__ import annotations

import re
import tempfile
from collections import Counter
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.checks.case import Case, Want, read_site
from tests.checks.judge import judge
from tests.checks.oracle import shown
from webordinary.site.read.index import SiteIndex, index_site
from webordinary.site.receipt.changes import PagePart, take_receipt

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


def _indexed(html: str) -> SiteIndex:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "index.html").write_text(html, encoding="utf-8")
        return index_site(Path(folder))


@given(_edits())
def test_what_a_receipt_says_makes_the_new_page_of_the_old_one(edit: tuple[str, str]) -> None:
    old, new = (_indexed(html) for html in edit)
    told = [words for page in take_receipt(old, new).pages for words in page.words if words.place == PagePart.TEXT]
    before, after = (_read(html) for html in edit)
    gone = _words("".join(words.before for words in told))
    come = _words("".join(words.after for words in told))
    before.subtract(gone)
    before.update(come)
    assert +before == after
    assert not -before


_SNIPPETS = (
    "<p>We are moving.</p>",
    "<!-- nothing -->",
    "   ",
    '<img src="images/team.jpg" alt="Us">',
    '<a href="menu.html">Menu</a>',
    '<script src="https://a.example/a.js"></script>',
    "<style>p { color: red }</style>",
    '<iframe src="https://b.example/"></iframe>',
    "<svg><text>Seal</text></svg>",
    "<template><p>Later</p></template>",
    "<noscript>Without</noscript>",
    '<input placeholder="Type">',
    '<video poster="images/map.png"></video>',
    "<p hidden>Unseen</p>",
    "<math><mi>x</mi></math>",
    "<p>1 &lt; 2 &amp;amp;",
    "</div>",
    "<table><tr><td>Cell</table>",
    '<meta name="robots" content="noindex">',
    "<select><option>One<option>Two</select>",
)
_ATTRIBUTES = ('title="Tip"', 'onclick="a()"', "hidden", 'style="display:none"', 'aria-label="Said"', 'class="other"')
_HOURS = Case("any", "Please open at 9:00 on weekdays.", {}, Want.TOLD)


@st.composite
def _mutations(draw: DrawFn) -> tuple[str, str]:
    """Return a page of the bakery and what somebody made of it, line by line."""
    page = draw(st.sampled_from(("index.html", "contact.html", "menu.html")))
    lines = read_site("bakery")[page].decode().split("\n")
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(("insert", "remove", "swap", "attribute", "text"))):
            case "insert":
                lines.insert(place, draw(st.sampled_from(_SNIPPETS)))
            case "remove" if len(lines) > 1:
                del lines[place]
            case "swap":
                other = draw(st.integers(0, len(lines) - 1))
                lines[place], lines[other] = lines[other], lines[place]
            case "attribute":
                given_to = draw(st.sampled_from(_ATTRIBUTES))
                lines[place] = re.sub(r"^<(\w+)", rf"<\1 {given_to}", lines[place])
            case _:
                lines[place] = re.sub(r">([^<>]+)<", f">{draw(_texts())}<", lines[place], count=1)
    return page, "\n".join(lines)


@pytest.mark.thorough
@given(_mutations())
def test_nothing_of_any_edit_is_hidden(mutation: tuple[str, str]) -> None:
    page, html = mutation
    with tempfile.TemporaryDirectory() as folder:
        verdict = judge(replace(_HOURS, edit={page: html}), Path(folder))
    assert not verdict.answered.broke
    assert verdict.hidden == (), verdict.answered.text
