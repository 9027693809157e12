"""Doorbells: hints that wake a waiting worker; they may be lost, late or doubled, and nothing goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import timedelta


class Ear(Protocol):
    """Where one worker hears its bell."""

    def wait(self, at_most: timedelta) -> bool:
        """Return True as soon as the bell rang, False when nothing came."""

    def ring(self) -> None:
        """Ring one's own bell, to end a wait in another thread."""

    def close(self) -> None: ...


class Signals(Protocol):
    """The bells of all workers; ringing is quick, never waits and never fails."""

    def listen(self, worker: str) -> Ear: ...

    def ring(self, workers: Iterable[str]) -> None: ...
