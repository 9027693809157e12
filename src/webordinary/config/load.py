"""From a file and the environment to one frozen configuration."""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from webordinary.config.amazon import with_engine_defaults
from webordinary.config.check import check, check_places
from webordinary.config.doors import doors_of
from webordinary.config.environment import read_overrides
from webordinary.config.git import access_of
from webordinary.config.projects import make_projects
from webordinary.config.shape import File
from webordinary.config.source import Source
from webordinary.config.traits import TRAITS
from webordinary.errors import Misconfigured
from webordinary.jobs.limits import Limits
from webordinary.jobs.retention import Lifetimes
from webordinary.routing.project import FOLDER
from webordinary.values import read_path, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from webordinary.config.agent import AgentChoice
    from webordinary.config.dashboard import Dashboard
    from webordinary.config.doors import ConfiguredDoor
    from webordinary.config.environment import Override
    from webordinary.config.figures import TelemetrySection
    from webordinary.config.oauth import OauthSection
    from webordinary.config.outgoing import Outgoing
    from webordinary.config.shape import (
        Agency,
        Aws,
        EngineKind,
        KeepingSection,
        Logs,
        Mail,
        Media,
        PicturesSection,
        Preview,
        SandboxSection,
        Workers,
    )
    from webordinary.engine import Traits
    from webordinary.oauth.login import Login
    from webordinary.routing.project import GitAccess, Project
    from webordinary.worker.hooks.hook import Webhook

D = TypeVar("D")
_AT_LINE = re.compile(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """One installation: everything that was written down, checked and with its defaults filled in."""

    path: Path
    domain: str
    data: Path
    engine: EngineKind
    timezone: str
    language: str
    demo: bool
    agency: Agency
    oauth: tuple[OauthSection, ...]
    doors: tuple[ConfiguredDoor, ...]
    mail: Mail
    media: Media
    outgoing: Outgoing
    aws: Aws
    workers: Workers
    agent: AgentChoice
    sandbox: SandboxSection
    git: GitAccess
    preview: Preview
    pictures: PicturesSection
    dashboard: Dashboard
    logs: Logs
    telemetry: TelemetrySection
    retention: KeepingSection
    webhooks: tuple[Webhook, ...]
    projects: tuple[Project, ...]

    @property
    def traits(self) -> Traits:
        """Return what is true of the engine."""
        return TRAITS[self.engine]

    @property
    def limits(self) -> Limits:
        """Return the configured numbers of the dispatch protocol."""
        names = Limits.__dataclass_fields__.keys() & type(self.workers).__struct_fields__
        return Limits(**{name: getattr(self.workers, name) for name in names})

    @property
    def lifetimes(self) -> Lifetimes:
        """Return how long rows of ended work are kept."""
        return Lifetimes(**{name: getattr(self.retention, name) for name in Lifetimes.__dataclass_fields__})

    @property
    def mark(self) -> str:
        """Return what this installation says of itself at its doors, so that two on one machine are told apart."""
        return hashlib.sha256(str(self.data.resolve()).encode(errors="replace")).hexdigest()[:12]

    @property
    def site_folders(self) -> dict[str, Path]:
        """Return each project's folder on this machine; one that is published elsewhere has only previews here."""
        return {
            project.id: Path(project.site.to) if project.site.target == FOLDER else self.data / "sites" / project.id
            for project in self.projects
        }

    def find_doors(self, options: type[D]) -> list[D]:
        """Find the options of the doors of one built-in kind, by the class of them."""
        return [each.options for each in self.doors if isinstance(each.options, options)]

    def find_login(self, name: str) -> Login | None:
        """Find a login at a mail provider by its name."""
        return next((each.login for each in self.oauth if each.name == name), None)

    def find_project(self, name: str) -> Project | None:
        """Find a project by its id."""
        return next((project for project in self.projects if project.id == name), None)


def load_config(path: Path, environ: Mapping[str, str]) -> Config:
    """Read the file and the variables, or refuse them with the line that is wrong."""
    return read_config(_read_text(path), path, environ)


def find_config(path: Path, environ: Mapping[str, str]) -> Config:
    """Read the file, or the variables alone where there is none and they choose AWS: a container has no file."""
    if environ.get("WEBORDINARY_ENGINE") == "aws" and not path.exists():
        return read_config("", path, environ)
    return load_config(path, environ)


def config_of_surroundings(environ: Mapping[str, str]) -> Config:
    """Read the file that the variables name, or the variables alone where there is no file: in a function of AWS."""
    if named := environ.get("WEBORDINARY_CONFIG"):
        return load_config(Path(named), environ)
    return read_config("", Path("webordinary.toml"), environ)


def read_config(text: str, path: Path, environ: Mapping[str, str]) -> Config:
    """Read a configuration that is not, or not yet, what stands in the file."""
    overrides = read_overrides(environ)
    source = Source(path, text, {override.path: override.variable for override in overrides})
    data = with_engine_defaults(_with_overrides(_parse(text, path), overrides), environ)
    file = _convert(data, source)
    check(file, source)
    return _assemble(file, source)


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        why = f"There is no configuration at {path}; run `webordinary init`, or name another file."
    except UnicodeDecodeError as error:
        why = f"{path} is not UTF-8 text (byte {error.start}); save it as UTF-8."
    except OSError as error:
        why = f"{path} cannot be read: {error.strerror}."
    raise Misconfigured(why)


def _parse(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _AT_LINE.fullmatch(str(error))
        line = found[2] if found and found[2] else text.rstrip().count("\n") + 1
        reason = found[1] if found else str(error)
        why = f"{path}, line {line}: this is not TOML: {reason[:1].lower()}{reason[1:]}."
    except RecursionError:
        why = f"{path}: this is not a configuration: its lists are nested too deep."
    raise Misconfigured(why)


def _with_overrides(data: dict[str, Any], overrides: Iterable[Override]) -> dict[str, Any]:
    for override in overrides:
        *tables, name = override.path
        place: object = data
        for table in tables:
            place = place.setdefault(table, {}) if isinstance(place, dict) else None
        if isinstance(place, dict):
            place[name] = override.value
    return data


def _convert(data: dict[str, Any], source: Source) -> File:
    try:
        return msgspec.convert(data, File, dec_hook=_read_value)
    except msgspec.ValidationError as error:
        raise source.explain(error) from None


def _read_value(kind: type[Any], value: object) -> object:
    """Read one value that is more than a plain text or number; what it raises gets its place from msgspec."""
    return read_path(text_of(value)) if kind is Path else kind.read(value)


def _assemble(file: File, source: Source) -> Config:
    folder = source.path.absolute().parent
    projects = make_projects(file, folder)
    check_places(projects, source)
    return Config(
        path=source.path.absolute(),
        domain=str(file.domain),
        data=folder / file.data,
        engine=file.engine,
        timezone=str(file.timezone),
        language=str(file.language),
        demo=file.demo,
        agency=file.agency,
        oauth=tuple(each.inside(folder) for each in file.oauth),
        doors=doors_of(file, folder),
        mail=file.mail,
        media=file.media,
        outgoing=file.outgoing.inside(folder),
        aws=file.aws,
        workers=file.workers,
        agent=file.agent.inside(folder),
        sandbox=file.sandbox,
        git=access_of(file.git, file.git, folder),
        preview=file.preview,
        pictures=file.pictures,
        dashboard=file.dashboard.inside(folder),
        logs=file.logs,
        telemetry=file.telemetry,
        retention=file.retention,
        webhooks=tuple(each.hook(folder) for each in file.webhook),
        projects=projects,
    )
