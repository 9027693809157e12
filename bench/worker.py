"""A worker of the benchmarks: the real loop, heartbeat and engine; only the edit is replaced by next to nothing."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from webordinary.child import Child
from webordinary.clock import SystemClock
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.mail_transport import MaildirTransport
from webordinary.engines.embedded.open import DATABASE, Ports
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.limits import Limits
from webordinary.site.targets.folder import FolderSites
from webordinary.worker.attempt import Attempt
from webordinary.worker.loop import Worker

if TYPE_CHECKING:
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim
    from webordinary.worker.heartbeat import AttemptControl

# What a job's text asks of the edit.
NOTHING = "nothing"
TELL = "tell"
HOLD = "hold"
CHILD = "child"

_FOR_EVER = timedelta(hours=1)
_DONE = Ending(State.DONE, Outcome.NOTHING_CHANGED)


def open_bench_engine(folder: Path, limits: Limits) -> tuple[Engine, Database]:
    """Open the embedded engine as an installation has it, without projects."""
    database = Database(folder / DATABASE)
    sites = FolderSites(previews=folder / "previews", targets={})
    return Ports(folder, limits, MaildirTransport(folder / "mailbox"), sites).on(database), database


def address_of(folder: Path) -> str:
    """Return where the benchmark hears from its workers; an abstract socket name."""
    return f"\0bench/{folder.resolve()}"


@dataclass(frozen=True, slots=True)
class BenchEdit:
    """Journals nothing, and ends at once unless the job's text asks otherwise."""

    folder: Path
    teller: socket.socket

    def run(self, _claim: Claim, job: Job, pulse: AttemptControl) -> Ending:
        entered = time.monotonic_ns()
        match job.request.text:
            case "tell":
                self._tell(job, entered, os.getpid())
            case "hold":
                self._tell(job, entered, os.getpid())
                pulse.wait(_FOR_EVER)
                pulse.check()
            case "child":
                self._run_child(job, entered, pulse)
            case _:
                pass
        return _DONE

    def _run_child(self, job: Job, entered: int, pulse: AttemptControl) -> None:
        with Child(["sleep", str(_FOR_EVER.total_seconds())], cwd=self.folder, env=os.environ) as child:
            pulse.watch(child)
            self._tell(job, entered, child.pid)
            child.wait()
        pulse.check()

    def _tell(self, job: Job, entered: int, pid: int) -> None:
        self.teller.send(f"{job.id} {entered} {pid}".encode())


def main() -> int:
    """Run `python -m bench.worker FOLDER NAME LIMITS`."""
    folder, name = Path(sys.argv[1]), sys.argv[2]
    limits = msgspec.json.decode(sys.argv[3], type=Limits)
    engine, _ = open_bench_engine(folder, limits)
    clock = SystemClock()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as teller:
        teller.connect(address_of(folder))
        attempt = Attempt(engine, BenchEdit(folder, teller), clock, limits, lambda: None)
        worker = Worker(name, engine, attempt, clock, limits)
        signal.signal(signal.SIGTERM, lambda *_: worker.drain())
        worker.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
