"""The stage: what a page gets when it asks for a file, which is a file of its own build or nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from webordinary.site.release.content_types import TYPES

# A name that no server in the world has: whatever gets past us leads nowhere.
ORIGIN = "https://site.invalid"
_LARGEST = 20_000_000


class Answered(NamedTuple):
    """What the browser is told."""

    status: int
    content_type: str
    content: bytes


_NOTHING = Answered(404, "text/plain", b"")


class Stage:
    """One build, as its visitors see it."""

    def __init__(self, build: Path) -> None:
        self._root = Path(os.path.realpath(build))

    def answer(self, url: str) -> Answered | None:
        """Return the file; None when the address is not one of this site."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return None
        if f"{parts.scheme}://{parts.netloc}" != ORIGIN:
            return None
        path = unquote(parts.path).strip("/")
        if "\0" in path:
            return _NOTHING
        names = (f"{path}/index.html" if path else "index.html", path, f"{path}.html")
        found = (self._read(name) for name in names if name)
        return next((answered for answered in found if answered is not None), _NOTHING)

    def read(self, url: str) -> bytes:
        """Return the content of a file; nothing when it is not one of this site."""
        answered = self.answer(url)
        return answered.content if answered else b""

    def _read(self, name: str) -> Answered | None:
        try:
            path = Path(os.path.realpath(self._root / name))
            # Links inside of a build are fine; what they lead to has to be in it as well.
            if not path.is_relative_to(self._root) or not path.is_file() or path.stat().st_size > _LARGEST:
                return None
            return Answered(200, TYPES.get(path.suffix.lower(), "application/octet-stream"), path.read_bytes())
        except OSError:
            return None


def address_of(path: str) -> str:
    """Return the address under which visitors know a page."""
    shown = path.removesuffix("index.html") if path == "index.html" or path.endswith("/index.html") else path
    return f"{ORIGIN}/{quote(shown)}"
