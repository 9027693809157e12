"""A page with a bit of everything, and several hundred ways to change one thing of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = (Path(__file__).parent / "a_bit_of_everything.html").read_text()
ADDED = (
    'class="new"', 'style="color: red"', 'id="new"', 'title="Hint"', 'onclick="x()"', 'dir="rtl"', 'lang="fr"',
    'data-new="1"', 'aria-label="Label"', 'aria-hidden="true"', 'tabindex="1"', "contenteditable",
)  # fmt: skip
_TAG = re.compile(r"<([a-z0-9]+)((?:\s[^<>]*)?)>")
_ATTRIBUTE = re.compile(r'\s([a-z:-]+)="([^"]*)"')
_TEXT = re.compile(r">([^<>]*[\w][^<>]*)<")
_BODY = PAGE.index("<body")
# Browsers do nothing else with them whatever they say.
_IDLE = frozenset({"scope", "cite"})

# Before and after: browsers show and do the same.
SAME = (
    ("<p>We open", "<P>We open"),
    ("<p>We open", "<p >We open"),
    ("<p>We open", "<!-- a comment --><p>We open"),
    ("<p>We open", "<p>\n   We\topen"),
    ("</p>\n<p hidden>", "\n<p hidden>"),
    ("<p hidden>", '<p hidden="">'),
    ("<li>Rolls</li></ul>", "<li>Rolls</ul>"),
    ('<html lang="en" dir="ltr">', '<html dir="ltr" lang="en">'),
    ('<html lang="en" dir="ltr">', "<html lang=en dir='ltr'>"),
    ('id="top"', 'id="top" id="second"'),
    ("Amelia's", "Amelia&#39;s"),
    ("Amelia's", "Amelia&apos;s"),
    ("dear</em>", "&#100;ear</em>"),
    ('<br clear="all">', '<br clear="all"/>'),
    ('<br clear="all">', '<br clear="all"></hr>'),
    ("</body>\n</html>\n", ""),
    ("</head>\n<body", "\n<body"),
    ("<script>window", '<script nonce="r4nd0m">window'),
    ("<!DOCTYPE html>", "<!doctype HTML>"),
    ("<!DOCTYPE html>", "\ufeff<!DOCTYPE html>"),
    ("<tr><th", "<tbody><tr><th"),
    ("</b>, and", "</b><!-- --  -->, and"),
    ('{"telephone": "030 123", "address"', '{"telephone":"030 123",\n "address"'),
)
# Before and after: something is shown, said or done otherwise, and no attribute or text of the page alone.
OTHER = (
    ("<!DOCTYPE html>\n", ""),
    ("<!DOCTYPE html>", '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2//EN">'),
    ("<p>We open", "<!-- <p>We open"),
    ("<p>We open", "<plaintext><p>We open"),
    ("<p>We open", "<div><p>We open"),
    ("<p>We open", "<hr><p>We open"),
    ("<p>We open", "<span></span><p>We open"),
    ("<p>We open", "<p>We&nbsp;open"),
    ("<p>We open", "<p>We\u200b open"),
    ("We open at <b>9:00</b>", "We open <b>at</b> 9:00"),
    ("<s>close at 18:00</s> never", "close at 18:00 <s>never</s>"),
    ("at <b>9:00</b>", "at <i>9:00</i>"),
    ("at <b>9:00</b>", "at <b><b>9:00</b></b>"),
    ("a  b\nc", "a b\nc"),
    ("a  b\nc", "a  b c"),
    ('<li value="3">Bread</li><li>Rolls</li>', '<li>Rolls</li><li value="3">Bread</li>'),
    ("<li>Rolls</li></ul>", '</ul><ul class="list"><li>Rolls</li></ul>'),
    ("<li>Rolls</li>", "<li>Rolls</li><li></li>"),
    ("</head>", '<script src="https://evil.example/x.js"></script></head>'),
    ("</head>", '<meta name="robots" content="noindex"></head>'),
    ("</head>", "<style>footer { display: none }</style></head>"),
    ("</head>", '<link rel="stylesheet" href="more.css"></head>'),
    ("</head>", '<meta http-equiv="Content-Security-Policy" content="default-src *"></head>'),
    ("</head>", "<p>Words in the head</p></head>"),
    ('<link rel="stylesheet" href="style.css" media="screen">\n', ""),
    ('<meta charset="utf-8">\n', ""),
    ("window.opened = 1", "window.opened = 2"),
    ('"soon"', '"never"'),
    ("url(dot.png)", "url(spot.png)"),
    ('{"city": "Berlin"}', '{"city": "Bonn"}'),
    ('["Mo", "Tu"]', '["Mo"]'),
    ('["Mo", "Tu"]', '["Tu", "Mo"]'),
    ("color: black", "color: white"),
    ("</footer>", '</footer><a href="https://evil.example"></a>'),
    ("</footer>", '</footer><img src="https://evil.example/t.gif" width="1" height="1">'),
    ("</footer>", '</footer><iframe src="https://evil.example"></iframe>'),
    ("</footer>", "</footer><script>register('sw.js')</script>"),
    ("</footer>", "</footer>Text behind the end"),
    ("</body>\n</html>\n", "</body>\n</html>\n<p>Behind everything</p>"),
    ('<path d="M0 0L5 5">', '<path d="M0 0L9 9">'),
    ("<svg viewBox", "<svg><text>More</text></svg><svg viewBox"),
    ("<mn>1</mn>", "<mn>1</mn><mn>2</mn>"),
    ('shadowrootmode="open"', 'shadowrootmode="closed"'),
    ("b.png 2x", "b.png 3x"),
    ("b.png 2x", "e.png 2x"),
    ("<picture><source", "<picture><source srcset='first.png'><source"),
    ("<details open>", "<details>"),
    ("required>", ">"),
    (" selected>", ">"),
    (" controls>", ">"),
    ('<input type="hidden"', '<input type="hidden" name="to" value="x@evil.example"><input type="hidden"'),
    ("</footer>", "</footer><dialog open>Hello</dialog>"),
    ("</footer>", "</footer><marquee>Hello</marquee>"),
    ("</footer>", "</footer><object data='x.swf'></object>"),
    ("</footer>", "</footer><link rel=stylesheet href=late.css>"),
)  # fmt: skip


def changed_attributes() -> Iterator[tuple[str, str]]:
    """Each attribute of each element with another value, and without it."""
    for tag in _TAG.finditer(PAGE):
        for found in _ATTRIBUTE.finditer(tag[2]):
            begin, end = tag.start(2) + found.start(), tag.start(2) + found.end()
            if found[1] not in _IDLE:
                yield f"{tag[1]} {found[1]} other", f'{PAGE[:begin]} {found[1]}="{_other(found[2])}"{PAGE[end:]}'
            yield f"{tag[1]} {found[1]} gone", PAGE[:begin] + PAGE[end:]


def added_attributes() -> Iterator[tuple[str, str]]:
    """Each element of the body with one more attribute."""
    for tag in _TAG.finditer(PAGE, _BODY):
        for added in ADDED:
            if f" {added.partition('=')[0]}=" not in tag[2]:
                yield f"{tag[1]} + {added}", f"{PAGE[: tag.end(1)]} {added}{PAGE[tag.end(1) :]}"


def changed_texts() -> Iterator[tuple[str, str]]:
    """Each text with another word, without it, and in bold."""
    for found in _TEXT.finditer(PAGE):
        begin, end, text = found.start(1), found.end(1), found[1]
        yield f"{text.strip()[:20]} + word", f"{PAGE[:begin]}{text} word{PAGE[end:]}"
        yield f"{text.strip()[:20]} gone", f"{PAGE[:begin]}{PAGE[end:]}"


def all_changes() -> list[tuple[str, str]]:
    """Every change that somebody could notice, with a name."""
    others = [(f"{before} → {after}", PAGE.replace(before, after, 1)) for before, after in OTHER]
    return [*changed_attributes(), *added_attributes(), *changed_texts(), *others]


def _other(value: str) -> str:
    return f"{value}9" if not value.endswith(("png", "js", "css")) else f"x{value}"
