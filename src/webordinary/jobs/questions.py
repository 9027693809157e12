"""What an agent has asked in a thread: the question that waits for an answer, and the choices that it offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.jobs.job import Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.jobs.job import Job


def open_question(jobs: Sequence[Job], thread: str) -> Job | None:
    """Return the job whose question waits in a thread: a later mail in the thread has answered it."""
    asked = [job for job in jobs if job.thread == thread and job.kind is not Kind.SCHEDULED]
    last = max(asked, key=lambda job: job.sequence, default=None)
    return last if last is not None and last.outcome is Outcome.ASKED else None


def choices_of(job: Job) -> tuple[str, ...]:
    """Return the choices that a job's question offered, in the order in which they were numbered."""
    return job.journal.question.choices if job.journal.question else ()
