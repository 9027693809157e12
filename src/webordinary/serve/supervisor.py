"""The supervisor: starts worker processes, sees each death at once, restarts them, and drains them at the end."""

from __future__ import annotations

import logging
import os
import select
import signal
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.jobs.job import State
from webordinary.reply.outbox import outage
from webordinary.worker.loop import new_worker_name

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from webordinary.child.companion import Companion
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.limits import Limits

    Start = Callable[[str], Companion]

# A worker that lived this long was healthy: its successor starts at once.
_HEALTHY_SECONDS = 10.0
_LOOK_SECONDS = 1.0
_IT_LASTS_SECONDS = 120.0
_log = logging.getLogger(__name__)


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

    def __init__(
        self,
        engine: Engine,
        clock: Clock,
        limits: Limits,
        start: Start,
        count: int,
        is_blocked: Callable[[], bool],
        new_name: Callable[[], str] = new_worker_name,
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._limits = limits
        self._start = start
        self._is_blocked = is_blocked
        self._new_name = new_name
        # Who is told when no worker can be started for minutes.
        self.agency: str | None = None
        # On the boot clock: since when no worker could be started.
        self._without_since: float | None = None
        self._slots = [_Slot() for _ in range(count)]
        self._stopping = False
        self._wakeup = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        # Opened once, for times when nothing can be opened; `select` knows no descriptor above 1023, and visitors use
        # up the lower ones.
        self._deaths = select.epoll()
        self._deaths.register(self._wakeup, select.EPOLLIN)

    def stop(self) -> None:
        """End `run` soon; safe to call from a signal handler."""
        self._stopping = True
        if self._wakeup >= 0:
            os.eventfd_write(self._wakeup, 1)

    @property
    def pids(self) -> list[int]:
        return [slot.companion.pid for slot in self._slots if slot.companion]

    def kill(self, worker: str) -> bool:
        """End a worker at once, as a crash does; False if there is none of that name. For those who try it out."""
        found = [slot.companion for slot in self._slots if slot.name == worker and slot.companion is not None]
        for companion in found:
            companion.signal(signal.SIGKILL)
        return bool(found)

    def run(self) -> None:
        """Keep the workers alive until stopped, then drain them."""
        try:
            while not self._stopping:
                self._start_missing()
                self._wait(min(self._next_start(), _LOOK_SECONDS))
                self._end_a_stopped_holder()
        finally:
            self._drain()
            # Forgotten before it is closed: a signal may come in between, and its number may soon be another file's.
            wakeup, self._wakeup = self._wakeup, -1
            self._deaths.close()
            os.close(wakeup)

    def _start_missing(self) -> None:
        now = time.monotonic()
        for slot in self._slots:
            if slot.companion is None and slot.start_at <= now:
                slot.name = self._new_name()
                slot.started = now
                try:
                    slot.companion = self._start(slot.name)
                    self._deaths.register(slot.companion.fileno(), select.EPOLLIN)
                    self._without_since = None
                except OSError as problem:
                    # Too many processes, or no memory: the other workers go on, and this one comes later.
                    _log.exception("a worker could not be started")
                    self._plan_successor(slot)
                    self._tell_if_it_lasts(problem)

    def _tell_if_it_lasts(self, problem: OSError) -> None:
        now = self._clock.now()
        if self._without_since is None:
            self._without_since = now.boot
        if self.agency is None or now.boot - self._without_since < _IT_LASTS_SECONDS:
            return
        reason = f"no worker can be started on this machine ({problem.strerror or problem})"
        try:
            self._engine.outbox.add(outage(reason, self.agency, now.wall_at, "workers"), now)
        except Exception:  # noqa: BLE001 - as below; the next try is half a minute away
            _log.exception("that no worker can be started could not be told")

    def _next_start(self) -> float:
        waiting = [slot.start_at for slot in self._slots if slot.companion is None]
        return max(0.0, min(waiting) - time.monotonic()) if waiting else _LOOK_SECONDS

    def _end_a_stopped_holder(self) -> None:
        """Kill a worker that was stopped inside a transaction: nobody else can write until it is gone."""
        stopped = [slot for slot in self._slots if _is_stopped(slot)]
        if stopped and self._writing_is_blocked():
            for slot in stopped:
                if slot.companion and _is_stopped(slot):
                    slot.companion.signal(signal.SIGKILL)

    def _writing_is_blocked(self) -> bool:
        try:
            return self._is_blocked()
        except Exception:  # noqa: BLE001 - nothing that the store says may end the one who watches over the workers
            _log.exception("it could not be seen whether a stopped worker keeps others from writing")
            return False

    def _wait(self, seconds: float) -> None:
        self._see_deaths(seconds)

    def _see_death(self, slot: _Slot) -> None:
        """Let the dead worker's lanes go to another one, and plan its successor."""
        if slot.companion is None:
            return
        code = slot.companion.bury()
        slot.companion = None
        try:
            self._tell_death(slot.name, code)
        except Exception:  # noqa: BLE001 - as above; the lease ends by itself a little later
            _log.exception("the death of %s could not be written down", slot.name)
        self._plan_successor(slot)

    def _tell_death(self, worker: str, code: int) -> None:
        now = self._clock.now()
        lapsed = self._engine.claims.lapse(worker, now)
        if code:
            facts = {"code": str(code), "lanes": str(lapsed)}
            self._engine.trail.record(
                Entry(EventType.WORKER_GONE, now.wall_at, worker=worker, text="died", facts=facts)
            )

    def _plan_successor(self, slot: _Slot) -> None:
        lived = time.monotonic() - slot.started
        longest = self._limits.restart_pause.total_seconds()
        slot.pause = 0.0 if lived >= _HEALTHY_SECONDS else min(max(slot.pause * 2, 0.1), longest)
        slot.start_at = time.monotonic() + slot.pause

    def _drain(self) -> None:
        """Ask every worker to give back what it has; who is publishing may finish, the others are killed in time."""
        for slot in self._slots:
            if slot.companion:
                slot.companion.signal(signal.SIGTERM)
        self._wait_for_all(self._living(), self._limits.drain)
        self._wait_for_all([slot for slot in self._living() if self._may_publish(slot)], self._limits.drain_committing)
        for slot in self._living():
            if slot.companion:
                slot.companion.signal(signal.SIGKILL)
                self._see_death(slot)

    def _living(self) -> list[_Slot]:
        return [slot for slot in self._slots if slot.companion]

    def _wait_for_all(self, slots: list[_Slot], at_most: timedelta) -> None:
        ends_at = time.monotonic() + at_most.total_seconds()
        while any(slot.companion for slot in slots) and time.monotonic() < ends_at:
            self._see_deaths(ends_at - time.monotonic())

    def _may_publish(self, slot: _Slot) -> bool:
        try:
            return self._publishes(slot)
        except Exception:  # noqa: BLE001 - as above; who cannot be asked about gets the longer time
            _log.exception("it could not be seen whether %s is publishing", slot.name)
            return True

    def _publishes(self, slot: _Slot) -> bool:
        lanes = self._engine.overview.lanes_of(slot.name, self._clock.now())
        running = [lane.running for lane in lanes if lane.owner and lane.running]
        jobs = [self._engine.overview.job(job) for job in running]
        return any(job is not None and job.state == State.COMMITTING for job in jobs)

    def _see_deaths(self, seconds: float) -> None:
        """Wait until one of them dies, a wake-up comes or the time is over."""
        watched = {slot.companion.fileno(): slot for slot in self._living() if slot.companion}
        for number, _ in self._deaths.poll(max(seconds, 0)):
            if number == self._wakeup:
                os.eventfd_read(self._wakeup)
            else:
                self._see_death(watched[number])


def _is_stopped(slot: _Slot) -> bool:
    try:
        return slot.companion is not None and slot.companion.is_stopped()
    except OSError:
        # No descriptor is left to look with: who cannot be seen is left alone, and looked at again in a second.
        return False
