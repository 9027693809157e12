"""Which actions make sense for something as it stands at this moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.jobs.job import Job, Outcome, State
from webordinary.jobs.proposals import Proposal, Standing
from webordinary.jobs.schedules import Schedule
from webordinary.mail.outcomes import MailOutcome
from webordinary.overview import LaneView, MailView, PausedView
from webordinary.reply.bounces import Bounce
from webordinary.routing.project import Project

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.engine import Engine

Known = Job | Proposal | MailView | LaneView | Project | PausedView | Bounce | Schedule
_LIVE = frozenset({Outcome.PUBLISHED, Outcome.UNDONE})


def target_of(thing: Known) -> str:
    """Return the name under which an action finds it."""
    match thing:
        case LaneView():
            return thing.lane
        case PausedView():
            return thing.project
        case Bounce():
            return thing.address
        case _:
            return thing.id


def fitting(engine: Engine, thing: Known) -> Iterator[str]:
    """Yield the names of the actions that would do something, the likeliest first."""
    match thing:
        case Job():
            yield from _for_job(engine, thing)
        case Proposal():
            if thing.standing == Standing.OPEN:
                yield from ("approve", "withdraw")
        case MailView():
            yield from _for_mail(thing)
        case LaneView():
            yield from ("interrupt",) if thing.running else ()
            yield from ("release",) if thing.owner else ()
        case PausedView():
            yield "resume"
        case Project():
            is_paused = any(each.project == thing.id for each in engine.overview.paused())
            yield from ("ask", "resume" if is_paused else "pause", "allow")
        case Bounce():
            yield "forgive"
        case Schedule():
            yield from () if thing.closed_by else ("cancel",)


def _for_job(engine: Engine, job: Job) -> Iterator[str]:
    if job.state.is_live:
        yield "stop"
        return
    proposal = engine.proposals.find(job.thread) if job.outcome == Outcome.PROPOSED else None
    if proposal is not None and proposal.id == job.id:
        yield from fitting(engine, proposal)
    if job.outcome in _LIVE and job.commit:
        yield "undo"
    if job.state is not State.DONE:
        yield "redrive"
    elif job.request.text.strip():
        yield "again"


def _for_mail(mail: MailView) -> Iterator[str]:
    if mail.outcome is MailOutcome.HELD:
        yield from ("release-mail", "refuse-mail")
    elif mail.job is None:
        yield "replay"
