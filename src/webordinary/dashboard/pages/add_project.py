"""Adding a project step by step: each step is checked, and the change is shown before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.config.file import ChangedMeanwhile, ConfigText
from webordinary.dashboard.flash import say_next
from webordinary.dashboard.forms.newcomer import STEPS, Newcomer, NewcomerCheck
from webordinary.dashboard.forms.writing import MEANWHILE, added_text, how_it_goes_on, write_newcomer
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, CheckLevel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.responses import Response


def add_project(visit: PageVisit) -> Response:
    return _step(visit, Newcomer(), STEPS[0], ())


def add_project_typed(visit: PageVisit) -> Response:
    """Check what was typed in a step, and lead to the next one, or back to it with what is wrong."""
    new, at, go = Newcomer.typed(visit.form), _at(visit), visit.form.get("go", "")
    check = NewcomerCheck(visit.house.here, ConfigText.read(visit.house.here.config.path), new)
    if go == "back":
        return _step(visit, new, STEPS[max(at - 1, 0)], ())
    found = check.look_up_to(STEPS[at])
    if wrong := next((each for each in found if each.finding is CheckLevel.FAIL), None):
        return _step(visit, new, _step_of(wrong, at), found)
    if go == "try":
        return _step(visit, new, STEPS[at], [*found, *check.try_build()])
    if at + 1 < len(STEPS):
        return _step(visit, new, STEPS[at + 1], found)
    return _written(visit, check) if go == "write" else _look(visit, check)


def _step_of(wrong: Check, at: int) -> str:
    return wrong.name if wrong.name in STEPS else STEPS[at]


def _at(visit: PageVisit) -> int:
    step = visit.form.get("step", "")
    return STEPS.index(step) if step in STEPS else len(STEPS) - 1


def _look(visit: PageVisit, check: NewcomerCheck, why: str = "") -> Response:
    return visit.shows(
        "change_look.html",
        409 if why else 200,
        title=f"Add {check.new.id}",
        action="/add-project",
        fields=[*check.new.items(), ("step", STEPS[-1])],
        lines=check.file.differs_by(added_text(check)),
        path=check.file.path,
        mark=check.file.mark,
        why=why,
        after=how_it_goes_on(check.here, check.new.id),
        button="Add the project",
    )


def _written(visit: PageVisit, check: NewcomerCheck) -> Response:
    here, new = check.here, check.new
    try:
        write_newcomer(check, mark=visit.form.get("mark", ""), by=visit.viewer.name)
    except ChangedMeanwhile:
        return _look(visit, check, MEANWHILE)
    except WebOrdinaryError as problem:
        return _look(visit, check, str(problem))
    say_next(visit, f"{new.id} is added. {how_it_goes_on(here, new.id)}")
    return visit.leads_to(f"/projects/{new.id}" if here.config.traits.is_one_machine else "/projects")


def _step(visit: PageVisit, new: Newcomer, step: str, found: Sequence[Check]) -> Response:
    wrong = any(each.finding is CheckLevel.FAIL for each in found)
    here = visit.house.here
    return visit.shows(
        "add_project.html",
        409 if wrong else 200,
        new=new,
        values=dict(new.items()),
        step=step,
        steps=STEPS,
        found=found,
        domain=here.config.domain,
        one_machine=here.config.traits.is_one_machine,
        path=here.config.path,
    )


PAGES = (
    PageRoute("GET", "/add-project", add_project, role=Role.AGENCY),
    PageRoute("POST", "/add-project", add_project_typed, role=Role.AGENCY),
)
