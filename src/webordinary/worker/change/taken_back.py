"""Whether a commit has taken a change off the site: an undo of it brings that change back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.jobs.about import Errand, read_about
from webordinary.jobs.schedules import Phase

if TYPE_CHECKING:
    from webordinary.engine import Engine
    from webordinary.workspace.checkout import Checkout

_LONGEST_QUARREL = 1_000


def takes_back(engine: Engine, checkout: Checkout, commit: str) -> bool:
    """Tell whether the change that somebody asked for is off the site because of this commit.

    Undoing and undoing that may go on for a while: every second commit takes the change back.
    """
    for taken_back in range(_LONGEST_QUARREL):
        reverted = _reverted_by(engine, checkout, commit)
        if reverted is None:
            return bool(taken_back % 2)
        commit = reverted
    return False


def _reverted_by(engine: Engine, checkout: Checkout, commit: str) -> str | None:
    """Return the commit that this one takes back; None when it is a change of its own."""
    name = checkout.job_of(commit)
    job = engine.overview.job(name) if name else None
    about = read_about(job.about) if job is not None and job.commit == commit else None
    if about is None:
        return None
    if about.errand is Errand.REVERT:
        return about.name
    schedule = engine.schedules.find(about.name) if about.errand is Errand.SCHEDULE else None
    return schedule.commits[0] if schedule is not None and schedule.phase is Phase.REVERT else None
