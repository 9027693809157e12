"""What becomes of a proposal when a later request of its thread ends: it is replaced, or has gone live with it."""

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


def follow_up(engine: Engine, job: Job, ending: Ending, now: Moment) -> None:
    """Settle the proposal before the end is recorded; each letter has its name and is written only once."""
    # Only what begins no thread can find one there; for all others the question would be a request for nothing.
    may_have = ending.outcome == Outcome.PROPOSED or (ending.outcome == Outcome.PUBLISHED and job.request.references)
    before = engine.proposals.find(job.thread) if may_have else None
    if before is None or before.standing != Standing.OPEN or before.id == job.id:
        return
    if ending.outcome == Outcome.PUBLISHED:
        # A thread goes live as a whole: nobody may be reminded of what is live already.
        engine.proposals.close(before, Standing.APPROVED, job.request.reply_to or job.lane.user, now)
        return
    asked = first_asked(engine.overview.job(before.id), engine.overview.job)
    asker, by = asked.request.reply_to if asked else None, job.request.reply_to
    if asker and by and fold_address(asker) != fold_address(by):
        letter = Letter(f"{before.id}.replaced", "replaced", asker, "replaced", {"by": by}, job=before.id)
        engine.outbox.add(letter, now)
