"""Writes a change into the file of the configuration, once somebody has looked at it; pages and programs alike."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.config.edit import ProjectText
from webordinary.config.file import ChangedMeanwhile
from webordinary.dashboard.forms.trial import publish_first
from webordinary.errors import WebOrdinaryError
from webordinary.workspace.adopt import adopt

if TYPE_CHECKING:
    from webordinary.config.file import ConfigText
    from webordinary.dashboard.forms.newcomer import NewcomerCheck
    from webordinary.dashboard.forms.rules import ProjectForm
    from webordinary.engines.installation import Installation

MEANWHILE = (
    "Somebody else has changed the file since you looked; nothing was written and nothing is lost. This is your change"
    " to what stands there now: look at it once more."
)


def changed_text(file: ConfigText, project: str, form: ProjectForm) -> str:
    """Return the file as it would be with other rules, or refuse it with what is wrong."""
    new = form.applied_to(ProjectText(file.plain, project)).text
    file.check(new, os.environ)
    return new


def write_rules(here: Installation, file: ConfigText, text: str, project: str, *, mark: str, by: str) -> None:
    """Write other rules of a project; ChangedMeanwhile when the file is not the one that was looked at."""
    _require_seen(file, mark)
    file.replace(text, os.environ)
    _note(here, "change", project, by)


def added_text(check: NewcomerCheck) -> str:
    """Return the file as it would be with the new project."""
    return check.new.added_to(check.file.plain, check.here, check.new.repository or str(check.home), check.branch())


def write_newcomer(check: NewcomerCheck, *, mark: str, by: str) -> None:
    """Add the project, with a repository if it has none yet, and show its site as it is."""
    _require_seen(check.file, mark)
    here, new, home = check.here, check.new, Path(check.home)
    was_there = home.exists()
    try:
        repository, branch = new.repository, check.branch()
        if new.is_begun_here:
            made = adopt(None, home, branch=branch, title=new.name or new.id, git=here.config.git, secrets=None)
            repository = made.repository
        check.file.replace(new.added_to(check.file.plain, here, repository, branch), os.environ)
    except WebOrdinaryError:
        # No repository is left behind that nothing names.
        if not was_there:
            shutil.rmtree(home, ignore_errors=True)
        raise
    _note(here, "add", new.id, by)
    if here.config.traits.is_one_machine:
        publish_first(here.config.path, new.id)


def how_it_goes_on(here: Installation, project: str) -> str:
    if here.config.traits.is_one_machine:
        return "A running `webordinary serve` takes it over at once."
    return f"Run `webordinary aws onboard {project}`: it makes it known to the account."


def _require_seen(file: ConfigText, mark: str) -> None:
    if mark != file.mark:
        raise ChangedMeanwhile(MEANWHILE)


def _note(here: Installation, action: str, project: str, by: str) -> None:
    """Write down who changed the file; what is different in it is told by who reads it."""
    facts = {"action": action, "about": "project", "target": project, "by": by}
    here.engine.trail.record(Entry(EventType.ACTED, here.clock.now().wall_at, facts=facts))
