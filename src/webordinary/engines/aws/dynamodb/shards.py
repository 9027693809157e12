"""One mark of an index, or one kind of record, under several keys: no key takes more writes than DynamoDB lets it.

A small installation has one key for each, which is read with one request. The sweep makes them many when much happens;
the first key keeps its plain name, so that what was written before is found, and they never become fewer.
"""

from __future__ import annotations

import time
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from collections.abc import Callable

# How many there are once much happens.
MANY = 16
# Who does not know yet that they have become many finds less for so long, and nothing is lost by it.
_KNOWN_SECONDS = 60.0
_KINDS = frozenset({"trail", "mail", "outbox", "callback"})


@dataclass(slots=True)
class Shards:
    """How many keys share a mark, as far as this process knows."""

    known: int = 1
    look_up: Callable[[], int] | None = field(default=None, repr=False)
    _looked_at: float | None = field(default=None, repr=False)

    @property
    def count(self) -> int:
        now = time.monotonic()
        if self.look_up is not None and (self._looked_at is None or now - self._looked_at > _KNOWN_SECONDS):
            try:
                self.known = max(self.known, self.look_up())
            except TryAgain:
                if self._looked_at is None:
                    raise
            self._looked_at = now
        return self.known

    def key(self, mark: str, about: str) -> str:
        """Return the key under which something is found by its mark: the same for the same thing."""
        return _named(mark, _number(about, self.count))

    def keys(self, mark: str, *, first: str = "") -> list[str]:
        """Return every key of a mark, beginning with that of one thing."""
        count = self.count
        begin = _number(first, count) if first else 0
        return [_named(mark, (begin + number) % count) for number in range(count)]


def kind_of(key: str) -> str:
    """Return which kind of record is kept under a key."""
    kind = key.partition("#")[0]
    return kind if kind in _KINDS else key


def _number(about: str, count: int) -> int:
    return zlib.crc32(about.encode(errors="replace")) % count if count > 1 else 0


def _named(mark: str, number: int) -> str:
    return f"{mark}#{number}" if number else mark
