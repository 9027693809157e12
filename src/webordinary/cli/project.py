"""`webordinary project`: bring a site in, list what there is, and check that it can be edited."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli import copy_site
from webordinary.cli.checks import print_checks
from webordinary.cli.history import add_to_projects
from webordinary.cli.options import (
    ConfigOption,
    JsonOption,
    config_path,
    examples,
    open_installation,
    read_configuration,
)
from webordinary.cli.output import print_json, print_table, say
from webordinary.config import Config, load_config, project_block, read_config, with_project
from webordinary.errors import Misconfigured, Refused, WebOrdinaryError
from webordinary.findings import Check, fail, ok, warn
from webordinary.routing.lane import check_id, is_id
from webordinary.routing.project import GitAccess, Project, is_local
from webordinary.site.targets.registry import TARGETS
from webordinary.values import Address, Command, Id

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation

app = typer.Typer(no_args_is_help=True, help="Bring sites in, list them and check them.")


def add_to(program: typer.Typer) -> None:
    """Give the program its projects."""
    add_to_projects(app)
    copy_site.add_to_projects(app)
    program.add_typer(app, name="project")


@dataclass(frozen=True, slots=True)
class _Wish:
    """What was typed about a new project."""

    id: str
    name: str | None
    source: str | None
    editors: list[tuple[str, str]]
    site_to: str | None
    url: str | None
    branch: str | None
    build: tuple[str, ...]
    output: str
    target: str
    # What the site's repository lets us in by, if it is not what `[git]` says.
    ssh_key: str | None = None
    host_keys: tuple[str, ...] = ()

    def access(self, git: GitAccess, folder: Path) -> GitAccess:
        """Return how its repository is reached."""
        if self.ssh_key is not None:
            git = replace(git, ssh_key_file=str(folder / self.ssh_key), ssh_key_variable=None, secret=None)
        return replace(git, host_keys=self.host_keys, known_hosts=None) if self.host_keys else git

    def block(self, repository: str, branch: str, *, templates: bool = False) -> str:
        return project_block(
            id=self.id,
            name=self.name,
            repository=repository,
            branch=branch,
            build=self.build,
            output=self.output,
            templates=templates,
            site_target=self.target,
            site_to=self.site_to,
            site_url=self.url,
            editors=self.editors,
            ssh_key_file=self.ssh_key,
            host_keys=self.host_keys,
        )


@app.command(
    epilog=examples(
        "webordinary project add amelia --from ./bakery --editor scott=scott@example.com",
        'webordinary project add amelia --from bakery.zip --name "Amelia\'s Bakery" --editor scott=scott@example.com',
        'webordinary project add flora --from https://git.example.com/flora.git --build "npm run build" --output dist',
    )
)
def add(  # noqa: PLR0913 - one argument for each option
    project: Annotated[str, typer.Argument(metavar="ID", help="Its name in addresses, such as amelia.")],
    *,
    name: Annotated[str | None, typer.Option("--name", help="The name that people read.")] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FOLDER|ZIP|REPOSITORY",
            help="The site as it is. Files without git are copied into a new repository; without --from there"
            " is one page to begin with.",
        ),
    ] = None,
    editor: Annotated[
        list[str] | None,
        typer.Option("--editor", metavar="USER=ADDRESS", help="Who may edit it; can be given several times."),
    ] = None,
    site_to: Annotated[Path | None, typer.Option("--site-to", help="The folder that it is published to.")] = None,
    url: Annotated[str | None, typer.Option("--url", help="Its public address, for links in answers.")] = None,
    branch: Annotated[
        str | None, typer.Option("--branch", help="The live branch; else the repository's own, or main.")
    ] = None,
    build: Annotated[str, typer.Option("--build", metavar="COMMAND", help="What builds it; none for plain HTML.")] = "",
    output: Annotated[str, typer.Option("--output", help="Where the built site lies in the repository.")] = ".",
    ssh_key: Annotated[
        Path | None, typer.Option("--ssh-key", metavar="FILE", help="The key for this repository alone, with SSH.")
    ] = None,
    host_key: Annotated[
        list[str] | None,
        typer.Option("--host-key", metavar="KEY", help="The public key of its server; can be given several times."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Bring an existing site in with one command, and write it into the configuration."""
    path = config_path(config)
    before = load_config(path, os.environ)
    wish = _Wish(
        id=check_id(project, "The id of a project"),
        name=name,
        source=source,
        editors=[_editor(each) for each in editor or ()],
        site_to=_as_written(site_to.expanduser().absolute(), before.path.parent) if site_to else None,
        url=url,
        branch=branch,
        build=_command(build),
        output=output,
        target=before.traits.own_target,
        ssh_key=_as_written(ssh_key.expanduser().absolute(), before.path.parent) if ssh_key else None,
        host_keys=tuple(host_key or ()),
    )
    _bring_in(wish, path, before)
    _show_first(path, project)


