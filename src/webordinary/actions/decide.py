"""Ok and no to what a job has proposed, and the end of what is planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.actions.done import Done
from webordinary.actions.known import QUEUES, require_job
from webordinary.errors import NoSuchThing, Refused
from webordinary.intake.new_job import new_job_id
from webordinary.jobs.about import approval_of, first_asked
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.jobs.proposals import Proposal, Standing
from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine
    from webordinary.engines.installation import Installation

_CLOSED = {
    Standing.APPROVED: "is live already, or planned: {by} said ok",
    Standing.EXPIRED: "is over: nobody said ok in time",
    Standing.WITHDRAWN: "was withdrawn by {by}",
}


def approve(here: Installation, job: str, by: str) -> Done:
    """Say ok to what a job has proposed, and let it go live in its turn."""
    said = ok_said(waiting(here, job), by, here.clock)
    here.engine.lanes.accept(said, here.clock.now(), ready=QUEUES)
    return Done(f"What {job} has proposed goes live as {said.id}.", said.id)


def withdraw(here: Installation, job: str, by: str) -> Done:
    """Drop what a job has proposed."""
    if not drop(here.engine, waiting(here, job), by, here.clock.now()):
        raise Refused(f"Somebody else has decided about {job} in this moment; `webordinary show job {job}` tells how.")
    return Done(f"What {job} has proposed is dropped; the site is as it was.", job)


def cancel_plan(here: Installation, plan: str, by: str) -> Done:
    """Take a planned change off the list, so that its moment passes without it."""
    found = here.engine.schedules.find(plan)
    if found is None:
        raise NoSuchThing(f"There is no plan {plan}; `webordinary show schedules` lists them.")
    if not here.engine.schedules.close(plan, by, here.clock.now()):
        raise Refused(f"{plan} is off the list already: {found.closed_by or 'somebody'} took it off.")
    return Done(f"What {found.job} had planned for {found.at:%Y-%m-%d %H:%M} UTC does not happen.", found.job)


def drop(engine: Engine, proposal: Proposal, by: str, now: Moment) -> bool:
    """Withdraw a proposal and tell the person who wanted it by mail; False when it no longer waits."""
    if not engine.proposals.close(proposal, Standing.WITHDRAWN, by, now):
        return False
    find = engine.overview.job
    asked = first_asked(find(proposal.id), find)
    if asked is not None and asked.request.reply_to is not None:
        key, to = f"{proposal.id}.withdrawn", asked.request.reply_to
        engine.outbox.add(Letter(key, "withdrawn", to, "withdrawn", job=proposal.id), now)
    return True


def ok_said(proposal: Proposal, by: str, clock: Clock) -> NewJob:
    """Return the job that brings a proposal live: the same as after an ok by mail, but nobody is answered."""
    job = new_job_id()
    return NewJob(
        id=job,
        lane=proposal.lane,
        thread=proposal.thread,
        dedup_key=f"ok:{proposal.id}:{job}",
        kind=Kind.VERB,
        subject=f"Ok to {proposal.id}, said by {by}",
        request=Request("", by=by),
        received_at=clock.now().wall_at,
        about=approval_of(proposal.id),
    )


def waiting(here: Installation, job: str) -> Proposal:
    """Return what a job has proposed, as long as it waits."""
    found = require_job(here, job)
    proposal = here.engine.proposals.find(found.thread)
    if proposal is not None and proposal.id == job and proposal.standing != Standing.OPEN:
        closed = _CLOSED[proposal.standing].format(by=proposal.closed_by or "somebody")
        raise Refused(f"What {job} has proposed {closed}.")
    if proposal is not None and proposal.id != job and proposal.standing == Standing.OPEN:
        raise Refused(f"{job} waits for no ok; in its thread {proposal.id} does.")
    if proposal is None or proposal.id != job:
        raise Refused(f"{job} waits for no ok; `webordinary digest` lists what does.")
    return proposal
