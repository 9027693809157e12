"""Words that came along with a request: they may be shown on the site, and need not be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.jobs.job import Outcome
from webordinary.mail.replies import Saying, read_saying

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.engine import Engine
    from webordinary.jobs.job import Job

_LOOK_BACK = 500
_CONFIRMED = {Saying.YES, Saying.LIKES}


def brought_words(engine: Engine, job: Job) -> tuple[str, ...]:
    """Return the names of the files, the day of the mail, and what was asked for before the question it answers."""
    names = (f"{each.name}\n{each.about}" for each in job.request.attachments)
    return (*names, f"{job.received_at:%Y-%m-%d}", f"{job.received_at:%Y}", *_asked_before(engine, job))


def _asked_before(engine: Engine, job: Job) -> Iterator[str]:
    """Yield the requests that ended with the questions which led here, and the questions that got a plain yes."""
    if not job.request.references:
        return
    jobs = engine.overview.jobs(lane=job.lane.key, limit=_LOOK_BACK)
    mine = (each for each in jobs if each.thread == job.thread and each.sequence < job.sequence)
    answer = job
    for asked in sorted(mine, key=lambda each: -each.sequence):
        if asked.outcome is not Outcome.ASKED:
            return
        if read_saying(answer.request.text) in _CONFIRMED:
            yield asked.summary
        yield asked.request.text
        answer = asked
