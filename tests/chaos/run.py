"""`make chaos`: thousands of jobs under kills, stops and losses, then every promise is checked; prints one table."""

from __future__ import annotations

import argparse
import math
import os
import random
import signal
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from tests.chaos.checker import History, violations
from tests.chaos.effects import Effects
from tests.chaos.work import LIMITS, STEPS, JumpingClock, Orders, open_chaos_engine
from webordinary.child.companion import Companion
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.routing.lane import Lane
from webordinary.serve.supervisor import Supervisor

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.engine import Engine

# When nothing has ended for this long, nothing ever will: that is a finding, not a slow machine.
_STUCK_SECONDS = 60.0
_RULE = InterruptRule(first_after=timedelta(0))


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything."""

    jobs: int
    kills: int
    stops: int
    drains: int = 10
    jumps: int = 5
    lanes: int = 12
    workers: int = 6
    fenced: bool = True
    work_ms: int = 5
    seed: int = 1
    # The part of the kills and stops that happens at a named step and not just anywhere.
    aimed: float = 0.25
    steps: tuple[str, ...] = STEPS


@dataclass(slots=True)
class Result:
    """What was done to the system, and what it did wrong."""

    done: dict[str, int] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    seconds: float = 0

    def count(self, what: str, by: int = 1) -> None:
        self.done[what] = self.done.get(what, 0) + by


class Chaos:
    """One run in one folder."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self._folder = folder
        self._plan = plan
        self._random = random.Random(plan.seed)  # noqa: S311 - the same run again, not a secret
        self._clock = JumpingClock(folder)
        self._engine, self._database = open_chaos_engine(folder)
        self._orders = Orders(folder / "orders")
        self._promised: list[str] = []
        self._pids: dict[str, int] = {}
        self._pause = threading.Event()
        self._released = 2.0 * plan.lanes
        self._tormented = False
        self._asleep: list[threading.Timer] = []
        self.result = Result()

    def run(self) -> Result:
        began = time.monotonic()
        engine = self._engine
        supervisor = Supervisor(engine, self._clock, LIMITS, self._start, self._plan.workers, self._database.is_blocked)
        threads = [threading.Thread(target=target) for target in (supervisor.run, self._feed)]
        for thread in threads:
            thread.start()
        try:
            self._torment()
            threads[1].join()
            self._wait_until(self._is_quiet)
        finally:
            supervisor.stop()
            threads[0].join()
        history = self._history()
        self.result.count("interruptions", sum(job.interruptions for job in history.jobs))
        self.result.count("takeovers", sum("from" in entry.facts for entry in history.trail))
        self.result.broken = violations(history)
        self.result.seconds = time.monotonic() - began
        return self.result

    def _start(self, name: str) -> Companion:
        argv = [sys.executable, "-m", "tests.chaos.work", str(self._folder), name]
        argv.append("fenced" if self._plan.fenced else "unfenced")
        companion = Companion(argv, {**os.environ, "CHAOS_WORK_MS": str(self._plan.work_ms)})
        self._pids[name] = companion.pid
        return companion

    def _feed(self) -> None:
        """Accept jobs faster than they are done, some of them twice, in several threads of several lanes."""
        chance = random.Random(self._plan.seed + 1)  # noqa: S311 - the same run again, not a secret
        number = 0
        while number < self._plan.jobs or not self._tormented:
            if number >= self._released:
                self._pause.wait(0.01)
                continue
            accepted = self._engine.lanes.accept(self._new_job(number, chance), self._clock.now(), ready=_RULE)
            self._promised.append(accepted.job)
            if number % 10 == 0:
                again = self._new_job(number, chance)
                assert not self._engine.lanes.accept(again, self._clock.now(), ready=_RULE).fresh
                self.result.count("duplicates")
            number += 1
        self.result.count("jobs", number)
        self._database.close()

    def _new_job(self, number: int, chance: random.Random) -> NewJob:
        user = number % self._plan.lanes
        return NewJob(
            id=f"job-{number}-{chance.randrange(10**9)}",
            lane=Lane(f"p{user % 3}", f"u{user}"),
            thread=f"t{user}-{chance.randrange(3)}",
            dedup_key=f"key-{number}",
            kind=Kind.INSTRUCTION,
            subject=f"request {number}",
            request=Request("change something"),
            received_at=self._clock.now().wall_at,
        )

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
        )
        self._random.shuffle(faults)
        for fault in faults:
            # Jobs come as fast as faults do: there is always work to disturb and never a mountain of it.
            self._released += self._plan.jobs / len(faults)
            self._wait_until(fault)
            self._see_who_obeyed()
        self._replace_what_nobody_came_to()
        self._tormented = True
        self._released = math.inf

    def _see_who_obeyed(self) -> None:
        for pid, order in self._orders.obeyed():
            name, _, step = order.partition(" ")
            self.result.count(f"  {name} at the step: {step}")
            self.result.count("kills" if name == "SIGKILL" else "stops")
            if name == "SIGSTOP":
                self._let_go_on_later(pid)

    def _replace_what_nobody_came_to(self) -> None:
        """Hit just anybody in place of the sentences that lie at steps to which nobody comes any more."""
        ends_at = time.monotonic() + 3 * LIMITS.lease.total_seconds()
        while self._orders.are_left() and time.monotonic() < ends_at:
            self._released += 0.1
            self._pause.wait(0.005)
            self._see_who_obeyed()
        for order in self._orders.take_back():
            self._wait_until(self._kill_someone if order.startswith("SIGKILL") else self._stop_an_owner)
        self._see_who_obeyed()

    def _kill_someone(self) -> bool:
        pid = self._busy_pid() if self._random.random() < 0.8 else self._any_pid()
        return pid is not None and self._signal(pid, signal.SIGKILL, "kills")

    def _kill_at_a_step(self) -> bool:
        return self._orders.give(self._random.choice(self._plan.steps), signal.SIGKILL)

    def _stop_at_a_step(self) -> bool:
        return self._orders.give(self._random.choice(self._plan.steps), signal.SIGSTOP)

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
        seconds = LIMITS.lease.total_seconds() * self._random.uniform(1.2, 2.5)
        wake = threading.Timer(seconds, self._signal, (pid, signal.SIGCONT, ""))
        wake.start()
        self._asleep = [timer for timer in self._asleep if timer.is_alive()] + [wake]

    def _drain_someone(self) -> bool:
        pid = self._any_pid()
        return pid is not None and self._signal(pid, signal.SIGTERM, "drains")

    def _change_the_time(self) -> bool:
        """Set the wall clock, sometimes by more than anybody's patience; leases must not notice."""
        self._clock.jump(timedelta(hours=self._random.choice((-30, -1, 0, 1, 26))))
        self.result.count("clock jumps")
        return True

    def _busy_pid(self) -> int | None:
        lanes = self._engine.overview.lanes(self._clock.now())
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
        with self._database.read() as cursor:
            sql = "SELECT count(*) FROM jobs WHERE state IN ('done', 'failed', 'stopped', 'dead')"
            return int(str(cursor.execute(sql).fetchall()[0][0]))

    def _is_quiet(self) -> bool:
        return self._ended() >= len(self._promised)

    def _wait_until(self, look: Callable[[], bool]) -> None:
        ends_at = time.monotonic() + _STUCK_SECONDS
        ended = -1
        while not look():
            self._pause.wait(0.005)
            self._released += 0.1
            if ended != (now := self._ended()):
                ended, ends_at = now, time.monotonic() + _STUCK_SECONDS
            if time.monotonic() > ends_at:
                raise StuckError(f"nothing has ended for {_STUCK_SECONDS:g} s; {ended} jobs are over")

    def _history(self) -> History:
        engine: Engine = self._engine
        jobs = engine.overview.jobs(limit=10_000_000)
        callbacks = [engine.callbacks.read(job.token or "") for job in jobs]
        return History(
            trail=engine.trail.read(limit=100_000_000),
            jobs=jobs,
            lanes=engine.overview.lanes(self._clock.now()),
            effects=Effects(self._folder / "effects").all(),
            callbacks=[callback for callback in callbacks if callback],
            promised=self._promised,
        )


