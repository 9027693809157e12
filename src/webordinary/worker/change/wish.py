"""What a job's own words ask for, as the checks hold it against what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.mail.words.quoting import told_apart
from webordinary.worker.change.brought import brought_words, others_words
from webordinary.worker.change.candidate import PublishPlan
from webordinary.worker.change.everywhere import spelled_out
from webordinary.worker.change.timed import split_request

if TYPE_CHECKING:
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job


def wish_of(engine: Engine, job: Job) -> PublishPlan:
    """Return the owner's own words, those that came along with them, and what others wrote."""
    text, when = split_request(spelled_out(engine, job), job)
    asked, quoted = told_apart(text)
    return PublishPlan(
        request=asked,
        brought=(*brought_words(engine, job), *when),
        sources=others_words(engine, job.request, quoted),
    )
