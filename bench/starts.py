"""From the acceptance of a job to its start: in a lane that nobody owns, and in one whose owner is idle."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from bench.figures import ratio, spread
from bench.place import open_place
from webordinary.jobs.limits import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from bench.place import Place

_LANES = 10


def measure_starts(parent: Path, count: int) -> dict[str, object]:
    """Measure both, each sample between durable commits on the same disk."""
    commits: list[int] = []
    # Without idle time an owner gives its lane up after each job: the next job finds it unowned.
    with open_place(parent, Limits(idle_release=timedelta(0))) as place, place.supervised(2):
        cold = [_measure_cold(place, number, commits) for number in range(count)]
    with open_place(parent, Limits()) as place, place.supervised(1):
        place.wait_until_over(place.accept("project#owner")[0])
        warm = [_measure_warm(place, commits) for _ in range(count)]
    figures: dict[str, object] = {**spread("durable_commit", commits)}
    for name, nanoseconds in (("cold_start", cold), ("warm_start", warm)):
        figures.update(spread(name, nanoseconds))
        figures[f"{name}_ratio"] = ratio(nanoseconds, commits)
    return figures


def _measure_cold(place: Place, number: int, commits: list[int]) -> int:
    place.wait_until_idle(2)
    commits.append(place.commit_durably())
    job, began = place.accept(f"project#user-{number % _LANES}")
    return place.hear(job).entered_ns - began


def _measure_warm(place: Place, commits: list[int]) -> int:
    commits.append(place.commit_durably())
    job, began = place.accept("project#owner")
    entered = place.hear(job).entered_ns
    place.wait_until_over(job)
    return entered - began
