"""The three kinds of patience and every other number of the dispatch protocol, in one record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Limits:
    """Defaults of the embedded engine; a configuration may change each."""

    lease: timedelta = timedelta(seconds=30)
    beat: timedelta = timedelta(seconds=5)
    idle_lease: timedelta = timedelta(seconds=30)
    idle_beat: timedelta = timedelta(seconds=10)
    idle_release: timedelta = timedelta(minutes=30)
    sweep: timedelta = timedelta(seconds=1)
    prepare_by: timedelta = timedelta(minutes=5)
    patience: timedelta = timedelta(hours=24)
    deadline: timedelta = timedelta(minutes=20)
    attempts: int = 3
    backoff: tuple[timedelta, ...] = (timedelta(seconds=10), timedelta(seconds=60))
    # While others have too much to do; the last one repeats until the patience ends.
    overload: tuple[timedelta, ...] = tuple(timedelta(minutes=each) for each in (1, 2, 5, 10, 20, 30))
    # Until the end of an outage: short at first, most of what is away comes back within a minute.
    outage: tuple[timedelta, ...] = tuple(timedelta(seconds=each) for each in (10, 20, 30, 60, 120, 300))
    first_interrupt_after: timedelta = timedelta(seconds=20)
    interruptions: int = 2
    drain: timedelta = timedelta(seconds=10)
    drain_committing: timedelta = timedelta(seconds=30)
    undecided_after: timedelta = timedelta(seconds=30)
    # How long a mail waits for an older one of the same person that nobody can decide.
    overtake_after: timedelta = timedelta(minutes=10)
    breaker: int = 3
    claim_pause: timedelta = timedelta(seconds=30)
    claim_errors: int = 5
    ring_again: timedelta = timedelta(seconds=5)
    # How long an idle owner that was rung for a job may take to start it, before the lane is offered to others.
    answer: timedelta = timedelta(seconds=5)
    # How often an idle worker looks although nobody woke it, and how often it repeats that it waits.
    look: timedelta = timedelta(seconds=1)
    say_again: timedelta = timedelta(minutes=5)
    # How often a repository is asked whether somebody has pushed to its live branch.
    git_look: timedelta = timedelta(minutes=5)
    restart_pause: timedelta = timedelta(seconds=30)


def wait_before_retry(attempt: int, limits: Limits) -> timedelta | None:
    """Return how long to wait after failed try number `attempt`, None when it was the last one."""
    if attempt >= limits.attempts:
        return None
    return limits.backoff[min(attempt, len(limits.backoff)) - 1] if limits.backoff else timedelta(0)


def wait_for_end(times: int, limits: Limits) -> timedelta:
    """Return how long to wait for the end of an outage, for the first, second, … time in a row."""
    return limits.outage[min(times, len(limits.outage)) - 1] if limits.outage else timedelta(0)


def wait_for_others(times: int, limits: Limits) -> timedelta:
    """Return how long to wait when others have too much to do, for the first, second, … time in a row."""
    return limits.overload[min(times, len(limits.overload)) - 1] if limits.overload else timedelta(0)
