"""Wake-ups: hints that wake a waiting worker; they may be lost, late or doubled, and nothing goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import timedelta

    from webordinary.routing.lane import Lane


class WakeupListener(Protocol):
    """Where one worker hears its wake-ups; at first it listens for any lane that needs a worker."""

    def attend(self, lane: Lane | None, *, working: bool = False) -> None:
        """Say what to listen for from now on: calls for any lane, the next job of one's own, or an interrupt of it."""

    def wait(self, at_most: timedelta) -> bool:
        """Return True as soon as a wake-up came, False when nothing came."""

    def wake(self) -> None:
        """Wake oneself, to end a wait in another thread."""

    def close(self) -> None: ...


class Signals(Protocol):
    """The wake-ups of all workers. Who is woken, and when, is each engine's own affair: always after the commit."""

    def listen(self, worker: str) -> WakeupListener: ...
