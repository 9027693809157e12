"""From a newer mail of another thread to the death of the agent that ran: a child that obeys at once."""

from __future__ import annotations

import os
import select
import time
from typing import TYPE_CHECKING

from bench.figures import ratio, spread
from bench.place import open_place
from bench.worker import CHILD, NOTHING
from webordinary.jobs.limits import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from bench.place import Place

_LANE = "project#owner"
# A job may be interrupted so often; after that it is stopped and a new one begins.
_TIMES = Limits().interruptions
# The heartbeat goes beside an attempt a moment after it began; a real agent runs for minutes.
_SETTLE_SECONDS = 0.05


def measure_interrupts(parent: Path, count: int) -> dict[str, object]:
    """Measure at least that many interrupts of one worker."""
    taken: list[int] = []
    commits: list[int] = []
    with open_place(parent, Limits()) as place, place.supervised(1):
        while len(taken) < count:
            job, _ = place.accept(_LANE, CHILD)
            taken += [_interrupt(place, job) for _ in range(_TIMES)]
            commits.append(place.commit_durably())
            place.hear(job)
            place.engine.lanes.stop(job, "the benchmark", place.clock.now())
            place.wait_until_over(job)
    return {**spread("interrupt", taken), "interrupt_ratio": ratio(taken, commits)}


def _interrupt(place: Place, job: str) -> int:
    """Interrupt the running job once, and return the nanoseconds until its child was dead."""
    pidfd = os.pidfd_open(place.hear(job).pid)
    try:
        death = select.poll()
        death.register(pidfd, select.POLLIN)
        time.sleep(_SETTLE_SECONDS)
        newer, began = place.accept(_LANE, NOTHING)
        death.poll()
        taken = time.monotonic_ns() - began
    finally:
        os.close(pidfd)
    place.wait_until_over(newer)
    return taken
