"""What a client does not read of a site whose answers wait for the agency's eye: the words that nobody has looked at.

The receipt, the pictures and the letters that went out are for everybody: our checks have made them, or somebody
has released them. What the agent says in its own words is what an answer waits for, so it is shown nowhere else.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.audit.entry import EventType
from webordinary.jobs.journal import Journal, Step
from webordinary.mail.tokens import hide_tokens
from webordinary.overview.search import SearchKind, excerpt_of, has_all, terms_of
from webordinary.reply.held_answers import must_wait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.audit.entry import Entry
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.overview.search import SearchHit, SearchHits

_FREE_WORDS = frozenset({Journal.summary.name, Journal.question.name})


def is_unread(engine: Engine, job: Job) -> bool:
    """Tell whether the agent's own words about a job are for the agency only."""
    return must_wait(job, engine.projects.find(job.lane.project))


def job_for(engine: Engine, job: Job, *, to_agency: bool) -> Job:
    """Return a job as somebody may read it."""
    if to_agency or not is_unread(engine, job):
        return job
    kept = {name: text for name, text in job.journal.stored.items() if name not in _FREE_WORDS}
    return replace(job, summary="", journal=Journal(kept))


def without_free_words(entry: Entry) -> Entry:
    """Return an entry of the trail without what the agent has said in it."""
    if entry.what is EventType.JOB_DONE:
        return replace(entry, text="")
    if entry.what is EventType.STEP and entry.text == Step.EDITED:
        return replace(entry, facts={name: text for name, text in entry.facts.items() if name not in _FREE_WORDS})
    return entry


def hits_for(engine: Engine, found: SearchHits, words: str, *, to_agency: bool) -> SearchHits:
    """Return what was found as somebody may read it: not by words that they may not read."""
    return found if to_agency else replace(found, items=list(_hits(engine, found, words)))


def _hits(engine: Engine, found: SearchHits, words: str) -> Iterator[SearchHit]:
    for hit in found.items:
        job = engine.overview.job(hit.id) if hit.kind is SearchKind.REQUEST else None
        if job is None or not is_unread(engine, job):
            yield hit
        elif (shown := _without_summary(hit, job, words)) is not None:
            yield shown


def _without_summary(hit: SearchHit, job: Job, words: str) -> SearchHit | None:
    terms = terms_of(words)
    files = " ".join(each.name for each in job.request.attachments)
    text = hide_tokens("\n".join((job.request.text, job.error or "", files, job.request.cut)))
    folded = [term._replace(text=_folded(term.text)) for term in terms]
    is_said = any(term.text.casefold() in _folded(job.summary).casefold() for term in folded)
    if is_said and not has_all(_folded("\n".join((job.subject, hit.person or "", text))), folded):
        return None
    return replace(hit, excerpt=excerpt_of(text, terms))


def _folded(text: str) -> str:
    """Return a text without accents, as an index of words compares it."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
