"""Marks a page as a preview for its visitors: nothing of that is in the files that go live."""

from __future__ import annotations

import re

LARGEST_MARKED = 5_000_000
# In all of our languages, because a preview is shown to more people than one; in letters that every charset has.
_WORDS = b"Preview &middot; Vorschau &middot; Aper&ccedil;u &middot; Vista previa"
_BANNER = (
    b'<div role="note" style="all:initial;position:fixed;left:0;right:0;bottom:0;z-index:2147483647;padding:6px 12px;'
    b'background:#1e3a8a;color:#fff;font:600 14px/20px sans-serif;text-align:center;pointer-events:none">%s</div>'
) % _WORDS
_TITLE = re.compile(rb"<title(?:\s[^>]*+)?>", re.IGNORECASE)
_END = re.compile(rb"</body\s*>", re.IGNORECASE)
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_PAGES = frozenset({".html", ".htm"})


def is_markable(suffix: str, size: int) -> bool:
    """Tell whether a file is a page that can carry a mark."""
    return suffix in _PAGES and size <= LARGEST_MARKED


def mark_preview(page: bytes) -> bytes:
    """Return a page with a banner at the bottom of the screen, and with a title that says the same."""
    if page.startswith(_WIDE):
        # Two bytes a letter: what we add would be read as other letters.
        return page
    page = _TITLE.sub(lambda found: found[0] + b"Preview &middot; ", page, count=1)
    ends = list(_END.finditer(page))
    place = ends[-1].start() if ends else len(page)
    return page[:place] + _BANNER + page[place:]
