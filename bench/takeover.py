"""From the kill -9 of an owner to its job running elsewhere: with a supervisor, and by the lease alone."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from bench.figures import ratio, spread
from bench.place import open_place
from bench.worker import HOLD
from webordinary.jobs.limits import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from bench.place import Place

_LANE = "project#owner"
_WORKERS = 4
# As often as the benchmark likes: here a worker's death says nothing about the job.
_LIMITS = replace(Limits(), attempts=1_000_000)
_SHORT_LEASE = timedelta(seconds=2)
_SHORT = replace(_LIMITS, lease=_SHORT_LEASE, beat=timedelta(seconds=0.5))


def measure_takeovers(parent: Path, kills: int, kills_alone: int) -> dict[str, object]:
    """Kill owners one after the other; in each round all workers but the last."""
    with_supervisor: list[int] = []
    commits: list[int] = []
    while len(with_supervisor) < kills:
        with open_place(parent, _LIMITS) as place, place.supervised(_WORKERS):
            with_supervisor += _kill_all_but_one(place)
            commits.append(place.commit_durably())
    by_lease: list[int] = []
    while len(by_lease) < kills_alone:
        with open_place(parent, _SHORT) as place, place.alone(_WORKERS):
            by_lease += _kill_all_but_one(place)
    figures = spread("takeover", with_supervisor)
    return {**figures, "takeover_ratio": ratio(with_supervisor, commits), **_over_the_lease(by_lease)}


def _over_the_lease(taken: list[int]) -> dict[str, object]:
    """Return what is added to the lease, whose length is a setting."""
    if not taken:
        return {}
    lease = _SHORT_LEASE // timedelta(microseconds=1) * 1000
    return {
        **spread("takeover_by_lease", taken),
        **spread("takeover_by_lease_over_lease", [each - lease for each in taken]),
    }


def _kill_all_but_one(place: Place) -> list[int]:
    taken = []
    job, _ = place.accept(_LANE, HOLD)
    owner = place.hear(job).pid
    for _ in range(_WORKERS - 1):
        began = time.monotonic_ns()
        os.kill(owner, signal.SIGKILL)
        report = place.hear(job)
        taken.append(report.entered_ns - began)
        owner = report.pid
    place.engine.lanes.stop(job, "the benchmark", place.clock.now())
    place.wait_until_over(job)
    return taken
