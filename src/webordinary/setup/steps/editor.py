"""The first person who may edit the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.config.edit import ProjectText
from webordinary.findings import fail, ok
from webordinary.setup.plan import StepPlan
from webordinary.setup.question import Inquiry, as_in_the_file
from webordinary.setup.step import SetupStep
from webordinary.values import Address, Id, LanguageCode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given


class EditorStep(SetupStep):
    """The editor."""

    name = "editor"
    title = "Editor"
    why = "Only a person who is named here can change the site, and only by mail that is proven to be theirs."

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:  # noqa: ARG002 - always the same
        return (
            Inquiry("user", "What is the editor's short name?", "such as scott", as_in_the_file(Id)),
            Inquiry("address", "From which address does the editor write?", "", as_in_the_file(Address)),
            Inquiry(
                "language", "In which language are they answered?", "two letters; empty: the site's", _language, ""
            ),
        )

    def plan(self, desk: Desk, given: Given) -> StepPlan:
        values = {"address": given["address"], "language": given.get("language") or None}
        text = ProjectText(desk.text(), desk.project).with_editor(given["user"], values).text
        desk.check(text)
        return StepPlan(text)

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:
        config = desk.config()
        project = config.find_project(desk.project)
        if project is None or project.editor_by_address(given["address"]) is None:
            yield fail("editor", f"{given['address']} is no editor of {desk.project}")
        else:
            yield ok("editor", f"{given['address']} can write to {project.id}@{config.domain}")


def _language(text: str) -> str:
    return str(LanguageCode.read(text.lower()))
