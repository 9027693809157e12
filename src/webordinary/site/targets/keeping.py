"""Which releases are kept: the same rule at every place that a site is published to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def too_old(newest_first: Sequence[str], *, live: str | None, previous: str | None, keep: int) -> list[str]:
    """Return the releases to remove; what is newer than the live one may be about to become live."""
    if live is None or live not in newest_first:
        return []
    kept = {live, previous, *newest_first[: max(keep, newest_first.index(live))]}
    return [name for name in newest_first if name not in kept]
