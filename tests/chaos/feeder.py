"""Whoever brings the work of a chaos run: more than can be done, some of it twice, over a bad network."""

from __future__ import annotations

import math
import random
import threading
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.errors import TryAgain
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.chaos.ground import Ground
    from tests.chaos.plan import Plan, Result
    from webordinary.jobs.lanes import Accepted

_RULE = InterruptRule(first_after=timedelta(0))


def lane_of(user: int) -> Lane:
    """Return the lane of each user; several share a project."""
    return Lane(f"p{user % 3}", f"u{user}")


class Feeder:
    """Brings a job whenever one is released, until enough is done."""

    def __init__(self, door: Ground, plan: Plan, result: Result) -> None:
        self._door = door
        self._plan = plan
        self._result = result
        self._chance = random.Random(plan.seed + 1)  # noqa: S311 - the same run again, not a secret
        self._pause = threading.Event()
        self._stopped = threading.Event()
        self.released = math.inf if plan.at_once else 2.0 * plan.lanes
        self.is_enough = False
        self.promised: list[str] = []

    def run(self) -> None:
        """Accept jobs faster than they are done, some of them twice, in several threads of several lanes."""
        number = 0
        while not self._stopped.is_set() and (number < self._plan.jobs or not self.is_enough):
            if number >= self.released:
                self._pause.wait(0.01)
                continue
            self.bring(number)
            number += 1
        self._result.count("jobs", number)
        self._door.close()

    def stop(self) -> None:
        """Bring nothing more, whatever was planned."""
        self._stopped.set()

    def bring(self, number: int) -> None:
        """Bring one job, and every tenth once more."""
        self.promised.append(self._accept(self._new_job(number)).job)
        if number % 10 == 0:
            assert not self._accept(self._new_job(number)).fresh
            self._result.count("duplicates")

    def broken_promises(self) -> Iterator[str]:
        """Name what the trail cannot show; jobs have no other side."""
        yield from ()

    def _accept(self, job: NewJob) -> Accepted:
        """Hand a job in until it is taken, as every door does."""
        while True:
            with suppress(TryAgain):
                return self._door.engine.lanes.accept(job, self._door.clock.now(), ready=_RULE)
            self._pause.wait(0.05)

    def _new_job(self, number: int) -> NewJob:
        user = number % self._plan.lanes
        return NewJob(
            id=f"job-{number}-{self._chance.randrange(10**9)}",
            lane=lane_of(user),
            thread=f"t{user}-{self._chance.randrange(3)}",
            dedup_key=f"key-{number}",
            kind=Kind.INSTRUCTION,
            subject=f"request {number}",
            request=Request("change something"),
            received_at=self._door.clock.now().wall_at,
        )
