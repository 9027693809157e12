"""Where the time of a job went: from one thing that happened to it to the next."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webordinary.audit.entry import Entry

# What the time before each of these was spent on; a step has its own name.
_SPENT_ON = {
    EventType.JOB_STARTED: "waited",
    EventType.JOB_RESUMED: "waited",
    EventType.COMMIT_POINT: "release laid",
    EventType.JOB_DONE: "ended",
    EventType.JOB_FAILED: "ended",
    EventType.JOB_STOPPED: "ended",
    EventType.JOB_DEAD: "ended",
    EventType.JOB_PARKED: "ended",
    EventType.ANSWERED: "answered",
}
_BEGINS = frozenset({EventType.JOB_ACCEPTED, EventType.JOB_QUEUED})
_SECOND = timedelta(seconds=1)


def seconds_taken(trail: Iterable[Entry]) -> dict[str, float]:
    """Return the seconds of each step, all attempts together, in the order in which they came first."""
    taken: dict[str, float] = {}
    marked = [entry for entry in trail if entry.what in _BEGINS or _name(entry)]
    for before, entry in pairwise(marked):
        if name := _name(entry):
            taken[name] = taken.get(name, 0.0) + (entry.at - before.at) / _SECOND
    return {name: round(seconds, 2) for name, seconds in taken.items()}


def say_taken(trail: Iterable[Entry]) -> str:
    """Say the same in one line."""
    return ", ".join(f"{name} {seconds:g} s" for name, seconds in seconds_taken(trail).items())


def _name(entry: Entry) -> str:
    return entry.text if entry.what is EventType.STEP else _SPENT_ON.get(entry.what, "")
