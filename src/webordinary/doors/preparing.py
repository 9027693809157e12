"""Files of mails are prepared beside the deciding: a few mails at once, each in a process of its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# Each may take as much memory as the largest photo; more of them wait, and only for each other.
_AT_ONCE = 3


class Preparers:
    """A thread pool for all doors: the thread that has decided a mail takes the next one at once."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(_AT_ONCE, "prepare")

    def __call__(self, work: Callable[[], object]) -> None:
        self._pool.submit(work)

    def close(self) -> None:
        """Wait until everything that was accepted is prepared."""
        self._pool.shutdown()
