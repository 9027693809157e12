"""Brings the site in: a short name, and how it is built and shown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.setup.own_checks import checks_of
from webordinary.setup.plan import OwnCommand, StepPlan
from webordinary.setup.question import Inquiry, as_in_the_file
from webordinary.setup.step import SetupStep
from webordinary.setup.steps.site import KEY, is_ssh, source_of
from webordinary.values import Branch, Command, Id, InsidePath, Title, WebAddress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given


class ProjectStep(SetupStep):
    """The site as a project."""

    name = "project"
    title = "Bring it in"
    why = "The site gets a short name, which is also its mail address, and is built and shown as it is."

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:
        short = Inquiry("id", "What is its short name?", "such as amelia, for amelia@DOMAIN", as_in_the_file(Id))
        if _is_there(desk, given.get("id", "")):
            return (short,)
        return (short, *_ABOUT)

    def plan(self, desk: Desk, given: Given) -> StepPlan:
        if _is_there(desk, given["id"]):
            return StepPlan(tells=(f"{given['id']} is in {desk.path} already.",))
        site = desk.kept.answers("site")
        words = ["project", "add", given["id"]]
        options = {
            "--from": source_of(desk, site),
            "--name": given.get("name"),
            "--branch": given.get("branch"),
            "--build": given.get("build"),
            "--output": given.get("output"),
            "--url": given.get("url"),
            "--ssh-key": str(desk.data / "secrets" / KEY) if is_ssh_site(site) else None,
            "--host-key": site.get("host_key"),
        }
        for option, value in options.items():
            words += [f"{option}={value}"] if value else []
        place = site.get("place", "")
        forget = (ForgetUpload(Path(place)),) if desk.is_upload(place) else ()
        return StepPlan(deeds=(OwnCommand(words), *forget))

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:
        yield from checks_of(desk, ["project", "check", given["id"]], but=("agent", "agent settings", "prices"))


@dataclass(frozen=True, slots=True)
class ForgetUpload:
    """Removes what a browser has sent, when it is in the repository."""

    place: Path

    @property
    def says(self) -> str:
        return f"removes {self.place}, which was only sent for this"

    def carry_out(self, desk: Desk) -> str:  # noqa: ARG002 - it knows its place
        self.place.unlink(missing_ok=True)
        return ""


def is_ssh_site(site: Given) -> bool:
    return site.get("kind") == "git" and is_ssh(site.get("repository", ""))


def _is_there(desk: Desk, name: str) -> bool:
    config = desk.find_config()
    return config is not None and config.find_project(name) is not None


_ABOUT = (
    Inquiry("name", "Which name do people read?", "empty: the short one", as_in_the_file(Title), ""),
    Inquiry("build", "What builds it?", "such as npm run build; empty for plain HTML", as_in_the_file(Command), ""),
    Inquiry(
        "output", "Where does the built site lie in the repository?", "such as dist", as_in_the_file(InsidePath), "."
    ),
    Inquiry("branch", "Which branch is live?", "empty: the repository's own", as_in_the_file(Branch), ""),
    Inquiry(
        "url", "What is its public address?", "for links in answers; may stay empty", as_in_the_file(WebAddress), ""
    ),
)
