"""A place to measure in: one installation on the real disk, real worker processes, and their reports."""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import msgspec

from bench.worker import TELL, address_of, open_bench_engine
from webordinary.child.companion import Companion
from webordinary.clock import SystemClock
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.routing.lane import Lane
from webordinary.serve.supervisor import Supervisor
from webordinary.worker.loop import new_worker_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webordinary.jobs.limits import Limits

AT_ONCE = InterruptRule(first_after=timedelta(0))
ROOT = Path(__file__).parents[1]
# Nothing here takes that long; whoever waits longer waits for ever.
_PATIENCE_SECONDS = 60.0
_LOOK_SECONDS = 0.001
# A worker that has said that it waits still looks once more before it really does.
_SETTLE_SECONDS = 0.004


class NeverHappened(AssertionError):
    """What the benchmark waits for did not come."""


@dataclass(frozen=True, slots=True)
class Report:
    """What an edit says when it is entered: which job, when, and whose process to look at."""

    job: str
    entered_ns: int
    pid: int


class Place:
    """One folder with one database; closed with all that was started in it."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder = folder
        self.limits = limits
        self.clock = SystemClock()
        self.engine, self._database = open_bench_engine(folder, limits)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._listener.bind(address_of(folder))
        self._listener.settimeout(_PATIENCE_SECONDS)
        self._commits = apsw.Connection(str(folder / "commits.db"))
        self._commits.pragma("journal_mode", "wal")
        self._commits.pragma("synchronous", "full")
        self._commits.execute("CREATE TABLE commits (number INTEGER PRIMARY KEY, at INTEGER NOT NULL)")
        self._count = 0

    def close(self) -> None:
        self._listener.close()
        self._commits.close()

    def accept(self, lane: str, text: str = TELL, *, thread: str | None = None) -> tuple[str, int]:
        """Accept one job that is ready, and return its id and when the call began."""
        self._count += 1
        now = self.clock.now()
        job = NewJob(
            id=f"job-{self._count}",
            lane=Lane.parse(lane),
            thread=thread or f"thread-{self._count}",
            dedup_key=f"key-{self._count}",
            kind=Kind.INSTRUCTION,
            subject="Opening hours",
            request=Request(text),
            received_at=now.wall_at,
        )
        began = time.monotonic_ns()
        self.engine.lanes.accept(job, now, ready=AT_ONCE)
        return job.id, began

    def hear(self, job: str) -> Report:
        """Wait until the edit of this job is entered."""
        while True:
            name, entered, pid = self._listener.recv(256).decode().split()
            if name == job:
                return Report(name, int(entered), int(pid))

    def commit_durably(self) -> int:
        """Return the nanoseconds of one small durable transaction on the same disk, without any of our code."""
        began = time.monotonic_ns()
        self._commits.execute("BEGIN IMMEDIATE")
        self._commits.execute("INSERT INTO commits (at) VALUES (?)", (began,))
        self._commits.execute("COMMIT")
        return time.monotonic_ns() - began

    def wait_until(self, look: Callable[[], bool], *, every: float = _LOOK_SECONDS) -> None:
        ends_at = time.monotonic() + _PATIENCE_SECONDS
        while not look():
            if time.monotonic() > ends_at:
                raise NeverHappened(f"waited {_PATIENCE_SECONDS:g} s in {self.folder}")
            time.sleep(every)

    def wait_until_idle(self, count: int) -> None:
        """Wait until that many workers wait for any lane."""
        self.wait_until(lambda: sum(worker.idle for worker in self.engine.overview.workers()) >= count)
        time.sleep(_SETTLE_SECONDS)

    def wait_until_over(self, job: str) -> None:
        """Wait until the job has its final state and its worker has looked for the next one."""

        def is_over() -> bool:
            found = self.engine.overview.job(job)
            return found is not None and not found.state.is_live

        self.wait_until(is_over)
        time.sleep(_SETTLE_SECONDS)

    def start(self, name: str) -> Companion:
        """Start one worker process."""
        limits = msgspec.json.encode(self.limits).decode()
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        argv = [sys.executable, "-m", "bench.worker", str(self.folder), name, limits]
        return Companion(argv, {**os.environ, "PYTHONPATH": path})

    @contextmanager
    def supervised(self, count: int, *, until_idle: bool = True) -> Iterator[Supervisor]:
        """Keep that many workers alive inside the block, as `webordinary serve` does."""
        supervisor = Supervisor(self.engine, self.clock, self.limits, self.start, count, self._database.is_blocked)
        thread = threading.Thread(target=supervisor.run)
        thread.start()
        try:
            self.wait_until_idle(count if until_idle else 0)
            yield supervisor
        finally:
            supervisor.stop()
            thread.join()

    @contextmanager
    def alone(self, count: int) -> Iterator[dict[int, Companion]]:
        """Start that many workers with nobody who watches over them."""
        started = [self.start(new_worker_name()) for _ in range(count)]
        workers = {companion.pid: companion for companion in started}
        try:
            self.wait_until_idle(count)
            yield workers
        finally:
            for companion in workers.values():
                companion.signal(signal.SIGKILL)
                companion.bury()


@contextmanager
def open_place(parent: Path, limits: Limits) -> Iterator[Place]:
    """Make a place on the disk of `parent`, and remove it afterwards."""
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=parent) as folder:
        place = Place(Path(folder), limits)
        try:
            yield place
        finally:
            place.close()