class StuckError(AssertionError):
    """The run does not come to its end."""


def run_in_a_new_folder(plan: Plan) -> Result:
    """Run once and leave nothing behind."""
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        return Chaos(Path(folder), plan).run()


def main() -> int:
    """Print what was done and what broke; non-zero when anything did, or when the checker cannot fail."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--scale", type=float, default=1.0, help="1 = 1,000 kills, 1,000 stops, 10,000 jobs")
    scale = options.parse_args().scale
    plan = Plan(
        jobs=int(10_000 * scale),
        kills=int(1_000 * scale),
        stops=int(1_000 * scale),
        drains=int(50 * scale),
        jumps=int(50 * scale),
    )
    result = run_in_a_new_folder(plan)
    unfenced = run_in_a_new_folder(unfenced_plan())
    _print_table(result, unfenced)
    return 1 if result.broken or not unfenced.broken else 0


def unfenced_plan() -> Plan:
    """Return a run in which the outside does not look at fences: the checker must find something."""
    late = ("after the commit point",)
    return Plan(jobs=60, kills=0, stops=8, drains=0, jumps=0, lanes=4, fenced=False, aimed=1, steps=late)


def _print_table(result: Result, unfenced: Result) -> None:
    for what, count in sorted(result.done.items()):
        sys.stdout.write(f"{what:40} {count:>8,}\n")
    sys.stdout.write(f"{'seconds':40} {result.seconds:>8.0f}\n")
    sys.stdout.write(f"{'broken promises':40} {len(result.broken):>8,}\n")
    sys.stdout.write(f"{'found with the fence check disabled':40} {len(unfenced.broken):>8,}  (must not be 0)\n")
    for problem in result.broken[:20]:
        sys.stdout.write(f"  {problem}\n")


if __name__ == "__main__":
    sys.exit(main())
