"""One viewer's place at the stream: what waits to be sent, of which there is never much."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.dashboard.viewer import Viewer

# A browser that has not taken so many is slow, and loads everything again instead.
MOST_WAITING = 64
# More names than that are said in one word.
MOST_NAMES = 100
# Only for browsers that come back by themselves; our script has a patience of its own.
FIRST = b"retry: 3000\n\n"
RELOAD = b"event: reload\ndata: \n\n"
END = b"event: end\ndata: \n\n"
GONE = b"event: gone\ndata: \n\n"


def reload(number: int) -> bytes:
    """Return the event that says that anything may have changed."""
    return b"id: %d\n%b" % (number, RELOAD)


def changed(number: int, names: Sequence[str]) -> bytes:
    """Return the event that names what has changed."""
    if len(names) > MOST_NAMES:
        return reload(number)
    return b"id: %d\nevent: changed\ndata: %b\n\n" % (number, msgspec.json.encode(names))


def beat(behind: float, every: float) -> bytes:
    """Return the event that says that the reader lives: how old its last look is, and how often it looks."""
    return b'event: beat\ndata: {"behind": %.1f, "every": %.1f}\n\n' % (behind, every)


class Seat:
    """Belongs to the event loop: nobody else may touch it but for reading who sits there."""

    def __init__(self, viewer: Viewer, secret: str, after: int | None) -> None:
        self.viewer = viewer
        self.secret = secret
        # The last entry that the page knows; None once it has been told what came since.
        self.after = after
        self.is_greeted = False
        self.is_over = False
        self._waiting: deque[bytes] = deque()
        self._something = asyncio.Event()

    def put(self, message: bytes) -> None:
        """Let the message be sent; who does not keep up is told to load everything again."""
        if self.is_over:
            return
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            message = RELOAD
        self._waiting.append(message)
        self._something.set()

    def end(self, last: bytes = b"") -> None:
        """Let the stream end with this word, whatever else waits."""
        if not self.is_over:
            self.is_over = True
            self._waiting.clear()
            self._waiting.append(last)
            self._something.set()

    async def take(self) -> bytes:
        """Wait for something to be sent."""
        await self._something.wait()
        self._something.clear()
        taken = b"".join(self._waiting)
        self._waiting.clear()
        return taken
