"""Styles and programs of a site that lie in files of their own: what they show, bring along, hide and do."""

from __future__ import annotations

import re

from webordinary.site.read.elements import Told, excerpt, one_line
from webordinary.site.read.markup import decode
from webordinary.site.read.page import Page

_STYLES, _PROGRAMS = (".css",), (".js", ".mjs")
_COMMENTS = re.compile(r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?")
_IMPORTS = re.compile(r"""@import\s+(?:url\(\s*)?["']?([^"')\s;]+)""", re.IGNORECASE)
_HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?![.\d])|font-size\s*:\s*0"
    r"|text-indent\s*:\s*-\d{3}|(?:left|top|right|bottom)\s*:\s*-\d{3}|clip(?:-path)?\s*:|transform\s*:\s*scale\(0",
    re.IGNORECASE,
)
LARGEST = 2_000_000


def is_asset(name: str) -> bool:
    return name.lower().endswith(_STYLES + _PROGRAMS)


def read_asset(name: str, content: bytes) -> Page:
    """Read a style or a program of the site as if it were a page without texts."""
    text = decode(content)
    if name.lower().endswith(_PROGRAMS):
        return Page(deeds=(f"code {excerpt(text)}",))
    css = _COMMENTS.sub("", text)
    told = Told()
    brings = [f"stylesheet {address}" for address in _IMPORTS.findall(css)]
    told.read_css(_IMPORTS.sub("", css))
    rules = (rule.rpartition("{") for rule in css.split("}"))
    hides = [f"hides {one_line(selector)}" for selector, _, body in rules if _HIDES.search(body)]
    return Page(pictures=tuple(told.pictures), others=tuple(told.others), deeds=(*brings, *told.deeds, *hides))
