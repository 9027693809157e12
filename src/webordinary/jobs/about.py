"""What a job without a request of its own is about: one proposal, one commit, one release, one push or one moment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.jobs.job import Job


class Errand(StrEnum):
    """What such a job does."""

    APPROVE = "approve"
    REVERT = "revert"
    SCHEDULE = "schedule"
    ROLLBACK = "rollback"
    FROM_GIT = "git"


@dataclass(frozen=True, slots=True)
class About:
    """What to do, and with what."""

    errand: Errand
    name: str


def approval_of(proposal: str) -> str:
    return f"{Errand.APPROVE}:{proposal}"


def revert_of(commit: str) -> str:
    return f"{Errand.REVERT}:{commit}"


def rollback_to(commit: str) -> str:
    return f"{Errand.ROLLBACK}:{commit}"


def push_of(commit: str) -> str:
    return f"{Errand.FROM_GIT}:{commit}"


def moment_of(schedule: str) -> str:
    return f"{Errand.SCHEDULE}:{schedule}"


def first_asked(job: Job | None, find: Callable[[str], Job | None]) -> Job | None:
    """Return the job of the person who wanted the change: a proposal that was shown again is an approver's job."""
    while job is not None and (about := read_about(job.about)) is not None and about.errand == Errand.APPROVE:
        job = find(about.name)
    return job


def read_about(text: str | None) -> About | None:
    """Read it back; None when the job has a request of its own."""
    errand, _, name = (text or "").partition(":")
    return About(Errand(errand), name) if name and errand in set(Errand) else None
