"""Which part of a file a `Range` header asks for."""

from __future__ import annotations

import re

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


def part_of(header: str, size: int) -> range | None:
    """Return one part; an empty one where the file has nothing; None where the whole file is the better answer."""
    found = _RANGE.fullmatch(header.replace(" ", ""))
    if found is None or not any(found.groups()):
        return None
    first, last = found.groups()
    if not first:
        return range(max(size - int(last), 0), size)
    if last and int(last) < int(first):
        return None
    return range(int(first), min(int(last) + 1, size) if last else size)