def _bring_in(wish: _Wish, path: Path, before: Config) -> None:
    """Make the repository and write the project down; when anything is wrong, nothing has changed."""
    from webordinary.cli.page_templates import page_template_of  # noqa: PLC0415 - heavy, and --help should be quick
    from webordinary.workspace.access import Access  # noqa: PLC0415 - heavy, and --help should be quick
    from webordinary.workspace.adopt import adopt  # noqa: PLC0415 - heavy, and --help should be quick

    text = path.read_text(encoding="utf-8-sig")
    home = before.data / "repositories" / f"{wish.id}.git"
    # Before anything is made: what was typed has to be right in itself.
    read_config(with_project(text, wish.block(str(home), wish.branch or "main")), path, os.environ)
    _refuse_own_folder(wish.source, before)
    git = wish.access(before.git, before.path.parent)
    secrets = open_installation(path).engine.secrets if git.secret else None
    title = wish.name or wish.id
    adopted = adopt(wish.source, home, branch=wish.branch, title=title, git=git, secrets=secrets)
    repository = adopted.repository
    page = page_template_of(Access(repository, git, secrets), adopted.branch)
    if is_local(repository):
        repository = _as_written(Path(repository), before.path.parent)
    added = with_project(text, wish.block(repository, adopted.branch, templates=page is not None))
    read_config(added, path, os.environ)
    _replace_text(path.resolve(), added)
    if page is not None:
        say(f"Its pages are templates, such as {page}: `templates = true` lets mails change them.")


def _editor(text: str) -> tuple[str, str]:
    user, separator, address = text.partition("=")
    if not separator:
        raise typer.BadParameter(f"--editor: {text!r} must be USER=ADDRESS, such as scott=scott@example.com.")
    try:
        return Id.read(user.strip()), Address.read(address.strip())
    except ValueError as problem:
        # Said here and not with the line of a file that nobody has written yet.
        part = "USER" if not is_id(user.strip()) else "ADDRESS"
        raise typer.BadParameter(f"--editor {text}: {part} {problem}.") from None


def _command(text: str) -> tuple[str, ...]:
    try:
        return tuple(Command.read(text))
    except ValueError as error:
        raise typer.BadParameter(f"The build command {error}.") from None


def _as_written(path: Path, folder: Path) -> str:
    """Write a place as short as it can be: relative to the configuration, if it lies beside or below it."""
    if path.is_relative_to(folder):
        short = str(path.relative_to(folder))
        return short if is_local(short) and not short.startswith(("~", "-")) else str(path)
    return str(path)


def _refuse_own_folder(source: str | None, config: Config) -> None:
    place = Path(source).expanduser().absolute() if source is not None and is_local(source) else None
    if place is not None and config.data.resolve().is_relative_to(place.resolve()):
        raise Refused(f"{source} holds the data of this installation; name the folder of the site itself.")


