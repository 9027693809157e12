"""What a request brings along with the thread before it: files of mails whose question it answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.jobs.job import FileKind, Outcome, State
from webordinary.mail.mime.file_names import safe_names
from webordinary.mail.words.shown import descriptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.engine import Engine
    from webordinary.jobs.job import Attached, Job, Request

_LOOK_BACK = 500


def earlier_in_thread(engine: Engine, job: Job) -> list[Job]:
    """Return what was asked for in the thread before, the oldest first."""
    if job.request.opens_thread:
        return []
    jobs = engine.overview.jobs(lane=job.lane.key, limit=_LOOK_BACK)
    mine = (each for each in jobs if each.thread == job.thread and each.sequence < job.sequence)
    return sorted(mine, key=lambda each: each.sequence)


def whole_request(engine: Engine, job: Job) -> Request:
    """Return the request with the files of the mails that it answers for, those that came first at the beginning."""
    earlier = earlier_in_thread(engine, job) if job.request.references else []
    carried = [each for asked in _left_open(earlier) for each in with_words(asked.request) if each.is_usable]
    if not carried:
        return job.request
    own = job.request.attachments
    # The names of this mail stay: its text speaks of them.
    names = safe_names([*(each.name for each in own), *(each.name for each in carried)])[len(own) :]
    renamed = (replace(each, name=name) for each, name in zip(carried, names, strict=True))
    return replace(job.request, attachments=(*renamed, *own))


def with_words(request: Request) -> tuple[Attached, ...]:
    """Return the files with what the owner says about each picture, before what its name says."""
    pictures = [each.name for each in request.attachments if each.fate is FileKind.PHOTO]
    said = descriptions(request.text, pictures)
    return tuple(replace(each, about=said.get(each.name, each.about)) for each in request.attachments)


def _left_open(earlier: Sequence[Job]) -> list[Job]:
    """Return the last requests of the thread that nothing was done about yet."""
    found: list[Job] = []
    for each in reversed(earlier):
        if each.outcome != Outcome.ASKED and (each.state, each.error) != (State.FAILED, "not understood"):
            break
        found.insert(0, each)
    return found
