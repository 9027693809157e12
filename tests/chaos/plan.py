"""How much is done to the system in a chaos run, and what came of it."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything."""

    jobs: int
    kills: int
    stops: int
    drains: int = 10
    jumps: int = 5
    late_answers: int = 5
    # Workers that can open nothing, or write nothing, for a while.
    shortages: int = 0
    lanes: int = 12
    workers: int = 6
    fenced: bool = True
    work_ms: int = 5
    seed: int = 1
    # The part of the kills and stops that happens at a named step and not just anywhere.
    aimed: float = 0.25
    # None: every step that the place knows.
    steps: tuple[str, ...] | None = None
    place: str = "one-machine"
    # All mails come at once: every lane is always ready, and whoever is served is served instead of somebody.
    at_once: bool = False


@dataclass(slots=True)
class Result:
    """What was done to the system, and what it did wrong."""

    done: dict[str, int] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    seconds: float = 0

    def count(self, what: str, by: int = 1) -> None:
        self.done[what] = self.done.get(what, 0) + by

    def add(self, other: Result) -> None:
        """Count what another run did too."""
        for what, count in other.done.items():
            self.count(what, count)
        self.broken += other.broken
        self.seconds += other.seconds


def quick_plan(place: str) -> Plan:
    """Return a run of seconds, for every `make test`."""
    if place == "one-machine":
        return Plan(jobs=400, kills=24, stops=16, drains=3, jumps=4, shortages=4)
    if place == "the-flow":
        return Plan(jobs=8, kills=2, stops=1, drains=0, jumps=0, late_answers=1, lanes=4, workers=3, place=place)
    return Plan(jobs=24, kills=4, stops=3, drains=1, jumps=0, late_answers=3, lanes=6, workers=4, place=place)


def long_plan(place: str, scale: float) -> Plan:
    """Return a run of minutes; at scale 1 with 1,000 kills on one machine, and 300 on AWS, which is slower."""

    def times(count: int) -> int:
        return int(count * scale)

    if place == "one-machine":
        return Plan(times(10_000), times(1_000), times(1_000), times(50), times(50), times(100), times(100))
    if place == "the-flow":
        return Plan(times(300), times(60), times(40), times(5), 0, times(10), lanes=6, workers=4, place=place)
    return Plan(times(1_500), times(300), times(200), times(15), 0, times(50), lanes=8, workers=4, place=place)


def crowded_plan(place: str, scale: float = 0.01) -> Plan:
    """Return a run in which few workers have lanes that are always ready, and owners die: nobody may starve."""
    jobs, kills, lanes = (160, 8, 8) if place == "one-machine" else (16, 2, 4)
    times = max(1.0, 10 * scale)
    few = Plan(
        int(jobs * times), int(kills * times), stops=0, drains=0, jumps=0, late_answers=0, lanes=lanes, workers=2
    )
    # Whoever dies there has a job that runs: somebody else has to take its lane over.
    at = ("before the commit point", "after the commit point")
    return replace(few, work_ms=20, aimed=1, steps=at, place=place, at_once=True)


def unfenced_plan(place: str) -> Plan:
    """Return a run in which the outside does not look at fences: the checker must find something."""
    late = ("after the commit point",)
    few = Plan(jobs=60, kills=0, stops=8, drains=0, jumps=0, late_answers=0, lanes=4, fenced=False, aimed=1, steps=late)
    return few if place == "one-machine" else replace(few, jobs=16, stops=3, workers=4, place="many-machines")


def print_table(result: Result, unfenced: Result) -> None:
    for what, count in sorted(result.done.items()):
        sys.stdout.write(f"{what:40} {count:>8,}\n")
    sys.stdout.write(f"{'seconds':40} {result.seconds:>8.0f}\n")
    sys.stdout.write(f"{'broken promises':40} {len(result.broken):>8,}\n")
    sys.stdout.write(f"{'found with the fence check disabled':40} {len(unfenced.broken):>8,}  (must not be 0)\n")
    for problem in result.broken[:20]:
        sys.stdout.write(f"  {problem}\n")
