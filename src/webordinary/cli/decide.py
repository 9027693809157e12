"""`webordinary approve` and `withdraw`: an agency decides about a proposal at its terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from webordinary.cli.ask import ENDED_BADLY, accept_and_wait
from webordinary.cli.operate import JobArgument
from webordinary.cli.options import (
    FIFTEEN_MINUTES,
    ConfigOption,
    JsonOption,
    TimeoutOption,
    examples,
    open_installation,
    operator,
)
from webordinary.cli.output import say, say_error
from webordinary.cli.rollback import QUEUES
from webordinary.errors import Refused
from webordinary.intake.new_job import new_job_id
from webordinary.jobs.about import approval_of, first_asked
from webordinary.jobs.job import Kind, NewJob, Outcome, Request
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


def add_to(app: typer.Typer) -> None:
    """Give the program the commands that decide about proposals."""
    panel = "The queue"
    app.command(rich_help_panel=panel, epilog=examples("webordinary approve job-1a2b3c4d5e6f"))(approve)
    app.command(rich_help_panel=panel, epilog=examples("webordinary withdraw job-1a2b3c4d5e6f"))(withdraw)


def approve(
    job: JobArgument,
    *,
    timeout: TimeoutOption = FIFTEEN_MINUTES,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say ok to what a job has proposed, also to what only the agency may decide; a person who asked by mail is told.

    It is published exactly as it was shown; if the live site has changed in between, it may have to be shown again.
    The exit code says what came of it, as with `ask --wait`.
    """
    here = open_installation(config)
    said = ok_at_terminal(_waiting(here, job), operator(), here.clock)
    code = accept_and_wait(here, said, QUEUES, timeout, as_json=as_json)
    raise typer.Exit(_too_late(here, said.id, job) or code)


def _too_late(here: Installation, said: str, job: str) -> int:
    """Tell it if somebody else has decided between the ok and its turn; 0 if nobody has."""
    ended = here.engine.overview.job(said)
    if ended is None or ended.outcome != Outcome.ANSWERED:
        return 0
    say_error(f"Nothing was done: somebody else has decided about {job} by then; `webordinary show trail` tells who.")
    return ENDED_BADLY


def withdraw(job: JobArgument, config: ConfigOption = None) -> None:
    """Drop what a job has proposed: nothing of it is published; a person who asked by mail is told."""
    here = open_installation(config)
    if not drop(here.engine, _waiting(here, job), operator(), here.clock.now()):
        raise Refused(f"Somebody else has decided about {job} in this moment; `webordinary show job {job}` tells how.")
    say(f"What {job} has proposed is dropped; the site is as it was.")


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


def ok_at_terminal(proposal: Proposal, by: str, clock: Clock) -> NewJob:
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


def _waiting(here: Installation, job: str) -> Proposal:
    """Return what a job has proposed, as long as it waits."""
    found = here.engine.overview.job(job)
    if found is None:
        raise Refused(f"There is no job {job}; `webordinary show jobs` lists them.")
    proposal = here.engine.proposals.find(found.thread)
    if proposal is not None and proposal.id == job and proposal.standing != Standing.OPEN:
        closed = _CLOSED[proposal.standing].format(by=proposal.closed_by or "somebody")
        raise Refused(f"What {job} has proposed {closed}.")
    if proposal is not None and proposal.id != job and proposal.standing == Standing.OPEN:
        raise Refused(f"{job} waits for no ok; in its thread {proposal.id} does.")
    if proposal is None or proposal.id != job:
        raise Refused(f"{job} waits for no ok; `webordinary digest` lists what does.")
    return proposal
