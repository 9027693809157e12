"""`make chaos`: thousands of jobs under kills, stops and losses, then every promise is checked; prints one table."""

from __future__ import annotations

import argparse
import math
import os
import random
import resource
import signal
import sys
import tempfile
import threading
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from tests.chaos.checker import History, violations
from tests.chaos.effects import Effects
from tests.chaos.ground import jump
from tests.chaos.places import PLACES
from tests.chaos.plan import Plan, Result, crowded_plan, long_plan, print_table, unfenced_plan
from tests.chaos.work import Orders
from webordinary.child.companion import Companion
from webordinary.errors import LostOwnership, TryAgain
from webordinary.overview import EVERY
from webordinary.serve.supervisor import Supervisor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webordinary.engine import Engine

# When nothing has ended for this long, nothing ever will: that is a finding, not a slow machine.
_STUCK_SECONDS = 60.0


class Chaos:
    """One run in one folder."""

    def __init__(self, folder: Path, plan: Plan, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._plan = plan
        self._environment = environment
        self._place = PLACES[plan.place]
        self._ground = self._place.ground(folder, environment, troubled=False)
        self._engine, self._clock, self._limits = self._ground.engine, self._ground.clock, self._ground.limits
        self._random = random.Random(plan.seed)  # noqa: S311 - the same run again, not a secret
        self._steps = plan.steps or self._place.steps
        self._orders = Orders(folder / "orders")
        self._pids: dict[str, int] = {}
        self._pause = threading.Event()
        self._asleep: list[threading.Timer] = []
        self.result = Result()
        door = self._place.ground(folder, environment, troubled=True)
        self._feeder = self._place.feeder(door, plan, self.result)

    def run(self) -> Result:
        began = time.monotonic()
        supervisor = Supervisor(
            self._engine, self._clock, self._limits, self._start, self._plan.workers, self._ground.is_blocked
        )
        threads = [threading.Thread(target=target) for target in (supervisor.run, self._feeder.run)]
        for thread in threads:
            thread.start()
        try:
            self._torment()
            threads[1].join()
            self._wait_until(self._is_quiet)
        finally:
            supervisor.stop()
            self._feeder.stop()
            for thread in threads:
                thread.join()
        history = self._history()
        self.result.count("interruptions", sum(job.interruptions for job in history.jobs))
        self.result.count("takeovers", sum("from" in entry.facts for entry in history.trail))
        self._count_accidents()
        self.result.broken = violations(history) + list(self._feeder.broken_promises())
        self.result.seconds = time.monotonic() - began
        return self.result

    def _count_accidents(self) -> None:
        with suppress(FileNotFoundError):
            for accident in (self._folder / "accidents").read_text(encoding="ascii").splitlines():
                self.result.count(f"  {accident}")

    def _start(self, name: str) -> Companion:
        argv = [sys.executable, "-m", "tests.chaos.work", self._plan.place, str(self._folder), name]
        argv.append("fenced" if self._plan.fenced else "unfenced")
        environment = {**os.environ, **self._environment, "CHAOS_WORK_MS": str(self._plan.work_ms)}
        companion = Companion(argv, environment)
        self._pids[name] = companion.pid
        return companion

    def _torment(self) -> None:
        """Spread the faults over the whole run; a fault injector must aim, so owners of running jobs are hit."""
        kills, stops = int(self._plan.kills * self._plan.aimed), int(self._plan.stops * self._plan.aimed)
        faults: list[Callable[[], bool]] = (
            [self._kill_someone] * (self._plan.kills - kills)
            + [self._kill_at_a_step] * kills
            + [self._stop_an_owner] * (self._plan.stops - stops)
            + [self._stop_at_a_step] * stops
            + [self._drain_someone] * self._plan.drains
            + [self._change_the_time] * self._plan.jumps
            + [self._answer_late] * self._plan.late_answers
            + [self._starve_someone] * self._plan.shortages
        )
        self._random.shuffle(faults)
        for fault in faults:
            # Jobs come as fast as faults do: there is always work to disturb and never a mountain of it.
            self._feeder.released += self._plan.jobs / len(faults)
            self._wait_until(fault)
            self._see_who_obeyed()
        self._replace_what_nobody_came_to()
        self._feeder.is_enough = True
        self._feeder.released = math.inf

    def _see_who_obeyed(self) -> None:
        for pid, order in self._orders.obeyed():
            name, _, step = order.partition(" ")
            self.result.count(f"  {name} at the step: {step}")
            self.result.count("kills" if name == "SIGKILL" else "stops")
            if name == "SIGSTOP":
                self._let_go_on_later(pid)

    def _replace_what_nobody_came_to(self) -> None:
        """Hit just anybody in place of the sentences that lie at steps to which nobody comes any more."""
        ends_at = time.monotonic() + 3 * self._limits.lease.total_seconds()
        while self._orders.are_left() and time.monotonic() < ends_at:
            self._feeder.released += 0.1
            self._pause.wait(0.005)
            self._see_who_obeyed()
        for order in self._orders.take_back():
            self._wait_until(self._kill_someone if order.startswith("SIGKILL") else self._stop_an_owner)
        self._see_who_obeyed()

    def _kill_someone(self) -> bool:
        pid = self._busy_pid() if self._random.random() < 0.8 else self._any_pid()
        return pid is not None and self._signal(pid, signal.SIGKILL, "kills")

    def _kill_at_a_step(self) -> bool:
        return self._orders.give(self._random.choice(self._steps), signal.SIGKILL)

    def _stop_at_a_step(self) -> bool:
        return self._orders.give(self._random.choice(self._steps), signal.SIGSTOP)

    def _stop_an_owner(self) -> bool:
        """Stop a busy owner until its lease is long over, then let it go on as if nothing had happened."""
        self._see_who_obeyed()
        # With too many asleep, nobody is left to do the work.
        if sum(timer.is_alive() for timer in self._asleep) >= self._plan.workers // 2:
            return False
        pid = self._busy_pid()
        if pid is None or not self._signal(pid, signal.SIGSTOP, "stops"):
            return False
        self._let_go_on_later(pid)
        return True

    def _let_go_on_later(self, pid: int) -> None:
        seconds = self._limits.lease.total_seconds() * self._random.uniform(1.2, 2.5)
        wake = threading.Timer(seconds, self._signal, (pid, signal.SIGCONT, ""))
        wake.start()
        self._asleep = [timer for timer in self._asleep if timer.is_alive()] + [wake]

    def _drain_someone(self) -> bool:
        pid = self._any_pid()
        return pid is not None and self._signal(pid, signal.SIGTERM, "drains")

    def _starve_someone(self) -> bool:
        """Let a busy worker open nothing, or write nothing, as on a full disk, until its lease may be over."""
        pid = self._busy_pid()
        if pid is None:
            return False
        what = self._random.choice((resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE))
        try:
            before = resource.prlimit(pid, what)
            resource.prlimit(pid, what, (0, before[1]))
        except ProcessLookupError:
            return False
        self.result.count("shortages")
        self.result.count("  of descriptors" if what == resource.RLIMIT_NOFILE else "  of disk")
        seconds = self._limits.lease.total_seconds() * self._random.uniform(0.5, 2)
        relief = threading.Timer(seconds, _relieve, (pid, what, before))
        relief.start()
        self._asleep.append(relief)
        return True

    def _change_the_time(self) -> bool:
        """Set the wall clock, sometimes by more than anybody's patience; leases must not notice."""
        jump(self._folder, timedelta(hours=self._random.choice((-30, -1, 0, 1, 26))))
        self.result.count("clock jumps")
        return True

    def _answer_late(self) -> bool:
        """Answer the token of a job that is over; it must change nothing, which the checker sees."""
        over = [job for job in self._engine.overview.jobs(limit=20) if not job.state.is_live and job.token]
        if not over:
            return False
        answer = self._random.choice((self._engine.callbacks.succeed, self._engine.callbacks.fail))
        try:
            answer(self._random.choice(over).token or "", "too late", self._clock.now())
        except TryAgain:
            return False
        except LostOwnership:
            self.result.count("late answers refused")
        return True

    def _busy_pid(self) -> int | None:
        lanes = self._engine.overview.lanes(self._clock.now(), limit=EVERY)
        owners = [view.owner for view in lanes if view.owner and view.running]
        return self._pids.get(self._random.choice(owners)) if owners else None

    def _any_pid(self) -> int | None:
        workers = self._engine.overview.workers()
        return self._pids.get(self._random.choice(workers).worker) if workers else None

    def _signal(self, pid: int, number: signal.Signals, count_as: str) -> bool:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return False
        if count_as:
            self.result.count(count_as)
        return True

    def _ended(self) -> int:
        """Count what is over; whoever is accepted meanwhile may be counted a moment early."""
        promised = len(self._feeder.promised)
        return promised - sum(lane.pending for lane in self._engine.overview.lanes(self._clock.now(), limit=EVERY))

    def _is_quiet(self) -> bool:
        return self._ended() >= len(self._feeder.promised)

    def _wait_until(self, look: Callable[[], bool]) -> None:
        ends_at = time.monotonic() + _STUCK_SECONDS
        ended = -1
        while not look():
            self._pause.wait(self._place.look_again.total_seconds())
            self._feeder.released += 0.1
            if ended != (now := self._ended()):
                ended, ends_at = now, time.monotonic() + _STUCK_SECONDS
            if time.monotonic() > ends_at:
                said = f"nothing has ended for {_STUCK_SECONDS:g} s; {ended} jobs are over"
                raise StuckError(f"{said}\n{self._waiting()}")

    def _waiting(self) -> str:
        """Return what is known of the jobs that are not over, for whoever waited in vain."""
        engine = self._engine
        live = [job for job in engine.overview.jobs(limit=10_000_000) if job.state.is_live]
        lanes = [view for view in engine.overview.lanes(self._clock.now(), limit=EVERY) if view.pending or view.running]
        trails = [entry for job in live for entry in engine.trail.read(job=job.id)]
        return "\n".join(map(str, [*lanes, *live, *trails, *engine.overview.paused()]))

    def _history(self) -> History:
        engine: Engine = self._engine
        jobs = engine.overview.jobs(limit=10_000_000)
        callbacks = [engine.callbacks.read(job.token or "") for job in jobs]
        return History(
            trail=engine.trail.read(limit=100_000_000),
            jobs=jobs,
            lanes=engine.overview.lanes(self._clock.now(), limit=EVERY),
            effects=Effects(self._folder / "effects").all(),
            callbacks=[callback for callback in callbacks if callback],
            promised=self._feeder.promised,
            jumps=self.result.done.get("clock jumps", 0),
        )


def _relieve(pid: int, what: int, before: tuple[int, int]) -> None:
    with suppress(ProcessLookupError):
        resource.prlimit(pid, what, before)


class StuckError(AssertionError):
    """The run does not come to its end."""


def run_in_a_new_folder(plan: Plan) -> Result:
    """Run once and leave nothing behind."""
    with (
        tempfile.TemporaryDirectory(prefix="chaos-") as folder,
        PLACES[plan.place].opened(Path(folder)) as environment,
    ):
        return Chaos(Path(folder), plan, environment).run()


def main() -> int:
    """Print what was done and what broke; non-zero when anything did, or when the checker cannot fail."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--scale", type=float, default=1.0, help="1 = 1,000 kills, 1,000 stops, 10,000 jobs")
    options.add_argument("--place", choices=PLACES, default="one-machine")
    wanted = options.parse_args()
    result = run_in_a_new_folder(long_plan(wanted.place, wanted.scale))
    if wanted.place != "the-flow":
        result.add(run_in_a_new_folder(crowded_plan(wanted.place, wanted.scale)))
    unfenced = run_in_a_new_folder(unfenced_plan(wanted.place))
    print_table(result, unfenced)
    return 1 if result.broken or not unfenced.broken else 0


if __name__ == "__main__":
    sys.exit(main())
