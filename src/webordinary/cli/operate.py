"""What an operator does to the queue: stop, repeat, set aside, pause and go on; each is written to the trail."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from webordinary.actions import mails, queue
from webordinary.cli.options import ConfigOption, examples, open_installation, operator
from webordinary.cli.output import say
from webordinary.errors import Refused

JobArgument = Annotated[str, typer.Argument(metavar="JOB", help="The job's id.")]
LaneArgument = Annotated[str, typer.Argument(metavar="LANE", help="The lane, written PROJECT#USER.")]
ProjectArgument = Annotated[str, typer.Argument(metavar="PROJECT", help="The project's id.")]


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
    say(mails.forgive(open_installation(config), address, operator()).at_terminal)


def stop(job: JobArgument, config: ConfigOption = None) -> None:
    """End a job for good, whether it waits or runs; its sender is told."""
    say(queue.stop(open_installation(config), job, operator()).at_terminal)


def redrive(job: JobArgument, config: ConfigOption = None) -> None:
    """Try a job again that failed, was stopped or was given up; as a new job that names the old one."""
    say(queue.redrive(open_installation(config), job, operator()).at_terminal)


def interrupt(lane: LaneArgument, config: ConfigOption = None) -> None:
    """Set aside what runs in a lane; it is resumed afterwards."""
    say(queue.interrupt(open_installation(config), lane, operator()).at_terminal)


def release(lane: LaneArgument, config: ConfigOption = None) -> None:
    """Take a lane from the worker that owns it, so that another one can have it; nothing is lost."""
    say(queue.release(open_installation(config), lane, operator()).at_terminal)


def pause(
    project: ProjectArgument,
    reason: Annotated[
        str, typer.Option("--reason", metavar="WORDS", help="Why; it is shown wherever the pause is.")
    ] = "",
    config: ConfigOption = None,
) -> None:
    """Let no job of a project start any more; mails go on being accepted and wait."""
    say(queue.pause(open_installation(config), project, operator(), reason).at_terminal)


def resume(project: ProjectArgument, config: ConfigOption = None) -> None:
    """Let the jobs of a paused project start again."""
    say(queue.resume(open_installation(config), project, operator()).at_terminal)


def confirm(question: str, *, without_terminal: str) -> None:
    """Ask the operator at the terminal; end the command when the answer is no, refuse it when nobody can be asked."""
    if not sys.stdin.isatty():
        raise Refused(without_terminal)
    if not typer.confirm(question):
        say("Nothing was changed.")
        raise typer.Exit(1)
