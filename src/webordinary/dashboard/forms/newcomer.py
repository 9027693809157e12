"""A project that is about to be added: what was typed in each step, and whether it holds."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from webordinary.config import project_block, with_project
from webordinary.dashboard.forms.trial import try_build
from webordinary.errors import Misconfigured, Refused, WebOrdinaryError
from webordinary.findings import Check, fail, ok, warn
from webordinary.routing.project import is_local
from webordinary.values import Address, Command, Id, Repository
from webordinary.workspace.access import Access
from webordinary.workspace.adopt import head_of
from webordinary.workspace.git import branch_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from webordinary.config.file import ConfigText
    from webordinary.engines.installation import Installation

_LONGEST = 2_000
_PLACE = re.compile(r"^.*?, line \d+: ", re.DOTALL)
STEPS = ("repository", "build", "address", "editor")


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Everything that was typed; what is empty is as `webordinary project add` would leave it."""

    id: str = ""
    name: str = ""
    group: str = ""
    repository: str = ""
    branch: str = ""
    build: str = ""
    output: str = ""
    templates: str = ""
    url: str = ""
    user: str = ""
    address: str = ""

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> Newcomer:
        return cls(**{each.name: form.get(each.name, "").strip()[:_LONGEST] for each in fields(cls)})

    def items(self) -> Iterator[tuple[str, str]]:
        return ((each.name, getattr(self, each.name)) for each in fields(self))

    @property
    def is_begun_here(self) -> bool:
        """Whether it has no repository yet and gets one with a first page."""
        return not self.repository

    def added_to(self, text: str, here: Installation, repository: str, branch: str) -> str:
        """Return the configuration with the project at its end."""
        block = project_block(
            id=self.id,
            name=self.name or None,
            group=self.group or None,
            repository=repository,
            branch=branch,
            build=Command.read(self.build),
            output=self.output or ".",
            templates=bool(self.templates),
            site_target=here.config.traits.own_target,
            site_url=self.url or None,
            editors=[(self.user, self.address)] if self.user or self.address else (),
        )
        return with_project(text, block)


@dataclass(frozen=True, slots=True)
class NewcomerCheck:
    """Looks at one step after the other; each look says what it found."""

    here: Installation
    file: ConfigText
    new: Newcomer

    def look_up_to(self, step: str) -> Sequence[Check]:
        """Look at a step and at all before it."""
        done = STEPS[: STEPS.index(step) + 1]
        return [Check(each, found.finding, found.says) for each in done for found in self.look(each)]

    def try_build(self) -> Sequence[Check]:
        """Build it as a worker would; what has no repository yet has nothing to build."""
        if self.new.is_begun_here:
            return ()
        try:
            text = self.new.added_to(self.file.plain, self.here, self.new.repository, self.branch())
            return try_build(self.file.path, text, self.new.id)
        except WebOrdinaryError as problem:
            return [fail("build", str(problem))]

    def look(self, step: str) -> Sequence[Check]:
        looks: Mapping[str, Callable[[], Iterator[Check]]] = {
            "repository": self._repository,
            "build": self._build,
            "address": self._address,
            "editor": self._editor,
        }
        try:
            return [*looks[step](), *self._whole()]
        except WebOrdinaryError as problem:
            return [fail(step, str(problem))]
        except ValueError as problem:
            return [fail(step, f"this {problem}")]

    def branch(self) -> str:
        """Return the live branch: what was typed, else what the repository itself calls its main one."""
        if self.new.is_begun_here:
            return self.new.branch or "main"
        return self.new.branch or head_of(self._place(), self.here.config.git, self.here.engine.secrets)

    def _repository(self) -> Iterator[Check]:
        _read(Id.read, self.new.id, "the short name")
        if self.here.config.find_project(self.new.id) or self.here.engine.projects.find(self.new.id):
            raise Refused(f"There is a project {self.new.id} already; choose another short name.")
        if self.new.is_begun_here:
            yield ok("repository", "a new repository with one page is made for it")
            return
        _read(Repository.read, self.new.repository, "the repository")
        branch = self.branch()
        access = Access(self._place(), self.here.config.git, self.here.engine.secrets)
        commit = branch_at(access, branch)
        if commit is None:
            raise Refused(f"The repository has no branch {branch}; name the branch that is live.")
        yield ok("repository", f"it can be reached, and its branch {branch} is at {commit[:9]}")

    def _build(self) -> Iterator[Check]:
        words = _read(Command.read, self.new.build, "the build command")
        if not words:
            yield ok("build", "without a command the files of the repository are the site")
        else:
            yield ok("build", f"{words[0]} is run in the sandbox, without a shell")

    def _address(self) -> Iterator[Check]:
        taken = {self.here.live_address(each).rstrip("/"): each.id for each in self.here.engine.projects.all()}
        if (other := taken.get(self.new.url.rstrip("/"))) is not None and self.new.url:
            raise Refused(f"{self.new.url} is the address of {other} already.")
        yield ok("address", f"editors write to {self.new.id}@{self.here.config.domain}, which is free")

    def _editor(self) -> Iterator[Check]:
        if not self.new.user and not self.new.address:
            yield warn("editor", "nobody may edit it until somebody is added")
            return
        _read(Id.read, self.new.user, "the editor's short name")
        _read(Address.read, self.new.address, "the editor's address")
        others = [each.id for each in self.here.engine.projects.all() if each.editor_by_address(self.new.address)]
        also = f", as well as {', '.join(others[:5])}" if others else ""
        yield ok("editor", f"{self.new.address} may edit it{also}")

    def _whole(self) -> Iterator[Check]:
        """Read the whole file as it would be: what clashes with others is found there."""
        branch = self.new.branch or "main"
        try:
            self.file.check(self.new.added_to(self.file.plain, self.here, self._written(), branch), os.environ)
        except Misconfigured as problem:
            raise Refused(_PLACE.sub("", str(problem))) from None
        yield from ()

    def _place(self) -> str:
        """Return the repository as git is asked for it; a folder has to be named whole."""
        if is_local(self.new.repository) and not self.new.repository.startswith("/"):
            raise Refused("Name a folder with its whole path, or the address of a repository.")
        return self.new.repository

    def _written(self) -> str:
        return self.new.repository or str(self.home)

    @property
    def home(self) -> os.PathLike[str]:
        """Where a repository that is made here lies."""
        return self.here.config.data / "repositories" / f"{self.new.id}.git"


def _read(read: Callable[[object], object], text: str, what: str) -> tuple[str, ...]:
    try:
        found = read(text)
    except ValueError as problem:
        raise Refused(f"{what[:1].upper()}{what[1:]} {problem}.") from None
    return found if isinstance(found, tuple) else (str(found),)
