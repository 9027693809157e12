"""Work without a mail: a change that somebody asks for, or asks for again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.actions.done import Done
from webordinary.actions.known import find_project, require_job
from webordinary.actions.queue import redrive
from webordinary.errors import NoSuchThing, Refused
from webordinary.intake import ask_for, rule_for
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.interrupts.decide import InterruptRule
    from webordinary.jobs.job import NewJob
    from webordinary.routing.project import Editor, Project

LONGEST_REQUEST = 100_000


def new_request(here: Installation, project: str, user: str, words: str, by: str = "") -> tuple[NewJob, InterruptRule]:
    """Return the job that somebody asks for in an editor's name, and how it may interrupt."""
    found, editor = _editor(here, project, user)
    if not words.strip():
        raise Refused("The request is empty; write what should change.")
    if len(words) > LONGEST_REQUEST:
        raise Refused(f"The request is longer than {LONGEST_REQUEST:,} characters; write less.")
    asked = ask_for(found, editor, words, here.clock)
    asked = replace(asked, request=replace(asked.request, by=by)) if by else asked
    return asked, rule_for(found, here.limits)


def ask(here: Installation, project: str, by: str, user: str, words: str, *, key: str = "") -> Done:
    """Ask for a change as if an editor had written a mail; asked twice with the same key, it is one job."""
    asked, rule = new_request(here, project, user, words, by)
    if key:
        asked = replace(asked, dedup_key=f"asked:{key}")
    job = here.engine.lanes.accept(asked, here.clock.now(), ready=rule).job
    return Done(f"{job} is queued.", job, f"; `webordinary show job {job}` tells how it goes.")


def again(here: Installation, job: str, by: str) -> Done:
    """Ask for the same once more, whatever became of it; what ended badly is driven again with all its files."""
    old = require_job(here, job)
    if old.state.is_live:
        raise Refused(f"{job} is not over yet; stop it first, or wait.")
    if old.state is not State.DONE:
        return redrive(here, job, by)
    if not old.request.text.strip():
        raise Refused(f"{job} had no request in words that could be asked for again.")
    project, _ = _editor(here, old.lane.project, old.lane.user)
    asked, rule = new_request(here, project.id, old.lane.user, old.request.text, by)
    request = replace(asked.request, attachments=old.request.attachments)
    asked = replace(asked, subject=old.subject or asked.subject, request=request, repeats=old.id)
    here.engine.lanes.accept(asked, here.clock.now(), ready=rule)
    return Done(f"{job} is asked for again as {asked.id}.", asked.id)


def _editor(here: Installation, project: str, user: str) -> tuple[Project, Editor]:
    found = find_project(here, project)
    if found is None:
        known = ", ".join(each.id for each in here.engine.projects.all()) or "none yet"
        raise NoSuchThing(f"There is no project {project}; known: {known}.")
    editor = found.editor(user)
    if editor is None:
        known = ", ".join(each.user for each in found.editors) or "none yet"
        raise NoSuchThing(f"{user} is no editor of {project}; known: {known}.")
    return found, editor
