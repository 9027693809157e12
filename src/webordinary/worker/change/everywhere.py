"""A reply of "everywhere": what was replaced in one place is replaced where the old value still stands, too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.jobs.lines import CopyLine, read_lines
from webordinary.languages import listed
from webordinary.mail.words.quoting import told_apart
from webordinary.mail.words.verbs import POLITE, YES, folded

if TYPE_CHECKING:
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job

_LOOK_BACK = 500
_EVERYWHERE = frozenset(map(folded, listed(lambda each: each.replies.everywhere)))
_POLITE = re.compile(rf"\b(?:{'|'.join(map(re.escape, (*POLITE, *sorted(YES, key=len, reverse=True))))})\b")


def spelled_out(engine: Engine, job: Job) -> str:
    """Return the request, with the word that our offer names spelled out for the agent."""
    if not _says_everywhere(told_apart(job.request.text)[0]):
        return job.request.text
    copies = read_lines(CopyLine, _offered(engine, job))
    return "\n".join(dict.fromkeys(map(_spelled, copies))) or job.request.text


def _says_everywhere(own: str) -> bool:
    words = _POLITE.sub(" ", folded(own))
    return " ".join(re.sub(r"[^\w\s]", " ", words).split()) in _EVERYWHERE


def _offered(engine: Engine, job: Job) -> str:
    """Return the lines about old values in the newest answer of the conversation that had some."""
    jobs = engine.overview.jobs(lane=job.lane.key, limit=_LOOK_BACK)
    mine = (each for each in jobs if each.thread == job.thread and each.sequence < job.sequence)
    found = (each.journal.copies for each in sorted(mine, key=lambda each: -each.sequence))
    return next(filter(None, found), "")


def _spelled(copy: CopyLine) -> str:
    return f'Replace "{copy.was}" with "{copy.now}" everywhere on the site.'
