"""Whose words a request is made of: the owner's own, what may be shown beside them, and what others wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.errors import WebOrdinaryError
from webordinary.jobs.job import FileKind, Outcome
from webordinary.mail.words.quoting import told_apart
from webordinary.mail.words.replies import Saying, read_saying
from webordinary.site.checks.run import OthersWords, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.engine import Engine
    from webordinary.jobs.job import Attached, Job, Request

_LOOK_BACK = 500
_LARGEST_TEXT = 200_000
_CONFIRMED = {Saying.YES, Saying.LIKES}


def brought_words(engine: Engine, job: Job) -> tuple[str, ...]:
    """Return the day of the mail, what its photos are called, and what was asked for before the question it answers."""
    photos = (each.about for each in job.request.attachments if each.fate is FileKind.PHOTO and each.about)
    return (f"{job.received_at:%Y-%m-%d}", f"{job.received_at:%Y}", *photos, *_asked_before(engine, job))


def others_words(engine: Engine, request: Request, quoted: str) -> tuple[OthersWords, ...]:
    """Return what came along and asks for nothing: quoted and forwarded lines, and files with their names."""
    files = (
        OthersWords(Problem.ATTACHED, f"{each.about}\n{_text_of(engine, each)}", each.name, each.about)
        for each in request.attachments
    )
    return (*([OthersWords(Problem.QUOTED, quoted)] if quoted.strip() else []), *files)


def _text_of(engine: Engine, attached: Attached) -> str:
    """Return what a text says that came as a file; what nobody can read says nothing."""
    if not attached.content_type.startswith("text/") or not attached.digest or attached.size > _LARGEST_TEXT:
        return ""
    try:
        return engine.inbox.read_file(attached.digest).decode(errors="replace")
    except (WebOrdinaryError, OSError):
        return ""


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
        yield told_apart(asked.request.text)[0]
        answer = asked
