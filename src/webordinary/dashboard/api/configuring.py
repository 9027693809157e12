"""Programs that add projects and change rules: what they ask for is checked, shown, and written once it was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, structs

from webordinary.actions.known import require_project
from webordinary.actions.role import Role
from webordinary.config.edit import ProjectText
from webordinary.config.file import ChangedMeanwhile, ConfigText
from webordinary.dashboard.api.call import ApiCall, ApiRoute
from webordinary.dashboard.api.config_shapes import (
    CheckShape,
    ConfigLookShape,
    ConfigWrittenShape,
    EditorChanged,
    NewProjectLook,
    NewProjectLookShape,
    NewProjectWritten,
    RulesLook,
    RulesShape,
    RulesWritten,
)
from webordinary.dashboard.api.shapes import EditorShape
from webordinary.dashboard.forms.newcomer import STEPS, Newcomer, NewcomerCheck
from webordinary.dashboard.forms.rules import NEW, RULE_FIELDS, EditorFields, FormState, ProjectForm
from webordinary.dashboard.forms.writing import added_text, changed_text, how_it_goes_on, write_newcomer, write_rules
from webordinary.errors import Refused
from webordinary.findings import CheckLevel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from webordinary.dashboard.api.config_shapes import NewProject
    from webordinary.findings import Check


def look_at_project(call: ApiCall) -> NewProjectLookShape:
    """Check a step and all before it; behind the last one, show what would be written."""
    asked: NewProjectLook = call.body
    check = _newcomer(call, asked)
    found = [*check.look_up_to(asked.step)]
    if asked.try_build and _first_wrong(found) is None:
        found += check.try_build()
    holds = _first_wrong(found) is None
    look = None
    if holds and asked.step == STEPS[-1]:
        lines, after = check.file.differs_by(added_text(check)), how_it_goes_on(call.here, asked.id)
        look = ConfigLookShape(change=lines, mark=check.file.mark, after=after)
    checks = [CheckShape(step=each.name, level=each.finding.value, says=each.says) for each in found]
    return NewProjectLookShape(checks=checks, holds=holds, look=look)


def add_project(call: ApiCall) -> ConfigWrittenShape:
    """Add what was looked at; all of it is checked once more."""
    asked: NewProjectWritten = call.body
    check = _newcomer(call, asked)
    if wrong := _first_wrong(check.look_up_to(STEPS[-1])):
        raise Refused(f"{wrong.name}: {wrong.says}")
    lines = check.file.differs_by(added_text(check))
    try:
        write_newcomer(check, mark=asked.mark, by=call.viewer.name)
    except ChangedMeanwhile as problem:
        raise Refused(str(problem)) from None
    return ConfigWrittenShape(project=asked.id, change=lines, after=how_it_goes_on(call.here, asked.id))


def rules(call: ApiCall) -> RulesShape:
    project, said = _project(call), _said(call, _file(call))
    values = {each.key: each.said(said) for each in RULE_FIELDS}
    editors = [
        EditorShape(project=project, user=row.user, address=row.address, language=row.language)
        for row in FormState.of(said).editors
        if row.at != NEW
    ]
    return RulesShape(rules={key: value for key, value in values.items() if value is not None}, editors=editors)


def look_at_rules(call: ApiCall) -> ConfigLookShape:
    project, file = _project(call), _file(call)
    text = changed_text(file, project, _form(call, file))
    return ConfigLookShape(change=file.differs_by(text), mark=file.mark, after=how_it_goes_on(call.here, project))


def change_rules(call: ApiCall) -> ConfigWrittenShape:
    project, file = _project(call), _file(call)
    text = changed_text(file, project, _form(call, file))
    try:
        write_rules(call.here, file, text, project, mark=call.body.mark, by=call.viewer.name)
    except ChangedMeanwhile as problem:
        raise Refused(str(problem)) from None
    return ConfigWrittenShape(project=project, change=file.differs_by(text), after=how_it_goes_on(call.here, project))


def _newcomer(call: ApiCall, asked: NewProject) -> NewcomerCheck:
    given = {name: value for name, value in structs.asdict(asked).items() if isinstance(value, str)}
    new = Newcomer.typed({**given, "templates": "true" if asked.templates else ""})
    return NewcomerCheck(call.here, _file(call), new)


def _first_wrong(found: Sequence[Check]) -> Check | None:
    return next((each for each in found if each.finding is CheckLevel.FAIL), None)


def _project(call: ApiCall) -> str:
    return require_project(call.here, call.params["project"]).id


def _file(call: ApiCall) -> ConfigText:
    return ConfigText.read(call.here.config.path)


def _said(call: ApiCall, file: ConfigText) -> Mapping[str, Any]:
    return ProjectText(file.plain, call.params["project"]).said


def _form(call: ApiCall, file: ConfigText) -> ProjectForm:
    """Return the page's form, filled in by a program: what it does not name stays as the file says it."""
    said = _said(call, file)
    keys = {each.key.replace(".", "_"): each.key for each in RULE_FIELDS}
    given = structs.asdict(call.body.rules)
    values = {keys[name]: value for name, value in given.items() if value is not UNSET}
    rows = {row.at: row for row in FormState.of(said).editors}
    return ProjectForm.asked(said, values, [_row(each, rows) for each in call.body.editors])


def _row(asked: EditorChanged, rows: Mapping[str, EditorFields]) -> EditorFields:
    was = rows.get(asked.user, EditorFields(asked.user))
    address = was.address if asked.address is UNSET else asked.address.strip()
    language = was.language if asked.language is UNSET else asked.language.strip()
    return EditorFields(asked.user, asked.user, address, language, is_gone=asked.gone)


# A look takes no key: a kept one would show the file as it was.
CONFIGURING = (
    ApiRoute(method="POST", path="/projects/looks", name="look_at_project", handler=look_at_project, role=Role.AGENCY,
             tells="Check a project that is about to be added, step by step, and show what would be written.",
             answer=NewProjectLookShape, body=NewProjectLook),
    ApiRoute(method="POST", path="/projects", name="add_project", handler=add_project, answer=ConfigWrittenShape,
             role=Role.AGENCY, tells="Add a project to the configuration, as it was looked at.",
             body=NewProjectWritten, status=201, takes_key=True),
    ApiRoute(method="GET", path="/projects/{project}/rules", name="show_rules", handler=rules, answer=RulesShape,
             role=Role.AGENCY, tells="What the configuration says of a project.", params=("project",)),
    ApiRoute(method="POST", path="/projects/{project}/rules/looks", name="look_at_rules", handler=look_at_rules,
             role=Role.AGENCY, tells="What other rules and editors would change in the file; nothing is written.",
             answer=ConfigLookShape, body=RulesLook, params=("project",)),
    ApiRoute(method="POST", path="/projects/{project}/rules", name="change_rules", handler=change_rules,
             role=Role.AGENCY, tells="Write other rules and editors into the file, as they were looked at.",
             answer=ConfigWrittenShape, body=RulesWritten, takes_key=True, params=("project",)),
)  # fmt: skip
