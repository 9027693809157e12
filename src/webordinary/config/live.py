"""The configuration of a program that runs: its projects follow the file, and a file that is broken changes nothing."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from webordinary.config.load import find_config, read_config
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from webordinary.config.load import Config
    from webordinary.routing.project import Project


class LiveConfig:
    """What the file says now, read again whenever it has changed; looking costs one question to the file system.

    Only the projects are meant to be taken from it. Everything else was used when the program started.
    """

    def __init__(self, config: Config, environ: Mapping[str, str] | None = None) -> None:
        self._config = config
        self._environ = os.environ if environ is None else environ
        self._seen = _looks_of(config.path)
        self._lock = threading.Lock()
        self.problem: str | None = None

    @property
    def config(self) -> Config:
        """The last configuration that could be read."""
        seen = _looks_of(self._config.path)
        with self._lock:
            if seen != self._seen:
                self._seen = seen
                self._read_again()
            return self._config

    @property
    def version(self) -> str:
        """A name for the state of the file that was looked at last."""
        return "-".join(map(str, self._seen))

    def _read_again(self) -> None:
        try:
            self._config = find_config(self._config.path, self._environ)
        except Misconfigured as problem:
            self.problem = str(problem)
        else:
            self.problem = None


class LiveProjects:
    """The projects as the file names them now."""

    def __init__(self, live: LiveConfig) -> None:
        self._live = live

    def all(self) -> Sequence[Project]:
        return self._live.config.projects

    def find(self, project: str) -> Project | None:
        return self._live.config.find_project(project)

    def find_by_address(self, address: str) -> Sequence[Project]:
        return [known for known in self.all() if known.editor_by_address(address)]

    def unwelcomed(self) -> Sequence[Project]:
        return self.all()

    def note_welcomed(self, project: str) -> None:
        """Nothing is noted: the outbox knows who was welcomed."""


class LiveSiteFolders(Mapping[str, "Path"]):
    """Each project's folder on this machine, by its id."""

    def __init__(self, live: LiveConfig) -> None:
        self._live = live

    def __getitem__(self, project: str) -> Path:
        return self._live.config.site_folders[project]

    def __iter__(self) -> Iterator[str]:
        return iter(self._live.config.site_folders)

    def __len__(self) -> int:
        return len(self._live.config.projects)


def copy_of(config: Config) -> Path:
    """Return where the last configuration that could be read is kept, for workers that start while it is broken."""
    return config.data / "webordinary.toml"


def keep_copy(config: Config) -> None:
    """Keep the file as it is now, readable for nobody else: passwords may stand in it."""
    if not config.path.exists():
        return
    draft = copy_of(config).with_suffix(f".{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(config.path.read_bytes())
    draft.replace(copy_of(config))


def read_or_copy(path: Path, copy: Path, environ: Mapping[str, str]) -> Config:
    """Read the file, or the copy where the file is broken; our supervisor tells people which line is wrong."""
    try:
        return find_config(path, environ)
    except Misconfigured:
        if not copy.exists():
            raise
        return read_config(copy.read_bytes().decode("utf-8-sig"), path, environ)


def _looks_of(path: Path) -> tuple[int, ...]:
    """Return what changes when a file does; nothing when there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino


def changed_projects(before: Config, after: Config) -> list[str]:
    """Say in words which projects are new, different or gone."""
    known, now = ({project.id: project for project in each.projects} for each in (before, after))
    told = [f"{name} is new" for name in now if name not in known]
    told += [f"{name} has changed" for name, project in now.items() if name in known and known[name] != project]
    return told + [f"{name} is gone" for name in known if name not in now]


def changed_sections(before: Config, after: Config) -> list[str]:
    """Return the names of everything else that has changed, for which the program has to be started again."""
    names = [each.name for each in fields(before) if each.name not in {"path", "projects", "doors"}]
    changed = [name for name in names if getattr(before, name) != getattr(after, name)]
    known, now = (Counter(f"{door.kind} {door.options}" for door in each.doors) for each in (before, after))
    # Each door has a section of its own.
    return changed + sorted({door.partition(" ")[0] for door in (known - now) + (now - known)})
