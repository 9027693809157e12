"""Where the walk works: one configuration file, whether it exists yet or not, and what lies beside it."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from webordinary.config import load_config, read_config
from webordinary.config.file import ConfigText
from webordinary.engines.embedded.secrets import FileSecrets
from webordinary.errors import Misconfigured, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webordinary.config import Config
    from webordinary.engines.installation import Installation
    from webordinary.setup.kept import KeptWalk

_PLACE = re.compile(r"^.*?, line \d+: ", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command of ours ended."""

    code: int
    said: str
    complaint: str = ""


class RunOwn(Protocol):
    """Runs a command of our own program, with the configuration of the walk."""

    def __call__(self, words: Sequence[str], *, is_talk: bool) -> Ran: ...


@dataclass(frozen=True, slots=True)
class Desk:
    """One walk: its file, what was answered so far, and who runs commands for it."""

    path: Path
    kept: KeptWalk
    runner: RunOwn
    environ: Mapping[str, str]

    def run(self, words: Sequence[str], *, is_talk: bool = False) -> Ran:
        return self.runner([*words, "--config", str(self.path)], is_talk=is_talk)

    @property
    def folder(self) -> Path:
        return self.path.absolute().parent

    def file(self) -> ConfigText | None:
        """Return the configuration as it is written, or None where there is none yet."""
        return ConfigText.read(self.path) if self.path.exists() else None

    def text(self) -> str:
        found = self.file()
        if found is None:
            raise Misconfigured(
                f"There is no {self.path} yet; the step `mail` writes it: `webordinary setup --from mail`."
            )
        return found.plain

    def config(self) -> Config:
        """Return the configuration as it is now."""
        return load_config(self.path, self.environ)

    def find_config(self) -> Config | None:
        return self.config() if self.path.exists() else None

    def installation(self) -> Installation:
        from webordinary.engines.installation import Installation  # noqa: PLC0415 - heavy, and --list should be quick

        return Installation.open(self.config())

    def answer(self, step: str, key: str) -> str:
        """Return what was answered in an earlier step; nothing if it was not asked."""
        return self.kept.answers(step).get(key, "")

    @property
    def project(self) -> str:
        """The short name of the site that the walk is about; Refused if it is not there."""
        if (found := self.find_project()) is not None:
            return found
        raise Refused("There is no site yet; the step `project` brings it in: `webordinary setup --from project`.")

    def find_project(self) -> str | None:
        named = self.answer("project", "id")
        config = self.find_config()
        known = [project.id for project in config.projects] if config else []
        if named:
            return named if named in known else None
        return known[0] if known else None

    @property
    def data(self) -> Path:
        config = self.find_config()
        return config.data if config else self.folder / "data"

    def keep_upload(self, sent: Path, name: str) -> Path:
        """Keep a file that a browser has sent, in the place of the one before; return where."""
        folder = self.data / "uploads"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # A copy first: what was sent may lie on another disk.
        draft = Path(shutil.copyfile(sent, folder / f".{name}"))
        draft.chmod(0o600)
        return draft.replace(folder / name)

    def is_upload(self, place: str) -> bool:
        return Path(place).parent == self.data.absolute() / "uploads"

    def secret_place(self, name: str) -> str:
        """Return where a secret lies, as the configuration names it: relative to it, if it can be."""
        place = self.data / "secrets" / name
        return str(place.relative_to(self.folder)) if place.is_relative_to(self.folder) else str(place)

    def has_secret(self, name: str) -> bool:
        return FileSecrets(self.data).has(name)

    def keep_secret(self, name: str, content: str) -> None:
        FileSecrets(self.data).keep(name, content)

    def check(self, text: str) -> Config:
        """Read the configuration as it would be, or refuse it with what is wrong."""
        try:
            return read_config(text, self.path, self.environ)
        except Misconfigured as problem:
            raise Refused(_PLACE.sub("", str(problem))) from None

    def write(self, text: str) -> None:
        """Write the configuration, whole or not at all, and never over what somebody else has written meanwhile."""
        self.check(text)
        before = self.file()
        if before is not None:
            before.replace(text, self.environ)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            with os.fdopen(
                os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640), "w", encoding="utf-8"
            ) as file:
                file.write(text)
        except FileExistsError:
            raise Refused(f"{self.path} has just been made by somebody else; look at it, and go on.") from None
