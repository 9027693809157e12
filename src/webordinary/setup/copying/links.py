"""What a page or a style sheet leads to at its own site, and the page with these links as a copy needs them."""

from __future__ import annotations

import html
import re
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

from webordinary.setup.copying.reach import WebOrigin

if TYPE_CHECKING:
    from collections.abc import Iterator

# Each alternative begins with another sign and takes all it can: the time grows with the length.
_LINK = re.compile(
    r"(?i)(?<=[\s\"'])(href|src|poster|data-src|srcset)(\s{0,8}=\s{0,8})(\"[^\"<>]*+\"|'[^'<>]*+'|[^\s\"'<>`]++)"
)
_IN_STYLES = re.compile(r"(?i)url\(\s{0,8}[\"']?([^\"')\s]++)|@import\s{1,8}[\"']([^\"'\s]++)[\"']")
_SAFE = "%/:=&?~#+!$,;'@()*[]"
# What a page leads to beyond these is not followed, and stays as it is written.
MOST_LINKS = 5_000
_MOST_SIZES = 50
_BASE = re.compile(r"(?i)<base\s[^>]{0,2000}>")


class SiteLinks:
    """The links of one document; letters are single bytes, so that nothing else of it changes."""

    def __init__(self, text: str, address: str, site: WebOrigin) -> None:
        self.text = text
        self._address = address
        self._site = site

    def of_page(self) -> tuple[str, list[str]]:
        """Return the page with links that begin at the root of the site, and where they lead."""
        found: list[str] = []

        def rewritten(match: re.Match[str]) -> str:
            name, sign, value = match[1], match[2], match[3]
            mark = value[0] if value[0] in "\"'" else ""
            inner = html.unescape(value[1:-1] if mark else value)
            new = self._set(inner, found) if name.lower() == "srcset" else self._one(inner, found)
            return match[0] if new is None else f'{name}{sign}"{html.escape(new)}"'

        # A base would lead every one of them elsewhere.
        text = _LINK.sub(rewritten, _BASE.sub("", self.text))
        return text, [*found, *islice(self._in_styles(), MOST_LINKS - len(found))]

    def of_styles(self) -> list[str]:
        """Return where a style sheet leads."""
        return list(islice(self._in_styles(), MOST_LINKS))

    def _in_styles(self) -> Iterator[str]:
        for match in _IN_STYLES.finditer(self.text):
            if (address := self._own(match[1] or match[2])) is not None:
                yield address

    def _set(self, value: str, found: list[str]) -> str | None:
        """Read a list of pictures, each with its size."""
        made = []
        parts = value.split(",", _MOST_SIZES)
        for part in parts[:_MOST_SIZES]:
            address, _, size = part.strip().partition(" ")
            made.append(f"{self._one(address, found) or address} {size}".strip())
        return ", ".join([*made, *parts[_MOST_SIZES:]])

    def _one(self, value: str, found: list[str]) -> str | None:
        if not value.strip() or value.lstrip().startswith("#") or len(found) >= MOST_LINKS:
            return None
        address = self._own(value.strip())
        if address is None:
            return None
        found.append(address)
        parts = urlsplit(address)
        whole = urljoin(self._address, value.strip())
        fragment = whole.partition("#")[2]
        return f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}{f'#{fragment}' if fragment else ''}"

    def _own(self, value: str) -> str | None:
        """Return the whole address, if it is at this site."""
        try:
            address = quote(urljoin(self._address, value).partition("#")[0], safe=_SAFE, encoding="latin-1")
        except ValueError:
            return None
        origin = WebOrigin.of(address)
        return address if origin is not None and origin.is_neighbour(self._site) else None
