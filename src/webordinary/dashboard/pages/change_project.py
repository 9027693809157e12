"""Changing the rules and editors of a project: a form, the change to the file, and only then the file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.config.edit import ProjectText
from webordinary.config.file import ChangedMeanwhile, ConfigText
from webordinary.dashboard.flash import say_next
from webordinary.dashboard.forms.rules import RULE_FIELDS, ProjectForm
from webordinary.dashboard.pages.project import seen_project
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import WebOrdinaryError

if TYPE_CHECKING:
    from starlette.responses import Response

MEANWHILE = (
    "Somebody else has changed the file since you looked; nothing was written and nothing is lost. This is your change"
    " to what stands there now: look at it once more."
)


def change(visit: PageVisit) -> Response:
    project = seen_project(visit).id
    said = ProjectText(ConfigText.read(visit.house.here.config.path).plain, project).said
    return _form(visit, project, ProjectForm.of(said))


def change_typed(visit: PageVisit) -> Response:
    """Show what would be written, or write it if that is what was shown."""
    project = seen_project(visit).id
    file = ConfigText.read(visit.house.here.config.path)
    before = ProjectText(file.plain, project)
    typed = ProjectForm.typed(visit.form)
    try:
        new = typed.applied_to(before).text
        file.check(new, os.environ)
        if visit.form.get("go") == "back":
            return _form(visit, project, typed)
        if visit.form.get("go") != "write":
            return _look(visit, project, typed, file, new)
        if visit.form.get("mark") != file.mark:
            return _look(visit, project, typed, file, new, MEANWHILE)
        file.replace(new, os.environ)
    except ChangedMeanwhile:
        return _look(visit, project, typed, file, new, MEANWHILE)
    except WebOrdinaryError as problem:
        return _form(visit, project, typed, str(problem))
    note_change(visit, "change", project)
    say_next(visit, f"The configuration of {project} is changed. {how_it_goes_on(visit, project)}")
    return visit.leads_to(f"/projects/{project}")


def note_change(visit: PageVisit, action: str, project: str) -> None:
    """Write down who changed the file; what is different in it is told by who reads it."""
    facts = {"action": action, "about": "project", "target": project, "by": visit.viewer.name}
    visit.engine.trail.record(Entry(EventType.ACTED, visit.house.here.clock.now().wall_at, facts=facts))


def how_it_goes_on(visit: PageVisit, project: str) -> str:
    if visit.house.here.config.traits.is_one_machine:
        return "A running `webordinary serve` takes it over at once."
    return f"Run `webordinary aws onboard {project}`: it makes it known to the account."


def _form(visit: PageVisit, project: str, form: ProjectForm, why: str = "") -> Response:
    return visit.shows(
        "change_project.html", 409 if why else 200, project=project, form=form, rules=RULE_FIELDS, why=why
    )


def _look(visit: PageVisit, project: str, form: ProjectForm, file: ConfigText, new: str, why: str = "") -> Response:
    return visit.shows(
        "change_look.html",
        409 if why else 200,
        title=f"Change {project}",
        action=f"/projects/{project}/change",
        fields=list(form.fields()),
        lines=file.differs_by(new),
        path=file.path,
        mark=file.mark,
        why=why,
        after=how_it_goes_on(visit, project),
        button="Write it into the file",
    )


PAGES = (
    PageRoute("GET", "/projects/{project}/change", change, role=Role.AGENCY),
    PageRoute("POST", "/projects/{project}/change", change_typed, role=Role.AGENCY),
)
