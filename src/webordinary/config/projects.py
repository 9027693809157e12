"""From the `[[project]]` tables to projects: names resolved, places made absolute, defaults filled in."""

from __future__ import annotations

from dataclasses import fields
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.config.git import access_of
from webordinary.config.traits import TRAITS
from webordinary.routing.lane import is_id
from webordinary.routing.project import (
    FOLDER,
    Budget,
    Editor,
    Project,
    Retention,
    Rules,
    SiteTarget,
    Size,
    is_local,
)
from webordinary.values import read_path

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.config.shape import BudgetSection, EditorSection, File, ProjectSection


def make_projects(file: File, folder: Path) -> tuple[Project, ...]:
    """Return the projects; relative places begin at the folder of the configuration file."""
    return tuple(_project(section, file, folder) for section in file.project)


def _project(section: ProjectSection, file: File, folder: Path) -> Project:
    rules = _rules(section, file)
    return Project(
        id=str(section.id),
        name=str(section.name or section.id),
        repository=_repository(section, folder),
        branch=str(section.branch),
        build=tuple(section.build),
        output=str(section.output),
        rules=rules,
        site=_site(section, file, folder),
        editors=tuple(_editor(editor, rules.language) for editor in section.editor),
        git=access_of(section.git, file.git, folder),
        agent=section.agent.settings(str(section.agent.kind or file.agent.kind), folder),
        sandbox=None if section.sandbox.mode is None else section.sandbox.mode.value,
        prices=tuple(each.price for each in file.price),
        group=None if section.group is None else str(section.group),
    )


def _repository(section: ProjectSection, folder: Path) -> str:
    repository = str(section.repository)
    return str(folder / read_path(repository)) if is_local(repository) else repository


def _site(section: ProjectSection, file: File, folder: Path) -> SiteTarget:
    site = section.site
    target = str(site.target or TRAITS[file.engine].own_target)
    if target != FOLDER:
        return site.elsewhere(target, folder)
    place = file.data / "sites" / section.id if site.to is None else read_path(site.to)
    return SiteTarget(target, str(folder / place), None if site.url is None else str(site.url))


def _editor(section: EditorSection, language: str) -> Editor:
    spoken = language if section.language is None else str(section.language)
    return Editor(str(section.user), str(section.address), spoken, section.default_instruction)


def _rules(section: ProjectSection, file: File) -> Rules:
    retention = section.retention
    idle_release = file.workers.idle_release if section.idle_release is None else section.idle_release
    return Rules(
        publish=section.publish,
        approvers=_approvers(section),
        answers=section.answers,
        on_new_thread=section.on_new_thread,
        allowed_paths=tuple(str(pattern) for pattern in section.allowed_paths),
        templates=section.templates,
        max_files=section.max_files,
        max_deleted_lines=section.max_deleted_lines,
        max_unexplained=section.max_unexplained,
        size=Size(section.size.files, section.size.megabytes, section.size.largest),
        budget=_budget(section.budget, file.budget),
        idle_release=_plain(idle_release),
        timezone=str(section.timezone or file.timezone),
        language=str(section.language or file.language),
        retention=Retention(_plain(retention.raw_mail), _plain(retention.interruptions), retention.releases),
    )


def _budget(own: BudgetSection, everybodys: BudgetSection) -> Budget:
    """Return what holds for one project: its own numbers, and those for all where it says nothing."""
    said = {each.name: getattr(own, each.name) for each in fields(Budget)}
    return Budget(**{name: getattr(everybodys, name) if mine is None else mine for name, mine in said.items()})


def _plain(duration: timedelta) -> timedelta:
    """Return a duration without the way it was written: a store keeps projects, and knows no such type."""
    return timedelta(seconds=duration.total_seconds())


def _approvers(section: ProjectSection) -> tuple[str, ...]:
    """Return addresses, whichever way the approvers are named."""
    addresses = {str(editor.user): str(editor.address) for editor in section.editor}
    return tuple(addresses[name] if is_id(name) else str(name) for name in section.approvers)
