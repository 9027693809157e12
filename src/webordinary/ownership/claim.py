"""A claim: one worker owns one lane under one fence, until its lease ends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.interrupts.interrupt import Interrupt
    from webordinary.jobs.job import Job
    from webordinary.routing.lane import Lane


@dataclass(frozen=True, slots=True)
class Claim:
    """What a worker shows with every write; the worker's name proves nothing, the fence does."""

    lane: Lane
    fence: int
    worker: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Claimed:
    """A fresh claim and the job that was started with it, if its head could start."""

    claim: Claim
    job: Job | None
    # Since the lane was ready, or its last owner was gone.
    waited: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class Beat:
    """What the store knows that the owner should: a due interrupt, or that its job is already over."""

    interrupt: Interrupt | None = None
    over: bool = False
    others_wait: bool = False
    # Jobs live in the lane: an idle owner who hears it has missed a wakeup.
    pending: bool = False


@dataclass(frozen=True, slots=True)
class Next:
    """What the owner does after a job: the next one of its lane, or give way to lanes that wait.

    A store that could do so has already given the lane back and claimed another one for the same worker.
    """

    job: Job | None = None
    others_wait: bool = False
    claimed: Claimed | None = None
    # How long the head of the lane still waits for its backoff: nobody rings when that is over.
    again_in: timedelta | None = None
