"""`webordinary doctor`: is everything there that is needed, and what to do if not."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from webordinary.agent.registry import AGENTS
from webordinary.cli.checks import print_checks
from webordinary.cli.doctor.agent import check_agents, check_keys
from webordinary.cli.doctor.aws import check_account, check_workers
from webordinary.cli.doctor.dashboard import check_dashboard
from webordinary.cli.doctor.elsewhere import check_doors, check_logins, check_senders, check_sites
from webordinary.cli.doctor.retention import check_retention
from webordinary.cli.options import ConfigOption, JsonOption, examples, read_configuration
from webordinary.config import Config, PicturesMode, SandboxMode
from webordinary.engines.kept_findings import keep_findings
from webordinary.engines.local_checks import check_data
from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, fail, ok, warn
from webordinary.setup.outgoing_check import check_outgoing

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.routing.project import Project

_CONFIGURATION = "configuration"
# As every other command says it.
_CORRECT_IT = 2
_OLDEST_PYTHON = (3, 11)
_OLDEST_GIT = (2, 38)
_LONGEST_LOOK = timedelta(seconds=20)


def add_to(app: typer.Typer) -> None:
    """Give the program its doctor."""
    app.command(epilog=examples("webordinary doctor", "webordinary doctor --json"))(doctor)


def doctor(*, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Check the machine, the configuration, mail, repositories and workers; say what to do about each."""
    failed = print_checks(_kept(_all(config), config), as_json=as_json)
    if failed:
        raise typer.Exit(_CORRECT_IT if any(each.name == _CONFIGURATION for each in failed) else 1)


def _kept(checks: Iterator[Check], path: Path | None) -> Iterator[Check]:
    """Pass on what is found, and leave it to the dashboard when everything was looked at."""
    done: list[Check] = []
    for check in checks:
        done.append(check)
        yield check
    with suppress(WebOrdinaryError):
        keep_findings(read_configuration(path).data, done, datetime.now(UTC))


def _all(path: Path | None) -> Iterator[Check]:
    yield _python()
    yield _git()
    try:
        config = read_configuration(path)
    except WebOrdinaryError as problem:
        yield fail(_CONFIGURATION, str(problem))
        return
    yield ok(_CONFIGURATION, f"{config.path}, {len(config.projects)} projects")
    yield check_data(config)
    yield from check_retention(config)
    yield from check_dashboard(config)
    yield from _sandboxes(config)
    yield from check_agents(config)
    yield _pictures(config)
    yield check_outgoing(config)
    yield from _installation(config)


def _python() -> Check:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < _OLDEST_PYTHON:
        return fail("python", f"{found} is too old: install 3.11 or newer")
    return ok("python", found)


def _git() -> Check:
    from webordinary.workspace.git import Git  # noqa: PLC0415 - heavy, and --help should be quick

    try:
        said = Git(Path.cwd(), repository=Path.cwd()).read("--version")
    except WebOrdinaryError as problem:
        return fail("git", f"{problem} (on Debian and Ubuntu: apt install git)")
    numbers = re.search(r"(\d+)\.(\d+)", said)
    if numbers is None or (int(numbers[1]), int(numbers[2])) < _OLDEST_GIT:
        return fail("git", f"{said} is too old: install 2.38 or newer")
    return ok("git", said.removeprefix("git version "))


def _sandboxes(config: Config) -> Iterator[Check]:
    """Try each sandbox that a project has."""
    modes = dict.fromkeys(str(project.sandbox or config.sandbox.mode) for project in config.projects)
    for mode in modes or (str(config.sandbox.mode),):
        mine = [project for project in config.projects if str(project.sandbox or config.sandbox.mode) == mode]
        found = _sandbox(config, SandboxMode(mode), mine)
        names = f" (for {', '.join(project.id for project in mine)})" if len(modes) > 1 else ""
        yield replace(found, says=f"{found.says}{names}")


def _sandbox(config: Config, mode: SandboxMode, projects: Sequence[Project]) -> Check:
    from webordinary.workspace.own_uid import whom  # noqa: PLC0415 - heavy
    from webordinary.workspace.sandbox import choose_sandbox  # noqa: PLC0415 - heavy

    kinds = {config.agent.over(project.agent).kind for project in projects} or {config.agent.kind}
    is_foreign = any(AGENTS.find(kind).is_foreign for kind in kinds)
    is_needed = is_foreign or any(project.build for project in projects)
    try:
        chosen = choose_sandbox(mode)
    except WebOrdinaryError as problem:
        return fail("sandbox", str(problem)) if is_needed else warn("sandbox", f"not needed yet. {problem}")
    if mode is SandboxMode.NONE:
        return warn("sandbox", f"none: builds and agents reach everything, as {whom()}; for trials only")
    if is_foreign and chosen.beyond_model:
        return warn(
            "sandbox", f"{chosen.name} is enough for builds, as {whom()}; an agent with a model needs bubblewrap"
        )
    return ok("sandbox", f"{chosen.name} is in force, builds and agents run as {whom()}")


