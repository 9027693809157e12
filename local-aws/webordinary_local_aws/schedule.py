"""The local stand-in of the scheduler: calls the sweep again and again, as AWS does every minute."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta


class Schedule:
    """One call at a time, in a thread of its own; a call that fails is made again at its next turn."""

    def __init__(self, call: Callable[[], object], every: timedelta) -> None:
        self._call = call
        self._every = every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._live, name="schedule", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait for the call that runs; may be called twice."""
        self._over.set()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _live(self) -> None:
        while not self._over.wait(self._every.total_seconds()):
            try:
                self._call()
            except Exception:  # noqa: BLE001, S112 - the function has said what broke, and AWS would call it again
                continue
