"""Where in the copy the file of an address lies."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

_LONGEST_NAME = 150
_DEEPEST = 20
_PAGES = frozenset({".html", ".htm", ".xhtml"})


def place_of(address: str, *, is_page: bool) -> PurePosixPath | None:
    """Return the path inside of the copy; None for what a site of files cannot hold."""
    path = unquote(urlsplit(address).path, errors="replace")
    names = [name for name in path.split("/") if name]
    if any(not _is_plain(name) for name in names) or len(names) > _DEEPEST:
        return None
    if not is_page:
        return PurePosixPath(*names) if names and not path.endswith("/") else None
    if names and not path.endswith("/") and PurePosixPath(names[-1]).suffix.lower() in _PAGES:
        return PurePosixPath(*names)
    return PurePosixPath(*names, "index.html")


def _is_plain(name: str) -> bool:
    # No hidden file, nothing above, nothing that another system reads as something else.
    is_odd = name.startswith((".", "~")) or "\\" in name or ":" in name or not name.isprintable()
    return not is_odd and len(name.encode()) <= _LONGEST_NAME and "\ufffd" not in name
