"""An ok without an account: by the link that stands in the mail which asks for it, once, for that proposal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.actions.done import Done
from webordinary.actions.known import QUEUES
from webordinary.errors import Refused
from webordinary.intake.new_job import new_job_id
from webordinary.jobs.about import approval_of
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.jobs.proposals import Standing
from webordinary.mail.conversation import bare_id, message_id_for
from webordinary.mail.tokens import read_link
from webordinary.reply.ok_links import APPROVAL, approval_kind
from webordinary.reply.outbox import ANSWER
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.engines.installation import Installation
    from webordinary.jobs.job import Job
    from webordinary.jobs.proposals import Proposal
    from webordinary.mail.tokens import Token
    from webordinary.reply.outbox import Letter
    from webordinary.routing.project import Project

# What became of a proposal that no longer waits, by the names of the mails that tell it.
TAKEN, EXPIRED, REPLACED = "already_approved", "proposal_expired", "proposal_replaced"
_CLOSED = {Standing.APPROVED: TAKEN, Standing.EXPIRED: EXPIRED, Standing.WITHDRAWN: "nothing_to_approve"}


@dataclass(frozen=True, slots=True)
class LinkOwner:
    """Somebody who was asked by mail, and what they were asked about."""

    person: str
    project: Project
    job: Job
    # The kind of the mail that has asked them.
    kind: str
    expires_on_link: bool = False


def who_was_asked(here: Installation, token: str) -> LinkOwner | None:
    """Return whom we gave this link; None for one that we never gave to anybody who may still be asked."""
    claimed = read_link(token)
    job = here.engine.overview.job(claimed.proposal) if claimed else None
    project = here.engine.projects.find(job.lane.project) if job else None
    if claimed is None or job is None or project is None:
        return None
    key = here.engine.reply_keys.current()
    for person, kind in _people(here, job, project):
        if key.is_sealed(claimed, project=project.id, sender=person):
            return LinkOwner(person, project, job, kind, _is_over(here, claimed))
    return None


def what_became(here: Installation, owner: LinkOwner) -> str | None:
    """Return what is told about a proposal that no longer waits for this person; None while it does."""
    proposal = here.engine.proposals.find(owner.job.thread)
    if proposal is None:
        return _CLOSED[Standing.WITHDRAWN]
    if proposal.id != owner.job.id:
        return REPLACED
    if proposal.standing is not Standing.OPEN:
        return _CLOSED[proposal.standing]
    if owner.expires_on_link:
        return EXPIRED
    return None if _may_decide(here, proposal, owner) else "may_not_approve"


def say_ok(here: Installation, owner: LinkOwner) -> Done:
    """Say ok, as a reply to the mail would; the first one counts, and every other is told so."""
    proposal = here.engine.proposals.find(owner.job.thread)
    if what_became(here, owner) is not None or proposal is None:
        raise Refused(f"What {owner.job.id} has proposed no longer waits for an ok.")
    asked = message_id_for(owner.job.id, owner.kind, here.config.domain)
    references = (*owner.job.request.references, *filter(None, [owner.job.request.message_id]))
    said = NewJob(
        id=new_job_id(),
        lane=proposal.lane,
        thread=proposal.thread,
        # One for all links to this proposal: of two at once, one is the job and the other finds it.
        dedup_key=f"ok:{proposal.id}:link",
        kind=Kind.VERB,
        subject=owner.job.subject,
        request=Request("", reply_to=owner.person, message_id=bare_id(asked), references=references),
        received_at=here.clock.now().wall_at,
        about=approval_of(proposal.id),
    )
    accepted = here.engine.lanes.accept(said, here.clock.now(), ready=QUEUES)
    if not accepted.fresh:
        raise Refused("Somebody has said ok already.")
    return Done(f"What {proposal.id} has proposed goes live as {accepted.job}.", accepted.job)


def was_said(here: Installation, owner: LinkOwner) -> bool:
    """Tell whether somebody has used a link to this proposal, whose ok may still wait for its turn."""
    jobs = here.engine.overview.jobs(lane=owner.job.lane.key, limit=200)
    return any(job.about == approval_of(owner.job.id) and job.state.is_live for job in jobs)


def letter_of(here: Installation, owner: LinkOwner) -> Letter | None:
    """Return the mail that has asked them, as long as it is kept."""
    return here.engine.outbox.find_sent(bare_id(message_id_for(owner.job.id, owner.kind, here.config.domain)))


def _is_over(here: Installation, token: Token) -> bool:
    return token.expires_at <= here.clock.now().wall_at


def _people(here: Installation, job: Job, project: Project) -> Iterator[tuple[str, str]]:
    """Return who may have been asked, and by which mail: who wanted the change, the approvers, the agency."""
    if job.request.reply_to is not None:
        yield job.request.reply_to, ANSWER
    for approver in project.approvers:
        yield approver, approval_kind(approver)
    if here.config.agency.address:
        yield str(here.config.agency.address), APPROVAL


def _may_decide(here: Installation, proposal: Proposal, owner: LinkOwner) -> bool:
    """Tell whether an ok of this person would count by mail too: who was an approver may be none any more."""
    agency = here.config.agency.address
    if proposal.for_agency:
        return agency is not None and fold_address(agency) == fold_address(owner.person)
    return owner.project.may_approve(owner.person, agency)
