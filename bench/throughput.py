"""Jobs in a second, in strict order inside each of many lanes; the order is checked afterwards in the trail."""

from __future__ import annotations

import time
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from bench.figures import ratio
from bench.place import open_place
from bench.worker import NOTHING
from webordinary.audit.entry import EventType
from webordinary.jobs.limits import Limits
from webordinary.overview import EVERY

if TYPE_CHECKING:
    from pathlib import Path

    from bench.place import Place
    from webordinary.jobs.job import Job

_WORKERS = 2
_COMMITS = 50
_ALL = 100_000_000


class OutOfOrder(AssertionError):
    """The jobs of a lane did not run one after the other in the order of their acceptance."""


def measure_throughput(parent: Path, lanes: int, jobs: int) -> dict[str, object]:
    """Measure it twice: with everything accepted before, and with the acceptance beside the work."""
    with open_place(parent, Limits()) as place:
        commits = [place.commit_durably() for _ in range(_COMMITS)]
        accepting = _accept_all(place, lanes, jobs)
        with place.supervised(_WORKERS, until_idle=False):
            _wait_for_all(place)
        working = _check_order(place, lanes * jobs)
        commits += [place.commit_durably() for _ in range(_COMMITS)]
    with open_place(parent, Limits()) as place, place.supervised(_WORKERS):
        began = time.time()
        _accept_all(place, lanes, jobs)
        _wait_for_all(place)
        _check_order(place, lanes * jobs)
        both = _last_end(_all_jobs(place)) - began
    return {
        "ordered_jobs_per_s": round(lanes * jobs / working),
        "ordered_job_ratio": ratio([round(working * 1e9 / lanes / jobs)], commits),
        "ordered_jobs_per_s_with_acceptance": round(lanes * jobs / both),
        "accepted_jobs_per_s": round(lanes * jobs / accepting),
    }


def _accept_all(place: Place, lanes: int, jobs: int) -> float:
    began = time.monotonic()
    for number in range(jobs):
        for lane in range(lanes):
            place.accept(f"project-{lane % 10}#user-{lane}", NOTHING, thread=f"thread-{lane}-{number % 3}")
    return time.monotonic() - began


def _wait_for_all(place: Place) -> None:
    lanes = place.engine.overview.lanes
    # Seldom: whoever looks all the time takes a core from those who work, and the end is read from the jobs.
    place.wait_until(lambda: all(lane.pending == 0 for lane in lanes(place.clock.now(), limit=EVERY)), every=0.05)


def _all_jobs(place: Place) -> list[Job]:
    return list(place.engine.overview.jobs(limit=_ALL))


def _last_end(jobs: list[Job]) -> float:
    return max(job.finished_at.timestamp() for job in jobs if job.finished_at)


def _check_order(place: Place, expected: int) -> float:
    """Check the order and return the seconds from the first start to the last end."""
    jobs = _all_jobs(place)
    ended = sum(not job.state.is_live for job in jobs)
    if ended != expected:
        raise OutOfOrder(f"{ended} of {expected} jobs came to their end")
    sequences = {job.id: job.sequence for job in jobs}
    steps: dict[str, list[tuple[int, EventType]]] = defaultdict(list)
    for entry in place.engine.trail.read(limit=_ALL):
        if entry.what in {EventType.JOB_STARTED, EventType.JOB_DONE} and entry.lane and entry.job:
            steps[entry.lane].append((sequences[entry.job], entry.what))
    for lane, seen in steps.items():
        check_lane(lane, seen)
    return _last_end(jobs) - min(job.started_at.timestamp() for job in jobs if job.started_at)


def check_lane(lane: str, seen: list[tuple[int, EventType]]) -> None:
    """Refuse anything but start, end, start of the next, and so on."""
    wanted = {EventType.JOB_STARTED: EventType.JOB_DONE, EventType.JOB_DONE: EventType.JOB_STARTED}
    for (before, was), (after, then) in pairwise(seen):
        next_sequence = before if was == EventType.JOB_STARTED else before + 1
        if (after, then) != (next_sequence, wanted[was]):
            raise OutOfOrder(f"in {lane} came {then.value} of job {after} after {was.value} of job {before}")
