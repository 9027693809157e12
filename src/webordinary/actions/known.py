"""What an action is about, found by its name; a name that nobody knows is refused in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.errors import NoSuchThing
from webordinary.interrupts.decide import InterruptRule
from webordinary.routing.lane import Lane
from webordinary.routing.project import OnNewThread

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.jobs.job import Job
    from webordinary.routing.project import Project

# What waits for what runs in its lane instead of setting it aside.
QUEUES = InterruptRule(on_new_thread=OnNewThread.QUEUE.value)


def require_job(here: Installation, job: str) -> Job:
    found = here.engine.overview.job(job)
    if found is None:
        raise NoSuchThing(f"There is no job {job}; `webordinary show jobs` lists them.")
    return found


def require_lane(here: Installation, lane: str) -> str:
    """Return the lane's key."""
    key = Lane.parse(lane).key
    if here.engine.overview.lane(key, here.clock.now()) is None:
        raise NoSuchThing(f"There is no lane {lane}; `webordinary show lanes` shows them.")
    return key


def find_project(here: Installation, project: str) -> Project | None:
    """Return a project as the engine has it now; an account may not know yet what is configured for it."""
    found = here.engine.projects.find(project)
    # On one machine the engine follows the file, and the configuration is what it said when the program began.
    return found if found or here.config.traits.is_one_machine else here.config.find_project(project)


def require_project(here: Installation, project: str) -> Project:
    """Return a project as the engine has it, or else the configuration; refuse a name that neither knows."""
    found = find_project(here, project)
    if found is None:
        raise _no_project(project)
    return found


def require_traces(here: Installation, project: str) -> None:
    """Let pass what is configured, and what was: its jobs may still wait."""
    overview = here.engine.overview
    is_paused = any(each.project == project for each in overview.paused())
    if find_project(here, project) is None and not is_paused and not overview.has_lane(project):
        raise _no_project(project)


def _no_project(project: str) -> NoSuchThing:
    return NoSuchThing(f"There is no project {project}; `webordinary project list` shows them.")
