"""Changing the rules and editors of a project: a form, the change to the file, and only then the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.config.edit import ProjectText
from webordinary.config.file import ChangedMeanwhile, ConfigText
from webordinary.dashboard.flash import say_next
from webordinary.dashboard.forms.rules import RULE_FIELDS, ProjectForm
from webordinary.dashboard.forms.writing import MEANWHILE, changed_text, how_it_goes_on, write_rules
from webordinary.dashboard.pages.project import seen_project
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import WebOrdinaryError

if TYPE_CHECKING:
    from starlette.responses import Response


def change(visit: PageVisit) -> Response:
    project = seen_project(visit).id
    said = ProjectText(ConfigText.read(visit.house.here.config.path).plain, project).said
    return _form(visit, project, ProjectForm.of(said))


def change_typed(visit: PageVisit) -> Response:
    """Show what would be written, or write it if that is what was shown."""
    project = seen_project(visit).id
    here = visit.house.here
    file = ConfigText.read(here.config.path)
    typed = ProjectForm.typed(visit.form)
    try:
        new = changed_text(file, project, typed)
        if visit.form.get("go") == "back":
            return _form(visit, project, typed)
        if visit.form.get("go") != "write":
            return _look(visit, project, typed, file, new)
        write_rules(here, file, new, project, mark=visit.form.get("mark", ""), by=visit.viewer.name)
    except ChangedMeanwhile:
        return _look(visit, project, typed, file, new, MEANWHILE)
    except WebOrdinaryError as problem:
        return _form(visit, project, typed, str(problem))
    say_next(visit, f"The configuration of {project} is changed. {how_it_goes_on(here, project)}")
    return visit.leads_to(f"/projects/{project}")


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
        after=how_it_goes_on(visit.house.here, project),
        button="Write it into the file",
    )


PAGES = (
    PageRoute("GET", "/projects/{project}/change", change, role=Role.AGENCY),
    PageRoute("POST", "/projects/{project}/change", change_typed, role=Role.AGENCY),
)
