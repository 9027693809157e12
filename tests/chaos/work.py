"""A worker of the chaos run: the real loop, heartbeat and engine; only the edit is replaced by a few named steps."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from tests.chaos.effects import Effect, Effects
from webordinary.clock import SystemClock
from webordinary.engines.embedded.database import Database
from webordinary.engines.embedded.open import DATABASE, Ports
from webordinary.engines.embedded.postman import MaildirPostman
from webordinary.engines.embedded.signals import DatagramSignals
from webordinary.errors import LostOwnership
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.limits import Limits
from webordinary.site.targets.folder import FolderSites
from webordinary.worker.attempt import Attempt
from webordinary.worker.loop import Worker

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim
    from webordinary.worker.heartbeat import Pulse

# Short enough that a stopped worker loses its lane within the run, long enough for a busy machine of two cores.
LIMITS = Limits(
    lease=timedelta(seconds=0.6),
    beat=timedelta(seconds=0.15),
    idle_beat=timedelta(seconds=0.2),
    sweep=timedelta(seconds=0.2),
    idle_release=timedelta(seconds=0.6),
    first_interrupt_after=timedelta(seconds=0),
    attempts=1_000_000,
    backoff=(timedelta(seconds=0.05),),
    drain=timedelta(seconds=5),
    ring_again=timedelta(seconds=0.5),
    claim_errors=50,
    claim_pause=timedelta(seconds=1),
)
STEPS = (
    "claimed", "before the commit point", "after the commit point", "after the push", "before the end",
    "settling", "set aside", "inside a transaction",
)  # fmt: skip


class LossySignals(DatagramSignals):
    """Bells of which some are lost and some ring twice."""

    def __init__(self, data: Path) -> None:
        super().__init__(data)
        self._count = os.getpid()

    def ring(self, workers: Iterable[str]) -> None:
        self._count += 1
        wanted = tuple(workers)
        for _ in range((1, 1, 0, 2)[self._count % 4]):
            super().ring(wanted)


def open_chaos_engine(folder: Path) -> tuple[Engine, Database]:
    """Open the real embedded engine with short limits and lossy bells."""
    database = Database(folder / DATABASE)
    postman, sites = MaildirPostman(folder / "mailbox"), FolderSites(previews=folder / "previews", targets={})
    engine = Ports(folder, LIMITS, postman, sites, signals=LossySignals(folder)).on(database)
    return engine, database


@dataclass(frozen=True, slots=True)
class Orders:
    """Death sentences: the first worker that comes to a named step for which one lies there, dies at it."""

    folder: Path

    def obey(self, step: str) -> None:
        with suppress(FileNotFoundError):
            (self.folder / step.replace(" ", "-")).unlink()
            os.kill(os.getpid(), signal.SIGKILL)

    def die_at(self, step: str) -> None:
        self.folder.mkdir(exist_ok=True)
        (self.folder / step.replace(" ", "-")).touch()

    def obeyed(self, step: str) -> bool:
        return not (self.folder / step.replace(" ", "-")).exists()


@dataclass(frozen=True, slots=True)
class ChaosEdit:
    """What an edit does, without git: a moment of work, the commit point, a push, the end."""

    engine: Engine
    effects: Effects
    orders: Orders
    worker: str
    work: timedelta

    def run(self, claim: Claim, job: Job, pulse: Pulse) -> Ending:
        clock = SystemClock()
        self.orders.obey("claimed")
        if job.state == State.COMMITTING:
            self.orders.obey("settling")
            if self._is_live(claim, job):
                return Ending(State.DONE, Outcome.PUBLISHED)
            job = self.engine.attempts.reopen(claim, job, "not live", clock.now())
        pulse.wait(self.work)
        try:
            pulse.check()
        except Exception:
            self.orders.obey("set aside")
            raise
        self.orders.obey("before the commit point")
        self.engine.attempts.pass_commit_point(claim, job, f"commit-{job.id}", clock.now())
        pulse.pass_commit_point()
        self.orders.obey("after the commit point")
        if not self.effects.push(Effect("push", claim.lane.key, claim.fence, job.id, self.worker)):
            raise LostOwnership("a newer owner has pushed")
        self.orders.obey("after the push")
        self.orders.obey("before the end")
        return Ending(State.DONE, Outcome.PUBLISHED)

    def _is_live(self, claim: Claim, job: Job) -> bool:
        if not self.effects.advance_fence(claim.lane.key, claim.fence, self.worker):
            raise LostOwnership("a newer owner has settled")
        return self.effects.was_pushed(claim.lane.key, job.id)


def main() -> int:
    """Run `python -m tests.chaos.work FOLDER NAME fenced|unfenced`."""
    folder, name, fenced = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "fenced"
    engine, database = open_chaos_engine(folder)
    orders = Orders(folder / "orders")
    database.at_commit = lambda: orders.obey("inside a transaction")
    effects = Effects(folder / "effects", fenced=fenced)
    clock = SystemClock()
    edit = ChaosEdit(engine, effects, orders, name, timedelta(milliseconds=float(os.environ.get("CHAOS_WORK_MS", "5"))))
    attempt = Attempt(engine, edit, clock, LIMITS, lambda: None)
    worker = Worker(name, engine, attempt, clock, LIMITS)
    signal.signal(signal.SIGTERM, lambda *_: worker.drain())
    worker.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