def _pictures(config: Config) -> Check:
    from webordinary.site.screenshots.shot import NoBrowser, find_browser  # noqa: PLC0415 - heavy
    from webordinary.workspace.sandbox import SandboxKind, choose_sandbox  # noqa: PLC0415 - heavy

    if config.pictures.mode is PicturesMode.OFF:
        return ok("pictures", "off: answers say in words what changed")
    found = find_browser(config.pictures.browser)
    if isinstance(found, NoBrowser):
        return warn("pictures", f"answers show none: {found.why}; or set pictures.mode to off")
    try:
        sandbox = choose_sandbox(config.sandbox.mode)
    except WebOrdinaryError as problem:
        return warn("pictures", f"answers show none. {problem}")
    if sandbox.kind is SandboxKind.OWN_UID:
        return warn("pictures", "answers show none: a browser needs bubblewrap or Landlock, install bubblewrap")
    return ok("pictures", f"answers show changed pages, taken by {found}")


def _installation(config: Config) -> Iterator[Check]:
    """Check what needs the engine to be open."""
    from webordinary.engines.installation import Installation  # noqa: PLC0415 - heavy

    try:
        here = Installation.open(config)
    except WebOrdinaryError as problem:
        yield fail(config.traits.store, str(problem))
        return
    yield from _stores(here)
    yield from _repositories(here)
    try:
        yield from (_workers(here) if config.traits.is_one_machine else [check_workers(here)])
        yield from _paused(here)
    except WebOrdinaryError as problem:
        yield fail("workers", str(problem))


def _stores(here: Installation) -> Iterator[Check]:
    config = here.config
    if config.traits.is_one_machine:
        yield _database(here)
    else:
        yield from check_account(config)
    yield from check_keys(here)
    yield from check_logins(here)
    yield from check_doors(here)
    yield from check_senders(config)
    yield from check_sites(config)


def _database(here: Installation) -> Check:
    store = here.config.traits.store
    examined = here.engine.overview.examine(_LONGEST_LOOK)
    if examined.damage is not None:
        return fail(store, f"it is damaged ({examined.damage}): stop `serve` and restore a backup")
    known = f"SQLite {'.'.join(version('apsw').split('.')[:3])}"
    if not examined.is_complete:
        seconds = _LONGEST_LOOK.total_seconds()
        return ok(store, f"{known}, nothing is damaged in what could be looked at in {seconds:.0f} s")
    return ok(store, f"{known}, nothing is damaged")


def _paused(here: Installation) -> Iterator[Check]:
    for each in here.engine.overview.paused():
        todo = f"`webordinary resume {each.project}` lets it go on"
        yield warn("project", f"{each.project} is paused ({each.reason}): {todo}")


def _repositories(here: Installation) -> Iterator[Check]:
    from webordinary.cli.page_templates import check_templates  # noqa: PLC0415 - heavy
    from webordinary.workspace.adopt import commit_of, may_write  # noqa: PLC0415 - heavy

    config, secrets = here.config, here.engine.secrets
    if not config.projects:
        yield warn("projects", "there is none: `webordinary project add` brings a site in")
    for project in config.projects:
        try:
            # On AWS the row is what workers know: onboarding has put the secret's name there.
            known = here.engine.projects.find(project.id) or project
            commit = commit_of(known, secrets)
            may_write(known, secrets)
        except WebOrdinaryError as problem:
            yield fail(project.id, str(problem))
            continue
        shown = project.shown_repository
        if commit is None:
            yield fail(project.id, f"{shown} has no branch {project.branch}: correct `branch`")
        else:
            yield ok(project.id, f"{shown}, {project.branch} at {commit[:9]}, may be written to")
            yield from _history(here, known, commit)
            yield from check_templates(known, secrets)


def _history(here: Installation, project: Project, commit: str) -> Iterator[Check]:
    """Say so if the live branch is not what visitors see."""
    from webordinary.actions.live_site import look_at_branch  # noqa: PLC0415 - heavy
    from webordinary.workspace.history import BranchState  # noqa: PLC0415 - heavy

    try:
        if here.engine.sites.live(project.id) in {None, commit}:
            return
        state = look_at_branch(here, project).state
    except WebOrdinaryError as problem:
        yield warn(project.id, f"whether {project.branch} goes on from what visitors see is not known: {problem}")
        return
    if state is BranchState.REWRITTEN:
        yield fail(
            project.id,
            f"{project.branch} was rewritten and does not go on from what visitors see, so nothing is published:"
            f" `webordinary project accept-history {project.id}` shows what it changes and makes it the live one",
        )
    elif state is BranchState.AHEAD:
        yield ok(project.id, f"what was pushed to {project.branch} goes live with the next mail, or by itself soon")


def _workers(here: Installation) -> Iterator[Check]:
    from webordinary.child import is_alive  # noqa: PLC0415 - heavy

    living = [each for each in here.engine.overview.workers() if is_alive(each.process)]
    if not living:
        yield warn("workers", "none runs: start them with `webordinary serve`")
        return
    now = here.clock.now().wall_at
    holding_back = [each for each in living if each.holds_back_until and each.holds_back_until > now]
    if holding_back:
        names = ", ".join(each.worker for each in holding_back)
        yield warn("workers", f"{names} hold back after errors of the database: look at the disk under `data`")
    else:
        yield ok("workers", f"{len(living)} alive")
