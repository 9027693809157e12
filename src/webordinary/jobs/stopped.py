"""A job that a person stopped in the very moment in which it came to its end."""

from __future__ import annotations

from dataclasses import replace

from webordinary.jobs.job import Ending, State
from webordinary.jobs.proposals import Standing


def unless_stopped(ending: Ending, by: str | None) -> Ending:
    """Return how a job ends that somebody has asked to stop: what would wait for an `ok` or a moment does not."""
    if by is None or (ending.proposal is None and not ending.schedules):
        return ending
    # The thread's branch holds it already: as one that was withdrawn, the next request begins without it.
    dropped = replace(ending.proposal, standing=Standing.WITHDRAWN, closed_by=by) if ending.proposal else None
    return Ending(State.STOPPED, error=f"stopped by {by}", template="stopped", proposal=dropped)
