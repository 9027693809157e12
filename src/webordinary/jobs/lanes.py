"""The lanes: each job waits in its lane's line, and every operation is one transaction.

A job that was accepted is never forgotten, is accepted once for each dedup key, and keeps its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.interrupts.decide import InterruptRule
    from webordinary.jobs.job import Attached, NewJob


@dataclass(frozen=True, slots=True)
class Accepted:
    """The job that stands for the request; not fresh when the same request was accepted before."""

    job: str
    fresh: bool
    # Whether somebody owned the lane then, or had just been called for it, and which place in it the fresh job has.
    is_owned: bool = True
    was_called: bool = False
    sequence: int = 0


class Stopped(StrEnum):
    """What became of a person's wish to stop a job."""

    ENDED = "ended"
    ASKED = "asked"
    TOO_LATE = "too late"
    OVER = "over"


class Lanes(Protocol):
    """The side of the queue that intake, people and the sweep see."""

    def accept(self, job: NewJob, now: Moment, *, ready: InterruptRule | None = None) -> Accepted:
        """Give the job its place in the lane; with `ready` it is also enqueued in the same transaction."""

    def enqueue(
        self, job: str, rule: InterruptRule, now: Moment, *, attachments: tuple[Attached, ...] | None = None
    ) -> None:
        """Let a prepared job wait for its turn with its files, and interrupt what runs when the rule says so."""

    def stop(self, job: str, by: str, now: Moment) -> Stopped:
        """End a job for good because a person said so."""

    def hurry(self, job: str, now: Moment) -> None:
        """Let a job start at once that was not to be started before some time; one that is over stays so."""

    def interrupt(self, lane: str, by: str, now: Moment) -> str | None:
        """Ask that whatever runs in the lane is set aside, and return its id."""

    def release(self, lane: str, by: str, now: Moment) -> str | None:
        """End the lease of a lane because an operator said so, and return who held it."""

    def redrive(self, job: str, by: str, now: Moment, *, key: str | None = None) -> str:
        """Accept a new job that repeats one which ended badly; asked twice with the same key, it is one job."""

    def pause(self, project: str, reason: str, now: Moment) -> bool:
        """Let no job of the project start any more; False when it was paused already."""

    def resume(self, project: str, by: str, now: Moment) -> bool:
        """Let the project's jobs start again, their patience prolonged by the pause."""

    def sweep(self, now: Moment) -> int:
        """Fail what waited or ran too long, lapse what is dead, wake for what is ready; count what was done."""
