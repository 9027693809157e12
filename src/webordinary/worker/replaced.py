"""Whoever waits for an ok hears of it when somebody else's request takes the place of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.jobs.about import first_asked
from webordinary.jobs.job import Outcome
from webordinary.jobs.proposals import Standing
from webordinary.reply.outbox import Letter
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.jobs.job import Ending, Job


def tell_replaced(engine: Engine, job: Job, ending: Ending, now: Moment) -> None:
    """Write to whoever had asked before; it is recorded before the end is, and under its name only once."""
    # Only another proposal takes the place of one; for all others the question would be a request for nothing.
    before = engine.proposals.find(job.thread) if ending.outcome == Outcome.PROPOSED else None
    if before is None or before.standing != Standing.OPEN or before.id == job.id:
        return
    asked = first_asked(engine.overview.job(before.id), engine.overview.job)
    asker, by = asked.request.reply_to if asked else None, job.request.reply_to
    if asker and by and fold_address(asker) != fold_address(by):
        letter = Letter(f"{before.id}.replaced", "replaced", asker, "replaced", {"by": by}, job=before.id)
        engine.outbox.add(letter, now)
