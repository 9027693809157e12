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


def require_project(here: Installation, project: str) -> Project:
    """Return a project as the engine has it, or else the configuration; refuse a name that neither knows."""
    found = here.engine.projects.find(project) or here.config.find_project(project)
    if found is None:
        raise _no_project(project)
    return found


def require_traces(here: Installation, project: str) -> None:
    """Let pass what is configured, and what was: its jobs may still wait."""
    overview = here.engine.overview
    is_paused = any(each.project == project for each in overview.paused())
    if here.config.find_project(project) is None and not is_paused and not overview.has_lane(project):
        raise _no_project(project)


def _no_project(project: str) -> NoSuchThing:
    return NoSuchThing(f"There is no project {project}; `webordinary project list` shows them.")
