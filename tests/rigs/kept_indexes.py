"""Indexes of built sites that are kept in memory."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from webordinary.site.checks.kept_index import IndexKeeper

if TYPE_CHECKING:
    from webordinary.site.read.index import SiteIndex


def in_memory() -> tuple[IndexKeeper, dict[str, bytes]]:
    """Return a keeper, and where it keeps."""
    kept: dict[str, bytes] = {}

    def keep(content: bytes) -> str:
        digest = hashlib.sha256(content).hexdigest()
        kept[digest] = content
        return digest

    return IndexKeeper(keep, kept.__getitem__), kept


def kept_and_read(index: SiteIndex) -> SiteIndex:
    """Return an index as whoever finds it later reads it."""
    keeper, _ = in_memory()
    return keeper.read(keeper.keep(index))
