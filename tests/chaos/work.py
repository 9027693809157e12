"""A worker of the chaos run: the real loop, heartbeat and engine; only the edit is replaced by a few named steps."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from tests.chaos.checker import takes_round
from tests.chaos.effects import Effect, Effects
from tests.chaos.places import PLACES
from webordinary.errors import Interrupted, LostOwnership, TryAgain
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.repairs import RepairEnd
from webordinary.worker.attempt import Attempt
from webordinary.worker.loop import Worker

if TYPE_CHECKING:
    from tests.chaos.ground import Ground
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.ownership.claim import Claim
    from webordinary.worker.heartbeat import AttemptControl

_OBEYED = "obeyed-by-"
PUBLISHED = Ending(
    State.DONE,
    Outcome.PUBLISHED,
    summary="It was changed.",
    template="published",
    facts={"summary": "It was changed.", "changes": "changed index.html", "address": "https://amelia.example/"},
)


@dataclass(frozen=True, slots=True)
class Orders:
    """Sentences: the first worker that comes to a named step for which one lies there, dies or stops at it."""

    folder: Path

    def obey(self, step: str) -> None:
        """Die or stop here if that was ordered; a stopped worker goes on when it is told to."""
        mine = self.folder / f"{_OBEYED}{os.getpid()}-{time.monotonic_ns()}"
        with suppress(FileNotFoundError):
            self._file(step).rename(mine)
            os.kill(os.getpid(), signal.Signals[mine.read_text(encoding="ascii").partition(" ")[0]])

    def give(self, step: str, number: signal.Signals) -> bool:
        """Lay a sentence at a step; False when one lies there already."""
        self.folder.mkdir(exist_ok=True)
        if self._file(step).exists():
            return False
        draft = self.folder / "draft"
        draft.write_text(f"{number.name} {step}", encoding="ascii")
        draft.rename(self._file(step))
        return True

    def are_left(self) -> bool:
        return any(self.folder.glob("at-*"))

    def take_back(self) -> list[str]:
        """Return the sentences that nobody came to, and take them away."""
        left = []
        for file in self.folder.glob("at-*"):
            with suppress(FileNotFoundError):
                text = file.read_text(encoding="ascii")
                file.unlink()
                left.append(text)
        return left

    def obeyed(self) -> list[tuple[int, str]]:
        """Return who obeyed since the last question, and what."""
        marks = [(mark, mark.read_text(encoding="ascii")) for mark in self.folder.glob(f"{_OBEYED}*")]
        for mark, _ in marks:
            mark.unlink()
        return [(int(mark.name.removeprefix(_OBEYED).partition("-")[0]), text) for mark, text in marks]

    def _file(self, step: str) -> Path:
        return self.folder / f"at-{step.replace(' ', '-')}"


@dataclass(frozen=True, slots=True)
class ChaosEdit:
    """What an edit does, without git: a moment of work, a round of repair, the commit point, a push, the end."""

    engine: Engine
    effects: Effects
    orders: Orders
    worker: str
    work: timedelta
    clock: Clock

    def run(self, claim: Claim, job: Job, pulse: AttemptControl) -> Ending:
        clock = self.clock
        self.orders.obey("claimed")
        if job.state == State.COMMITTING:
            self.orders.obey("settling")
            if self._is_live(claim, job):
                return PUBLISHED
            job = self.engine.attempts.reopen(claim, job, "not live", clock.now())
        commit = f"{job.id}@{claim.fence}"
        try:
            pulse.wait(self.work)
            pulse.check()
            job = self._mended(claim, job)
            self.orders.obey("before the commit point")
            self.engine.attempts.pass_commit_point(claim, job, commit, clock.now())
        except Interrupted:
            self.orders.obey("set aside")
            raise
        pulse.pass_commit_point()
        self.orders.obey("after the commit point")
        if not self.effects.push(Effect("push", claim.lane.key, claim.fence, job.id, commit, self.worker)):
            raise LostOwnership("a newer owner has pushed")
        self.orders.obey("after the push")
        self.orders.obey("before the end")
        return PUBLISHED

    def _mended(self, claim: Claim, job: Job) -> Job:
        """Take a round of repair with some jobs; one that has ended is not begun again, whoever goes on."""
        attempts = self.engine.attempts
        if not takes_round(job) or job.journal.repaired:
            return job
        begun = dict([Journal.repairs(1)])
        job = attempts.journal(claim, job, Step.REPAIR_STARTED.value, begun, self.clock.now())
        self.orders.obey("in a round of repair")
        ended = dict([Journal.repaired(1), Journal.repair_end(RepairEnd.CHANGED)])
        job = attempts.journal(claim, job, Step.REPAIR_ENDED.value, ended, self.clock.now())
        self.orders.obey("after a round of repair")
        return job

    def _is_live(self, claim: Claim, job: Job) -> bool:
        if not self.effects.advance_fence(claim.lane.key, claim.fence, self.worker):
            raise LostOwnership("a newer owner has settled")
        return self.effects.was_pushed(claim.lane.key, job.commit)


def _sweep(ground: Ground) -> None:
    """Do the sweep of the chores and nothing else of them."""
    pause = threading.Event()
    while True:
        with suppress(TryAgain):
            ground.engine.lanes.sweep(ground.clock.now())
        pause.wait(ground.limits.sweep.total_seconds())


def main() -> int:
    """Run `python -m tests.chaos.work PLACE FOLDER NAME fenced|unfenced`."""
    place, folder, name, fenced = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4] == "fenced"
    ground = PLACES[place].ground(folder, os.environ, troubled=True)
    engine, clock, limits = ground.engine, ground.clock, ground.limits
    orders = Orders(folder / "orders")
    ground.watch_writes(orders.obey)
    effects = Effects(folder / "effects", fenced=fenced)
    work = timedelta(milliseconds=float(os.environ.get("CHAOS_WORK_MS", "5")))
    edit = ChaosEdit(engine, effects, orders, name, work, clock)
    attempt = Attempt(engine, edit, clock, limits, lambda: None)
    worker = Worker(name, engine, attempt, clock, limits)
    signal.signal(signal.SIGTERM, lambda *_: worker.drain())
    threading.Thread(target=_sweep, args=(ground,), daemon=True).start()
    worker.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
