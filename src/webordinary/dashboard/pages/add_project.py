"""Adding a project step by step: each step is checked, and the change is shown before it is written."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.config.file import ChangedMeanwhile, ConfigText
from webordinary.dashboard.flash import say_next
from webordinary.dashboard.forms.newcomer import STEPS, Newcomer, NewcomerCheck
from webordinary.dashboard.forms.trial import publish_first, try_build
from webordinary.dashboard.pages.change_project import MEANWHILE, how_it_goes_on, note_change
from webordinary.dashboard.viewer import Role
from webordinary.dashboard.visit import PageRoute, PageVisit
from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, CheckLevel, fail
from webordinary.workspace.adopt import adopt

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
    found = [each for step in STEPS[: at + 1] for each in _of_step(check, step)]
    if wrong := next((each for each in found if each.finding is CheckLevel.FAIL), None):
        return _step(visit, new, _step_of(wrong, at), found)
    if go == "try":
        return _step(visit, new, STEPS[at], [*found, *_tried(check)])
    if at + 1 < len(STEPS):
        return _step(visit, new, STEPS[at + 1], found)
    return _written(visit, check) if go == "write" else _look(visit, check)


def _of_step(check: NewcomerCheck, step: str) -> Sequence[Check]:
    return [Check(step, each.finding, each.says) for each in check.look(step)]


def _step_of(wrong: Check, at: int) -> str:
    return wrong.name if wrong.name in STEPS else STEPS[at]


def _at(visit: PageVisit) -> int:
    step = visit.form.get("step", "")
    return STEPS.index(step) if step in STEPS else len(STEPS) - 1


def _tried(check: NewcomerCheck) -> Sequence[Check]:
    if check.new.is_begun_here:
        return ()
    try:
        text = check.new.added_to(check.file.plain, check.here, check.new.repository, check.branch())
        return try_build(check.file.path, text, check.new.id)
    except WebOrdinaryError as problem:
        return [fail("build", str(problem))]


def _look(visit: PageVisit, check: NewcomerCheck, why: str = "") -> Response:
    text = _text(check, check.new.repository or str(check.home), check.branch())
    return visit.shows(
        "change_look.html",
        409 if why else 200,
        title=f"Add {check.new.id}",
        action="/add-project",
        fields=[*check.new.items(), ("step", STEPS[-1])],
        lines=check.file.differs_by(text),
        path=check.file.path,
        mark=check.file.mark,
        why=why,
        after=how_it_goes_on(visit, check.new.id),
        button="Add the project",
    )


def _written(visit: PageVisit, check: NewcomerCheck) -> Response:
    if visit.form.get("mark") != check.file.mark:
        return _look(visit, check, MEANWHILE)
    new, home = check.new, Path(check.home)
    was_there = home.exists()
    try:
        repository, branch = new.repository, check.branch()
        if new.is_begun_here:
            made = adopt(None, home, branch=branch, title=new.name or new.id, git=check.here.config.git, secrets=None)
            repository = made.repository
        check.file.replace(_text(check, repository, branch), os.environ)
    except ChangedMeanwhile:
        _take_back(home, was_there=was_there)
        return _look(visit, check, MEANWHILE)
    except WebOrdinaryError as problem:
        _take_back(home, was_there=was_there)
        return _look(visit, check, str(problem))
    return _added(visit, new)


def _added(visit: PageVisit, new: Newcomer) -> Response:
    here = visit.house.here
    note_change(visit, "add", new.id)
    if here.config.traits.is_one_machine:
        publish_first(here.config.path, new.id)
    say_next(visit, f"{new.id} is added. {how_it_goes_on(visit, new.id)}")
    return visit.leads_to(f"/projects/{new.id}" if here.config.traits.is_one_machine else "/projects")


def _text(check: NewcomerCheck, repository: str, branch: str) -> str:
    return check.new.added_to(check.file.plain, check.here, repository, branch)


def _take_back(home: Path, *, was_there: bool) -> None:
    """Leave no repository behind that nothing names."""
    if not was_there:
        shutil.rmtree(home, ignore_errors=True)


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
