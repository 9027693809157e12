"""More money for a site that has spent its own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from webordinary.actions.done import Done
from webordinary.actions.known import require_project
from webordinary.audit.entry import Entry, EventType
from webordinary.errors import Refused
from webordinary.jobs.job import State
from webordinary.jobs.journal import Step
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.routing.project import Project


def money_to_allow(project: Project, usd: float | None) -> float:
    """Return how much more a site may spend: what is said, else as much as a day may cost."""
    more = project.rules.budget.usd_a_day if usd is None else usd
    if not more:
        raise Refused(f"{project.id} may spend nothing in a day; say with --usd how much it may spend today.")
    if not math.isfinite(more) or more < 0:
        raise Refused("Say how much more as a number of dollars above zero.")
    return more


def allow(here: Installation, project: str, by: str, usd: float | None = None) -> Done:
    """Let a site spend more today than its budget says; what waited for that goes on at once."""
    from webordinary.worker.chores.told_spending import spending_of  # noqa: PLC0415 - heavy

    found = require_project(here, project)
    more, now = money_to_allow(found, usd), here.clock.now()
    day = spending_of(here.engine, found, now.wall_at).day
    here.engine.spending.allow(project, day, more, now)
    facts = {"project": project, "by": by, "usd": f"{more:g}", "day": day.isoformat()}
    here.engine.trail.record(Entry(EventType.MONEY_ALLOWED, now.wall_at, facts=facts))
    jobs = waiting_for_money(here, found)
    for job in jobs:
        here.engine.lanes.hurry(job, here.clock.now())
    goes_on = f"{', '.join(jobs)} goes on." if jobs else "Nothing waited for that."
    return Done(f"{project} may spend {more:g} USD more today, {day.isoformat()}. {goes_on}", jobs[0] if jobs else None)


def waiting_for_money(here: Installation, project: Project) -> list[str]:
    """Return the jobs of a project that wait until there is money again."""
    lanes = (Lane(project.id, editor.user).key for editor in project.editors)
    live = (job for lane in lanes for job in here.engine.overview.live(lane))
    return [job.id for job in live if job.state is State.QUEUED and Step.OUT_OF_MONEY in job.journal]
