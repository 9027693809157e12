"""How many tokens something has by its size, where nobody has counted them: rather too many than too few."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

# English has four to a token, code and most other languages three.
BYTES_A_TOKEN = 3
# No text has more: whoever tells less than this is not believed.
MOST_BYTES_A_TOKEN = 8
# The most that models of today make of one picture, and of a document whose pages nobody has counted.
_PICTURE, _DOCUMENT = 5_000, 200_000


def tokens_of(size: int) -> int:
    """Return the tokens of a text of so many bytes, rounded up."""
    return -(-size // BYTES_A_TOKEN)


def size_of(text: object) -> int:
    """Return the bytes of a text; half characters count like whole ones."""
    return len(str(text).encode(errors="replace"))


def tokens_asked(asked: dict[str, Any]) -> int:
    """Return the tokens of a question; what is carried as a picture or a document is not counted as letters."""
    size, more = size_of(json.dumps(asked, ensure_ascii=False)), 0
    for kind, data in _carried(asked):
        size -= len(data)
        more += _PICTURE if kind.startswith("image/") else min(tokens_of(len(data)), _DOCUMENT)
    return tokens_of(size) + more


def _carried(asked: object) -> Iterator[tuple[str, str]]:
    """Find what is carried in base64, however deep it lies."""
    left = [asked]
    while left:
        match left.pop():
            case {"type": "base64", "media_type": str(kind), "data": str(data)} if data.isascii():
                yield kind, data
            case dict(inner):
                left.extend(inner.values())
            case list(inner):
                left.extend(inner)
            case _:
                pass
