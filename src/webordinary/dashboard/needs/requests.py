"""Requests that need somebody: proposals, questions, dead letters and jobs that wait for money."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.dashboard.needs.need import NeedsAsked, NeedTone, OpenNeed
from webordinary.dashboard.story.for_clients import job_for
from webordinary.jobs.job import State
from webordinary.jobs.journal import Step
from webordinary.overview.filters import COUNTED, FoundPage, JobsAsked
from webordinary.reply.held_answers import MOST_HELD

if TYPE_CHECKING:
    from webordinary.jobs.job import Job
    from webordinary.jobs.proposals import Proposal

# What nobody has looked at for so long is no news any more; the lists have it for as long as it is kept.
SHOWN_FOR = timedelta(days=30)
# A look at what is queued ends after so many hundreds.
_PORTIONS = 20


def proposals(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find what waits for the agency; for a client, what waits for them."""
    return _proposals(asked, for_agency=asked.projects is None)


def proposals_of_others(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find what waits for the owner; for a client, what the agency has to decide."""
    return _proposals(asked, for_agency=asked.projects is not None)


def _proposals(asked: NeedsAsked, *, for_agency: bool) -> FoundPage[OpenNeed]:
    waiting = [
        each
        for each in asked.engine.proposals.all_open()
        if each.for_agency == for_agency and asked.sees(each.lane.project)
    ]
    names = [each.id for each in waiting]
    first = names.index(asked.after) + 1 if asked.after in names else 0
    part = waiting[first : first + asked.limit]
    is_more = first + asked.limit < len(waiting)
    return FoundPage([_about_proposal(asked, each) for each in part], part[-1].id if is_more else None)


def _about_proposal(asked: NeedsAsked, proposal: Proposal) -> OpenNeed:
    job = asked.engine.overview.job(proposal.id)
    who = "the agency" if proposal.for_agency else "the owner"
    return OpenNeed(
        title=_subject(job) if job else "A change waits for an ok",
        reason=f"A finished change waits for the ok of {who}" + (f": {proposal.reason}" if proposal.reason else "."),
        otherwise="The proposal is dropped, and whoever asked is told",
        until_at=proposal.expires_at,
        since_at=proposal.proposed_at,
        project=proposal.lane.project,
        link=f"/jobs/{proposal.id}",
        actions=(("approve", proposal.id), ("withdraw", proposal.id)),
    )


def questions(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find what an agent has asked and nobody has answered."""
    since = asked.now.wall_at - SHOWN_FOR
    page = asked.engine.overview.unanswered(asked.left(since), after=asked.after, limit=asked.limit)
    if asked.projects is None:
        return FoundPage([_about_question(job) for job in page.items], page.after)
    # What waits for the agency's eye has not been asked yet.
    waiting = {held.job for held in asked.engine.held_answers.all(limit=MOST_HELD)} if page.items else set()
    asked_now = (job_for(asked.engine, job, to_agency=False) for job in page.items if job.id not in waiting)
    return FoundPage([_about_question(job) for job in asked_now], page.after)


def _about_question(job: Job) -> OpenNeed:
    question = job.journal.question
    who = job.request.reply_to or job.request.by or "whoever asked"
    words = question.text if question else job.summary
    return OpenNeed(
        title=_subject(job),
        reason=f"{who} was asked: {words}" if words else f"{who} was asked something by mail.",
        otherwise=f"Nothing is changed until {who} answers; it leaves this page",
        until_at=(job.finished_at or job.received_at) + SHOWN_FOR,
        since_at=job.finished_at or job.received_at,
        project=job.lane.project,
        link=f"/jobs/{job.id}",
        actions=(("again", job.id),),
    )


def dead_letters(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find what was given up and nobody has tried again."""
    since = asked.now.wall_at - SHOWN_FOR
    page = asked.engine.overview.buried(asked.left(since), after=asked.after, limit=asked.limit)
    return FoundPage([_about_dead(job) for job in page.items], page.after)


def _about_dead(job: Job) -> OpenNeed:
    return OpenNeed(
        title=_subject(job),
        reason=f"It was given up after {job.attempt} tries: {job.error or 'nobody wrote down why'}",
        otherwise="Whoever asked was told that it did not work; it leaves this page",
        until_at=(job.finished_at or job.received_at) + SHOWN_FOR,
        since_at=job.finished_at or job.received_at,
        project=job.lane.project,
        link=f"/jobs/{job.id}",
        tone=NeedTone.SORRY,
        actions=(("redrive", job.id),),
    )


def waiting_for_money(asked: NeedsAsked) -> FoundPage[OpenNeed]:
    """Find jobs that keep their place until there is money again."""
    queued = JobsAsked(state=State.QUEUED, projects=asked.projects)
    waiting: list[Job] = []
    after = asked.after
    # Most of what is queued waits for something else.
    for _ in range(_PORTIONS):
        page = asked.engine.overview.find_jobs(queued, after=after, limit=COUNTED)
        waiting += [job for job in page.items if Step.OUT_OF_MONEY in job.journal]
        after = page.after
        if after is None or len(waiting) >= asked.limit:
            break
    if len(waiting) > asked.limit:
        waiting = waiting[: asked.limit]
        after = waiting[-1].id
    # A page without one of them is no page worth a link.
    return FoundPage([_about_money(job) for job in waiting], after if waiting else None)


def _about_money(job: Job) -> OpenNeed:
    return OpenNeed(
        title=_subject(job),
        reason=job.error or f"The budget of {job.lane.project} is spent.",
        otherwise="It goes on by itself when the budget begins anew",
        since_at=job.received_at,
        project=job.lane.project,
        link=f"/jobs/{job.id}",
        actions=(("allow", job.lane.project), ("stop", job.id)),
    )


def _subject(job: Job) -> str:
    return job.subject or "A request without a subject"
