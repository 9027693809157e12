"""The supervisor: starts worker processes, sees each death at once, restarts them, and drains them at the end."""

from __future__ import annotations

import os
import select
import signal
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, What
from webordinary.worker.loop import new_worker_name

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from webordinary.audit.trail import Trail
    from webordinary.child.companion import Companion
    from webordinary.clock import Clock
    from webordinary.ownership.claims import Claims

    Start = Callable[[str], Companion]

# A worker that lived this long was healthy: its successor starts at once.
_HEALTHY_SECONDS = 10.0
_LONGEST_PAUSE_SECONDS = 30.0


@dataclass(slots=True)
class _Slot:
    """A place for one worker; the pause before the next one grows while they die young."""

    name: str = ""
    companion: Companion | None = None
    started: float = 0
    pause: float = 0
    start_at: float = 0


class Supervisor:
    """Holds a pidfd on each worker, so that a dead one's leases lapse at once and not when they run out."""

    def __init__(self, claims: Claims, trail: Trail, clock: Clock, drain: timedelta, start: Start, count: int) -> None:
        self._claims = claims
        self._trail = trail
        self._clock = clock
        self._drain_within = drain
        self._start = start
        self._slots = [_Slot() for _ in range(count)]
        self._stopping = False
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def stop(self) -> None:
        """End `run` soon; safe to call from a signal handler."""
        self._stopping = True
        os.eventfd_write(self._bell, 1)

    @property
    def pids(self) -> list[int]:
        return [slot.companion.pid for slot in self._slots if slot.companion]

    def run(self) -> None:
        """Keep the workers alive until stopped, then drain them."""
        try:
            while not self._stopping:
                self._start_missing()
                self._wait(self._next_start())
        finally:
            self._drain(self._drain_within)
            os.close(self._bell)

    def _start_missing(self) -> None:
        now = time.monotonic()
        for slot in self._slots:
            if slot.companion is None and slot.start_at <= now:
                slot.name = new_worker_name()
                slot.started = now
                slot.companion = self._start(slot.name)

    def _next_start(self) -> float | None:
        waiting = [slot.start_at for slot in self._slots if slot.companion is None]
        return max(0.0, min(waiting) - time.monotonic()) if waiting else None

    def _wait(self, seconds: float | None) -> None:
        self._see_deaths([slot for slot in self._slots if slot.companion], seconds)

    def _see_death(self, slot: _Slot) -> None:
        """Let the dead worker's lanes go to another one, and plan its successor."""
        if slot.companion is None:
            return
        code = slot.companion.bury()
        slot.companion = None
        now = self._clock.now()
        lapsed = self._claims.lapse(slot.name, now)
        if not self._stopping or code:
            facts = {"code": str(code), "lanes": str(lapsed)}
            self._trail.record(Entry(What.WORKER_GONE, now.wall_at, worker=slot.name, text="died", facts=facts))
        self._plan_successor(slot)

    def _plan_successor(self, slot: _Slot) -> None:
        lived = time.monotonic() - slot.started
        slot.pause = 0.0 if lived >= _HEALTHY_SECONDS else min(max(slot.pause * 2, 0.1), _LONGEST_PAUSE_SECONDS)
        slot.start_at = time.monotonic() + slot.pause

    def _drain(self, at_most: timedelta) -> None:
        """Ask every worker to give back what it has; kill what does not obey in time."""
        for slot in self._slots:
            if slot.companion:
                slot.companion.signal(signal.SIGTERM)
        ends_at = time.monotonic() + at_most.total_seconds()
        while (living := [slot for slot in self._slots if slot.companion]) and time.monotonic() < ends_at:
            self._see_deaths(living, ends_at - time.monotonic())
        for slot in self._slots:
            if slot.companion:
                slot.companion.signal(signal.SIGKILL)
                self._see_death(slot)

    def _see_deaths(self, slots: list[_Slot], seconds: float | None) -> None:
        """Wait until one of them dies, the bell rings or the time is over."""
        watched = {slot.companion.fileno(): slot for slot in slots if slot.companion}
        ready, _, _ = select.select([self._bell, *watched], [], [], seconds if seconds is None else max(seconds, 0))
        for number in ready:
            if number == self._bell:
                os.eventfd_read(self._bell)
            else:
                self._see_death(watched[number])
