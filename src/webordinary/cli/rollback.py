"""`webordinary rollback`: which releases are kept, and going back to one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.actions.known import QUEUES, require_project
from webordinary.actions.live_site import meant_release
from webordinary.cli.ask import accept_and_wait
from webordinary.cli.operate import ProjectArgument, confirm
from webordinary.cli.options import (
    FIFTEEN_MINUTES,
    ConfigOption,
    JsonOption,
    TimeoutOption,
    examples,
    open_installation,
    operator,
)
from webordinary.cli.output import print_json, print_table
from webordinary.intake import roll_back

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.engines.installation import Installation
    from webordinary.site.sites import Release

_SHORT = 12


def add_to(app: typer.Typer) -> None:
    """Give the program the way back."""
    app.command(
        rich_help_panel="The queue",
        epilog=examples("webordinary rollback amelia", "webordinary rollback amelia 1a2b3c4d5e6f --yes"),
    )(rollback)


def rollback(
    project: ProjectArgument,
    release: Annotated[
        str | None, typer.Argument(metavar="RELEASE", help="The release to go back to; without it they are listed.")
    ] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether it is meant.")] = False,
    timeout: TimeoutOption = FIFTEEN_MINUTES,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the releases of a site, or bring it back to one of them.

    Going back is a new change on top of what is live: the files of that release become one commit of the live branch,
    which is built, checked and published like any other. Nothing newer is lost, and it can be gone back to as well.
    The exit code says what came of it, as with `ask --wait`.
    """
    here = open_installation(config)
    found = require_project(here, project)
    if release is None:
        _show(here, project, here.engine.sites.releases(project), as_json=as_json)
        return
    wanted = meant_release(here, found, release)
    if not yes:
        _be_sure(project, wanted)
    job = roll_back(found, wanted.commit, operator(), here.clock)
    raise typer.Exit(accept_and_wait(here, job, QUEUES, timeout, as_json=as_json))


def _show(here: Installation, project: str, kept: Sequence[Release], *, as_json: bool) -> None:
    live = here.engine.sites.live(project)
    asked = {job.commit: job.subject for job in here.engine.overview.jobs() if job.commit}
    rows = [
        (each.commit, each.added_at.isoformat(timespec="seconds"), each.commit == live, asked.get(each.commit, ""))
        for each in kept
    ]
    if as_json:
        print_json([dict(zip(("release", "added_at", "live", "subject"), row, strict=True)) for row in rows])
        return
    shown = [(commit[:_SHORT], at, "live" if is_live else "", subject) for commit, at, is_live, subject in rows]
    print_table(("release", "since", "", "what"), shown, nothing=f"No releases of {project} are kept here.")


def _be_sure(project: str, release: Release) -> None:
    since = release.added_at.strftime("%Y-%m-%d %H:%M")
    confirm(
        f"Bring {project} back to {release.commit[:_SHORT]} of {since} UTC?",
        without_terminal=f"Nobody is there to ask whether {project} should go back; say --yes.",
    )
