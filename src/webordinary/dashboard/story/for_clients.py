"""What a client reads of what happens: no error of ours, and where answers wait none of the agent's own words.

An error quotes agents, builds and servers: it is for those who read the trail, and an answer never says it. Where
answers wait for the agency's eye, what the agent says in its own words is what they wait for, so it is shown nowhere
else. The receipt, the pictures and the letters that went out are for everybody.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.jobs.job import State
from webordinary.jobs.journal import Journal, Step
from webordinary.mail.tokens import hide_tokens
from webordinary.overview.search import SearchKind, excerpt_of, has_all, terms_of
from webordinary.reply.held_answers import must_wait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.audit.entry import Entry
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.overview import LaneView, PausedView
    from webordinary.overview.search import SearchHit, SearchHits

_FREE_WORDS = frozenset({Journal.summary.name, Journal.question.name})
# Their reasons are sentences for the person who asked.
_SAYS_WHY = frozenset({State.REFUSED, State.STOPPED})
_ERRORS = frozenset(
    {
        EventType.JOB_FAILED,
        EventType.JOB_DEAD,
        EventType.JOB_RETRIED,
        EventType.COMMIT_REOPENED,
        EventType.SETTLED,
    }
)
# How a project says that it was paused after too many failures.
_LAST_ERROR = ", last: "


def is_unread(engine: Engine, job: Job) -> bool:
    """Tell whether the agent's own words about a job are for the agency only."""
    return must_wait(job, engine.projects.find(job.lane.project))


def job_for(engine: Engine, job: Job, *, to_agency: bool) -> Job:
    """Return a job as somebody may read it."""
    if to_agency:
        return job
    shown = job if job.state in _SAYS_WHY else replace(job, error=None)
    if not is_unread(engine, job):
        return shown
    kept = {name: text for name, text in job.journal.stored.items() if name not in _FREE_WORDS}
    return replace(shown, summary="", journal=Journal(kept))


def entry_for_client(entry: Entry, *, is_unread: bool) -> Entry:
    """Return an entry of the trail without what quotes others in it."""
    if entry.what in _ERRORS or (is_unread and entry.what is EventType.JOB_DONE):
        return entry._replace(text="")
    if is_unread and entry.what is EventType.STEP and entry.text == Step.EDITED:
        return entry._replace(facts={name: text for name, text in entry.facts.items() if name not in _FREE_WORDS})
    return entry


def why_paused(reason: str, *, to_agency: bool) -> str:
    """Return why a project is paused, without the error of its last job."""
    return reason if to_agency else reason.partition(_LAST_ERROR)[0]


def paused_for(view: PausedView | None, *, to_agency: bool) -> PausedView | None:
    return view and replace(view, reason=why_paused(view.reason, to_agency=to_agency))


def lane_for(lane: LaneView, *, to_agency: bool) -> LaneView:
    return lane if lane.paused is None else replace(lane, paused=why_paused(lane.paused, to_agency=to_agency))


def hits_for(engine: Engine, found: SearchHits, words: str, *, to_agency: bool) -> SearchHits:
    """Return what was found as somebody may read it: not by words that they may not read."""
    return found if to_agency else replace(found, items=list(_hits(engine, found, words)))


def _hits(engine: Engine, found: SearchHits, words: str) -> Iterator[SearchHit]:
    for hit in found.items:
        job = engine.overview.job(hit.id) if hit.kind is SearchKind.REQUEST else None
        shown = _shown(hit, job, job_for(engine, job, to_agency=False), words) if job else hit
        if shown is not None:
            yield shown


def _shown(hit: SearchHit, job: Job, seen: Job, words: str) -> SearchHit | None:
    """Return a hit as far as it is one by what may be read of its job."""
    hidden = (job.summary if job.summary != seen.summary else "") + (job.error or "" if seen.error is None else "")
    if not hidden:
        return hit
    terms = terms_of(words)
    files = " ".join(each.name for each in job.request.attachments)
    text = hide_tokens("\n".join((job.request.text, seen.summary, seen.error or "", files, job.request.cut)))
    folded = [term._replace(text=_folded(term.text)) for term in terms]
    is_said = any(term.text.casefold() in _folded(hidden).casefold() for term in folded)
    if is_said and not has_all(_folded("\n".join((job.subject, hit.person or "", text))), folded):
        return None
    return replace(hit, excerpt=excerpt_of(text, terms))


def _folded(text: str) -> str:
    """Return a text without accents, as an index of words compares it."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