def _replace_text(path: Path, text: str) -> None:
    """Write the configuration anew, so that nobody ever reads half of it."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as draft:
        draft.write(text)
    shutil.copymode(path, draft.name)
    Path(draft.name).replace(path)


def _show_first(config: Path, name: str) -> None:
    """Show the site as it is now, and say how to go on."""
    from webordinary.cli.release import publish_first  # noqa: PLC0415 - heavy

    here = open_installation(config)
    project = here.config.find_project(name)
    if project is None:
        raise Misconfigured(f"{config} was changed by somebody else meanwhile; look whether {name} is in it.")
    say(f"{name} is in {config}, its repository is {project.shown_repository}.", "bold")
    try:
        publish_first(here, project)
        say(f"The site as it is now is in {_place(project)} and will be shown at {here.live_address(project)}.")
    except WebOrdinaryError as problem:
        why = str(problem).rstrip(".")
        say(f"It could not be built yet: {why}. `webordinary project check {name}` tries again.", "yellow")
    if not project.editors:
        say("Nobody may edit it yet; add a [[project.editor]] to the configuration.", "yellow")
    for editor in project.editors:
        say(f"{editor.address} can write to {name}@{here.config.domain}.")
    if here.config.traits.is_one_machine:
        say("A `webordinary serve` that runs already serves it at once.")
    else:
        say(f"`webordinary aws onboard {name} --test` makes it known there and sends it a first mail.")


def _place(project: Project) -> str:
    with TARGETS.answering(project.site.target) as target:
        return target.describe(project.site)


@app.command(epilog=examples("webordinary project publish amelia"))
def publish(
    project: Annotated[str, typer.Argument(metavar="ID", help="The project.")],
    *,
    config: ConfigOption = None,
) -> None:
    """Show the live branch as it is, if nothing of the site is shown yet."""
    from webordinary.cli.release import publish_first  # noqa: PLC0415 - heavy

    here = open_installation(config)
    found = here.config.find_project(project)
    if found is None:
        raise Refused(f"There is no project {project}; `webordinary project list` shows them.")
    if publish_first(here, found):
        say(f"The site as it is now is shown at {here.live_address(found)}.")
    else:
        say(f"The site is shown already at {here.live_address(found)}.")


@app.command("list", epilog=examples("webordinary project list", "webordinary project list --json"))
def list_all(*, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the projects with their editors, repositories and places."""
    found = read_configuration(config).projects
    if as_json:
        print_json([_record(each) for each in found])
        return
    rows = [
        (each.id, each.name, ", ".join(x.user for x in each.editors), each.shown_repository, each.branch, _place(each))
        for each in found
    ]
    nothing = "There is no project yet; `webordinary project add` brings one in."
    print_table(("project", "name", "editors", "repository", "branch", "published to"), rows, nothing)


def _record(project: Project) -> dict[str, object]:
    return {
        "id": project.id,
        "name": project.name,
        "repository": project.shown_repository,
        "branch": project.branch,
        "build": list(project.build),
        "output": project.output,
        "site": {"target": project.site.target, "to": project.site.to, "url": project.site.url},
        "editors": [{"user": each.user, "address": each.address} for each in project.editors],
    }


@app.command(epilog=examples("webordinary project check", "webordinary project check amelia"))
def check(
    project: Annotated[str | None, typer.Argument(metavar="ID", help="One project; all if it is left out.")] = None,
    *,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check that repositories can be reached, that the live branch can be built, and that the agent can start."""
    here = open_installation(config)
    wanted = [each for each in here.config.projects if project in {None, each.id}]
    if not wanted:
        raise Refused(f"There is no project {project or 'yet'}; `webordinary project list` shows them.")
    if print_checks(_all_checks(here, wanted), as_json=as_json):
        raise typer.Exit(1)


def _all_checks(here: Installation, projects: Sequence[Project]) -> Iterator[Check]:
    from webordinary.cli.doctor.agent import check_agents  # noqa: PLC0415 - heavy

    for project in projects:
        yield from _checks(here, project)
    yield from check_agents(here.config, projects)


def _checks(here: Installation, project: Project) -> Iterator[Check]:
    from webordinary.cli.page_templates import check_templates  # noqa: PLC0415 - heavy
    from webordinary.cli.release import built  # noqa: PLC0415 - heavy
    from webordinary.workspace.adopt import commit_of  # noqa: PLC0415 - heavy

    if not project.editors:
        yield warn(project.id, "nobody may edit it: add a [[project.editor]] to the configuration")
    try:
        commit = commit_of(project, here.engine.secrets)
    except WebOrdinaryError as problem:
        yield fail(project.id, str(problem))
        return
    if commit is None:
        yield fail(project.id, f"there is no branch {project.branch} in {project.shown_repository}: correct `branch`")
        return
    yield ok(project.id, f"the branch {project.branch} is at {commit[:9]}")
    yield from check_templates(project, here.engine.secrets)
    try:
        with built(here, project) as release:
            count = sum(1 for file in release.folder.rglob("*") if file.is_file())
            yield _judge_output(project, release.folder, count)
    except WebOrdinaryError as problem:
        details = getattr(problem, "details", "")
        yield fail(
            project.id, f"{problem}{f' ({details.splitlines()[-1]})' if details else ''}: correct `build` or `output`"
        )


def _judge_output(project: Project, folder: Path, count: int) -> Check:
    if not (folder / "index.html").is_file():
        return warn(project.id, f"it builds to {count} files, but none is index.html: is `output` right?")
    return ok(project.id, f"it builds to {count} files")
