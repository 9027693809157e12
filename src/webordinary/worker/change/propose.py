"""Puts a finished change forward: it waits for somebody's `ok`, and the lane goes on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.proposals import Proposal
from webordinary.reply.ok_links import OK_UNTIL
from webordinary.worker.change.pictures import pictures_of
from webordinary.worker.change.timed import times_told

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.jobs.job import Job
    from webordinary.routing.project import Project
    from webordinary.worker.change.examine import Examination

REMIND_AFTER = timedelta(days=2)
EXPIRES_AFTER = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Ask:
    """Why somebody is asked, in the form in which answers tell it, and whether only the agency may decide."""

    reason: str
    for_agency: bool = False


def may_decide(job: Job, project: Project) -> bool:
    """Say whether the person who asked for the change may also say `ok` to it."""
    asker = job.request.reply_to
    return asker is None or project.may_approve(asker, None)


def propose(job: Job, project: Project, tip: str, found: Examination, ask: Ask, now: datetime) -> Ending:
    """End the job with a proposal of exactly this change."""
    told = found.told()
    reasons = "\n".join(filter(None, (ask.reason, told.pop("reasons", ""))))
    proposal = Proposal(
        id=job.id,
        thread=job.thread,
        lane=job.lane,
        commit=tip,
        receipt=found.mark,
        proposed_at=now,
        remind_at=now + REMIND_AFTER,
        expires_at=now + EXPIRES_AFTER,
        for_agency=ask.for_agency,
        reason=reasons,
    )
    summary = job.journal.summary
    facts = {"summary": summary, "preview": job.journal.preview, "reasons": reasons, **told}
    facts |= pictures_of(job.journal) | times_told(job.journal)
    facts[OK_UNTIL] = proposal.expires_at.isoformat()
    words = "proposed_to_agency" if ask.for_agency else "proposed"
    if not ask.for_agency and not may_decide(job, project):
        words, facts["approvers"] = "proposed_to_others", "\n".join(project.approvers)
    return Ending(State.DONE, Outcome.PROPOSED, summary=summary, template=words, facts=facts, proposal=proposal)
