"""In which part of a page a text stands, as people call it: the footer, the head or the menu."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# The menu often stands in the head: it is asked about first.
REGIONS = ("footer", "nav", "header")
_LOOKED_AT = 1_000_000
_TAG = re.compile(r"<[^<>]*+>")


def region_of(page: Path, text: str) -> str:
    """Return the part of a built page in which a text stands, and nothing when it stands elsewhere."""
    if not text or page.is_symlink() or not page.is_file():
        return ""
    with page.open("rb") as file:
        html = file.read(_LOOKED_AT).decode(errors="replace")
    return next((region for region in REGIONS if text in _words_in(html, region)), "")


def _words_in(html: str, region: str) -> str:
    folded = html.lower() if len(html.lower()) == len(html) else html
    start = folded.find(f"<{region}")
    end = folded.rfind(f"</{region}")
    inside = html[start:end] if 0 <= start < end else ""
    return " ".join(unescape(_TAG.sub(" ", inside)).split())
