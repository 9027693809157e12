"""What every worker does besides its jobs: send answers, decide forgotten mails, fail what is overdue."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from webordinary.child import is_alive
from webordinary.errors import TryAgain
from webordinary.reply.outbox import ALARM, Letter
from webordinary.worker.chores.holding import Holding
from webordinary.worker.chores.posting import Posting
from webordinary.worker.chores.waiting import PendingApprovals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webordinary.engine import Engine
    from webordinary.jobs.limits import Limits
    from webordinary.reply.write import Writer


_log = logging.getLogger(__name__)
_DEAD_A_ROUND = 100
_MAY_HAVE_ARRIVED = "nobody knows whether it was sent, so it was not sent again: ask the person whether it arrived"


class Chores:
    """A thread of its own with nobody in charge: each step is conditional, so that every worker may do it."""

    def __init__(
        self,
        name: str,
        engine: Engine,
        writer: Writer,
        decide_forgotten: Callable[[], int],
        limits: Limits,
        agency: str | None = None,
        others: Sequence[Callable[[], None]] = (),
    ) -> None:
        self._name = name
        self._engine = engine
        self._decide_forgotten = decide_forgotten
        self._clock = clock = writer.clock
        self._limits = limits
        self._agency = agency
        self._others = tuple(others)
        self._posting = Posting(name, engine, writer, clock, agency)
        self._waiting = PendingApprovals(engine, clock, agency)
        self._holding = Holding(engine, clock, agency)
        self._looked_until = -1
        self._wake = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._live, name="chores", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def hurry(self) -> None:
        """Look at once: an answer is waiting to be sent."""
        self._wake.set()

    def close(self) -> None:
        """Finish the round that runs, with one last look at the outbox."""
        self._closed = True
        self._wake.set()
        self._thread.join()

    def tidy_up(self) -> None:
        """Do everything that is due now, once."""
        for step in (
            self._holding.let_go,
            self._posting.send_due,
            self._decide_forgotten,
            self._sweep,
            self._bury_dead_workers,
            self._raise_alarms,
            self._waiting.look_after,
            *self._others,
        ):
            try:
                step()
            except TryAgain:
                # The store is busy or the disk is full: the next round is a second away.
                continue
            except Exception:  # noqa: BLE001 - see below
                # One chore that breaks must not keep the others from being done, now and in every later round.
                _log.exception("a chore of %s broke", self._name)

    def send(self, key: str) -> None:
        """Send one letter at once, if it is due and nobody else has it."""
        self._posting.send_one(key)

    def _live(self) -> None:
        while not self._closed:
            self._wake.wait(self._limits.sweep.total_seconds())
            self._wake.clear()
            self.tidy_up()

    def _sweep(self) -> None:
        self._engine.lanes.sweep(self._clock.now())

    def _bury_dead_workers(self) -> None:
        for worker in self._engine.overview.workers():
            # A worker that does not say where it lives is on another machine perhaps: its lease ends by time.
            if worker.process and not is_alive(worker.process):
                self._engine.claims.lapse(worker.worker, self._clock.now())

    def _raise_alarms(self) -> None:
        """Tell the agency once of each project that was paused, each lost answer and each job that was given up."""
        if self._agency is None:
            return
        for paused in self._engine.overview.paused():
            facts = {"project": paused.project, "reason": paused.reason}
            self._posting.alarm(Letter(f"paused.{paused.project}.{paused.since_at:%s}", ALARM, "", "paused", facts))
        for letter in self._engine.outbox.in_doubt(self._clock.now()):
            self._posting.report(letter, _MAY_HAVE_ARRIVED)
        self._report_dead_jobs()

    def _report_dead_jobs(self) -> None:
        # Every death is in the trail: as long as that does not grow, there is nothing to look for.
        newest = self._engine.trail.last_number()
        if newest == self._looked_until:
            return
        dead = self._engine.overview.dead_without_alarm(limit=_DEAD_A_ROUND)
        for job in dead:
            facts = {"job": job.id, "reason": job.error or ""}
            self._posting.alarm(Letter(f"{job.id}.alarm", ALARM, "", "buried", facts))
        if len(dead) < _DEAD_A_ROUND:
            self._looked_until = newest
