"""What an operator does to the queue: stop, repeat, set aside, pause and go on; each is written to the trail."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli.options import ConfigOption, examples, open_installation, operator
from webordinary.cli.output import say
from webordinary.errors import Refused
from webordinary.jobs.lanes import Stopped
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.routing.project import Project

JobArgument = Annotated[str, typer.Argument(metavar="JOB", help="The job's id.")]
LaneArgument = Annotated[str, typer.Argument(metavar="LANE", help="The lane, written PROJECT#USER.")]
ProjectArgument = Annotated[str, typer.Argument(metavar="PROJECT", help="The project's id.")]

_NO_REASON = "by hand"


def add_to(app: typer.Typer) -> None:
    """Give the program what changes the queue."""
    panel = "The queue"
    app.command(rich_help_panel=panel, epilog=examples("webordinary stop job-1a2b3c4d5e6f"))(stop)
    app.command(rich_help_panel=panel, epilog=examples("webordinary redrive job-1a2b3c4d5e6f"))(redrive)
    app.command(rich_help_panel=panel, epilog=examples("webordinary interrupt amelia#scott"))(interrupt)
    app.command(rich_help_panel=panel, epilog=examples("webordinary release amelia#scott"))(release)
    app.command(rich_help_panel=panel, epilog=examples('webordinary pause amelia --reason "moving the server"'))(pause)
    app.command(rich_help_panel=panel, epilog=examples("webordinary resume amelia"))(resume)
    app.command(rich_help_panel=panel, epilog=examples("webordinary forgive scott@example.com"))(forgive)


def forgive(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The person's mail address.")],
    config: ConfigOption = None,
) -> None:
    """Write to an address again whose mails came back."""
    here = open_installation(config)
    forgiven = here.engine.bounces.clear(address, operator(), here.clock.now())
    if not forgiven:
        raise Refused(f"No mail came back from {address}; `webordinary show bounces` shows what did.")
    say(f"{address} is written to again. Answers that were given up are not sent any more: `again` asks for them anew.")


def stop(job: JobArgument, config: ConfigOption = None) -> None:
    """End a job for good, whether it waits or runs; its sender is told."""
    here = open_installation(config)
    match here.engine.lanes.stop(job, operator(), here.clock.now()):
        case Stopped.ENDED:
            say(f"{job} is stopped; it will not run.")
        case Stopped.ASKED:
            say(f"{job} runs and was asked to stop; `webordinary show job {job}` tells when it has.")
        case Stopped.TOO_LATE:
            raise Refused(f"{job} is being published at this moment, which is too late to stop it.")
        case Stopped.OVER:
            raise Refused(f"{job} is over already; `webordinary show job {job}` tells how it ended.")


def redrive(job: JobArgument, config: ConfigOption = None) -> None:
    """Try a job again that failed, was stopped or was given up; as a new job that names the old one."""
    here = open_installation(config)
    again = here.engine.lanes.redrive(job, operator(), here.clock.now())
    say(f"{job} is tried again as {again}.")


def interrupt(lane: LaneArgument, config: ConfigOption = None) -> None:
    """Set aside what runs in a lane; it is resumed afterwards."""
    here = open_installation(config)
    found = here.engine.lanes.interrupt(_known(here, lane), operator(), here.clock.now())
    if found is None:
        raise Refused(f"Nothing runs in {lane} that could be set aside; `webordinary show lanes` shows what does.")
    say(f"{found} was asked to make way.")


def release(lane: LaneArgument, config: ConfigOption = None) -> None:
    """Take a lane from the worker that owns it, so that another one can have it; nothing is lost."""
    here = open_installation(config)
    owner = here.engine.lanes.release(_known(here, lane), operator(), here.clock.now())
    if owner is None:
        raise Refused(f"Nobody owns {lane}; `webordinary show lanes` shows who owns what.")
    say(f"{lane} was taken from {owner}.")


def pause(
    project: ProjectArgument,
    reason: Annotated[
        str, typer.Option("--reason", metavar="WORDS", help="Why; it is shown wherever the pause is.")
    ] = "",
    config: ConfigOption = None,
) -> None:
    """Let no job of a project start any more; mails go on being accepted and wait."""
    here = open_installation(config)
    _require_traces(here, project)
    if not here.engine.lanes.pause(project, f"{reason.strip() or _NO_REASON} ({operator()})", here.clock.now()):
        raise Refused(f"{project} is paused already; `webordinary resume {project}` ends that.")
    say(f"{project} is paused; `webordinary resume {project}` ends that.")


def resume(project: ProjectArgument, config: ConfigOption = None) -> None:
    """Let the jobs of a paused project start again."""
    here = open_installation(config)
    _require_traces(here, project)
    if not here.engine.lanes.resume(project, operator(), here.clock.now()):
        raise Refused(f"{project} is not paused.")
    say(f"{project} goes on.")


def _known(here: Installation, lane: str) -> str:
    key = Lane.parse(lane).key
    if here.engine.overview.lane(key, here.clock.now()) is None:
        raise Refused(f"There is no lane {lane}; `webordinary show lanes` shows them.")
    return key


def require_project(here: Installation, project: str) -> Project:
    """Return a project as the engine has it, or else the configuration; refuse a name that neither knows."""
    found = here.engine.projects.find(project) or here.config.find_project(project)
    if found is None:
        raise _no_project(project)
    return found


def confirm(question: str, *, without_terminal: str) -> None:
    """Ask the operator at the terminal; end the command when the answer is no, refuse it when nobody can be asked."""
    if not sys.stdin.isatty():
        raise Refused(without_terminal)
    if not typer.confirm(question):
        say("Nothing was changed.")
        raise typer.Exit(1)


def _require_traces(here: Installation, project: str) -> None:
    """Let pass what is configured, and what was: its jobs may still wait."""
    overview = here.engine.overview
    is_paused = any(each.project == project for each in overview.paused())
    if here.config.find_project(project) is None and not is_paused and not overview.has_lane(project):
        raise _no_project(project)


def _no_project(project: str) -> Refused:
    return Refused(f"There is no project {project}; `webordinary project list` shows them.")
