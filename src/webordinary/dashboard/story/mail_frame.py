"""The HTML of a mail as a page that can do nothing: only known elements, no address is loaded, and a policy of its own.

Styles that stand in attributes move into one style sheet under a nonce, so that the policy needs nothing unsafe.
"""

from __future__ import annotations

import re
import secrets
from base64 import b64encode
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse

from webordinary.dashboard.story.excerpt import plain
from webordinary.mail.tokens import hide_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.responses import Response

_LONGEST, _MOST_ELEMENTS, _MOST_STYLES, _LONGEST_STYLE = 1_000_000, 20_000, 2_000, 600
_TEXTS = "p div span br hr b i u s em strong small sub sup pre code blockquote a img center font"
_BLOCKS = (
    "h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr td th section article figure figcaption"
)
_ALLOWED = frozenset(f"{_TEXTS} {_BLOCKS}".split())
# What stands inside of these is not for people.
_UNREAD = frozenset(
    [
        "script",
        "style",
        "head",
        "title",
        "noscript",
        "template",
        "iframe",
        "object",
        "embed",
        "svg",
        "math",
        "audio",
        "video",
        "canvas",
        "select",
    ]
)
_EMPTY = frozenset({"br", "hr", "img"})
_ATTRIBUTES = frozenset(["align", "valign", "colspan", "rowspan", "dir", "lang"])
_SIZES = frozenset({"width", "height"})
_SIZE = re.compile(r"\d{1,4}%?\Z")
_WORD = re.compile(r"[\w-]{1,20}\Z")
# Letters, numbers and what colours, lengths and fonts are written with: nothing that leaves a rule or names an address.
_DECLARATION = re.compile(r"\s*([a-z-]{2,40})\s*:\s*([\w\s#%.,()'\"!/-]{1,200})\Z")
_LOADS = re.compile(r"url|image-set|expression|attr|var|env", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """A picture of our own that a mail shows, by the name under which its HTML asks for it."""

    content_type: str
    content: bytes


def framed(html: str, pictures: Mapping[str, InlinePicture] | None = None) -> Response:
    """Answer with a mail's HTML for a sandboxed frame."""
    nonce = secrets.token_urlsafe(16)
    cleaned = _Cleaner(pictures or {})
    cleaned.feed(plain(html[:_LONGEST]))
    cleaned.close()
    page = _PAGE.format(nonce=nonce, styles=cleaned.styles(), body=cleaned.body())
    return HTMLResponse(page, headers={"content-security-policy": policy(nonce)})


def policy(nonce: str) -> str:
    """Return what the frame of a mail may do: be looked at on a page of ours."""
    return (
        f"sandbox; default-src 'none'; img-src data:; style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none';"
        " frame-ancestors 'self'"
    )


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The mail</title>
<style nonce="{nonce}">
:root {{ color-scheme: light; }}
body {{ margin: 0; padding: 12px; background: #fff; color: #222; overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, sans-serif; }}
img {{ max-width: 100%; height: auto; }}
table {{ max-width: 100%; }}
.mail-link {{ text-decoration: underline; }}
{styles}</style></head>
<body>{body}</body></html>
"""


@dataclass(slots=True)
class _Rules:
    """Each style once, under a name of ours."""

    names: dict[str, str] = field(default_factory=dict)

    def name_of(self, style: str) -> str | None:
        declared = [found for each in style[:_LONGEST_STYLE].split(";") if (found := _DECLARATION.match(each.lower()))]
        kept = ";".join(f"{found[1]}:{found[2].strip()}" for found in declared if not _LOADS.search(found[2]))
        if not kept or (kept not in self.names and len(self.names) == _MOST_STYLES):
            return None
        return self.names.setdefault(kept, f"m{len(self.names)}")


class _Cleaner(HTMLParser):
    """Writes a page anew of what is known to be harmless."""

    def __init__(self, pictures: Mapping[str, InlinePicture]) -> None:
        super().__init__(convert_charrefs=True)
        self._pictures = pictures
        self._written: list[str] = []
        self._open: list[str] = []
        self._unread: list[str] = []
        self._rules = _Rules()
        self._count = 0

    def body(self) -> str:
        return "".join(self._written) + "".join(f"</{tag}>" for tag in reversed(self._open))

    def styles(self) -> str:
        return "".join(f".{name}{{{rule}}}\n" for rule, name in self._rules.names.items())

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if self._unread or tag in _UNREAD:
            self._unread.append(tag)
            return
        self._count += 1
        if tag not in _ALLOWED or self._count > _MOST_ELEMENTS:
            return
        given = {name: value or "" for name, value in attrs}
        if tag == "img":
            self._written.append(self._picture(given))
            return
        name = "span" if tag in {"a", "font"} else tag
        self._written.append(f"<{name}{self._attributes(tag, given)}>")
        if tag not in _EMPTY:
            self._open.append(name)

    def handle_endtag(self, tag: str) -> None:
        if self._unread:
            # Whatever was left open inside of it ends with it.
            if tag in self._unread:
                del self._unread[self._unread.index(tag) :]
            return
        name = "span" if tag in {"a", "font"} else tag
        if name in self._open:
            while (last := self._open.pop()) != name:
                self._written.append(f"</{last}>")
            self._written.append(f"</{name}>")

    def handle_data(self, data: str) -> None:
        if not self._unread:
            # Once more: only now what was written with entities can be read.
            self._written.append(escape(hide_tokens(data)))

    def _attributes(self, tag: str, given: Mapping[str, str]) -> str:
        kept = {name: value for name, value in given.items() if name in _ATTRIBUTES and _WORD.match(value)}
        kept |= {name: value for name, value in given.items() if name in _SIZES and _SIZE.match(value)}
        classes = [name] if (name := self._rules.name_of(given.get("style", ""))) else []
        if tag == "a":
            classes.append("mail-link")
            # Where it would lead can be read, and nobody gets there by a slip of the finger.
            kept["title"] = hide_tokens(given.get("href", ""))[:500]
        if classes:
            kept["class"] = " ".join(classes)
        return "".join(f' {name}="{escape(value)}"' for name, value in kept.items())

    def _picture(self, given: Mapping[str, str]) -> str:
        picture = self._pictures.get(given.get("src", "").removeprefix("cid:"))
        alt = escape(given.get("alt", ""))
        if picture is None:
            return f"<span>[picture{': ' + alt if alt else ''}]</span>"
        data = b64encode(picture.content).decode()
        return f'<img alt="{alt}"{self._attributes("img", given)} src="data:{picture.content_type};base64,{data}">'
