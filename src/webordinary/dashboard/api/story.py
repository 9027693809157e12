"""A job's story for programs: its steps, its receipt, what it waits for and what its agent said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.agent.transcript import read_transcript
from webordinary.dashboard.api.seen import entry_seen, job_seen
from webordinary.dashboard.api.shapes import LineShape, PendingShape, StoryShape
from webordinary.dashboard.story.for_clients import is_unread, job_for
from webordinary.dashboard.story.steps import shown_to_clients
from webordinary.jobs.job import Outcome
from webordinary.jobs.proposals import Standing
from webordinary.mail.tokens import hide_tokens
from webordinary.reply.tell import tell_facts
from webordinary.reply.words import phrases

if TYPE_CHECKING:
    from webordinary.dashboard.api.call import ApiCall
    from webordinary.jobs.job import Job

_STEPS = 200


def story_of(call: ApiCall, job: Job, actions: list[str]) -> StoryShape:
    steps = call.engine.trail.newest(limit=_STEPS, job=job.id)
    if not call.is_agency:
        steps = shown_to_clients(steps, is_unread=is_unread(call.engine, job))
        job = job_for(call.engine, job, to_agency=False)
    return StoryShape(
        job=job_seen(job),
        request=hide_tokens(job.request.text),
        cut=hide_tokens(job.request.cut),
        asked_by=job.request.by or job.request.reply_to or "",
        steps=[entry_seen(each) for each in steps],
        receipt=_told("changes", job.journal.changes),
        preview=job.journal.preview,
        waits=_pending(call, job),
        actions=actions,
    )


def lines_of(call: ApiCall, job: Job) -> list[LineShape]:
    """Return what the agent said and did; nothing if it keeps no transcript."""
    digest = job.journal.transcript
    if not digest:
        return []
    lines = read_transcript(call.engine.inbox.read_file(digest))
    return [LineShape(who=each.who, text=hide_tokens(each.text)) for each in lines]


def _pending(call: ApiCall, job: Job) -> PendingShape | None:
    if job.outcome == Outcome.ASKED and job.journal.question is not None:
        asked = job.journal.question
        return PendingShape(for_what="answer", question=hide_tokens(asked.text), choices=list(asked.choices))
    proposal = call.engine.proposals.find(job.thread) if job.outcome == Outcome.PROPOSED else None
    if proposal is None or proposal.id != job.id or proposal.standing != Standing.OPEN:
        return None
    return PendingShape(
        for_what="ok",
        for_agency=proposal.for_agency,
        reasons=_told("reasons", proposal.reason),
        preview=job.journal.preview,
        expires_at=proposal.expires_at,
    )


def _told(name: str, text: str) -> list[str]:
    return tell_facts({name: text}, phrases("en"))[name].splitlines() if text else []
