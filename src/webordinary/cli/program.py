"""The program: all commands together, and what a person sees of every error."""

from __future__ import annotations

import sys
from importlib import metadata
from io import TextIOWrapper
from typing import Annotated

import typer

from webordinary.cli import (
    answer,
    ask,
    backup,
    budget,
    dashboard,
    decide,
    deliver,
    digest,
    explain,
    held,
    imap,
    init,
    mailbox,
    operate,
    password,
    person,
    plan,
    project,
    replay,
    rollback,
    show,
    token,
    workers,
)
from webordinary.cli.aws import commands as aws
from webordinary.cli.demo import command as demo
from webordinary.cli.doctor import command as doctor
from webordinary.cli.options import ConfigOption, examples
from webordinary.cli.output import say, say_error
from webordinary.errors import Misconfigured, WebOrdinaryError

FAILED = 1
MISCONFIGURED = 2
BROKEN = 70
INTERRUPTED = 130

app = typer.Typer(
    name="webordinary",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "webordinary demo                  see it work, in two minutes",
        "webordinary init                  begin an installation here",
        "webordinary project add amelia --from ./site --editor scott=scott@example.com",
        "webordinary serve                 run everything",
    ),
)


def _show_version(wanted: bool) -> None:
    if wanted:
        try:
            say(f"webordinary {metadata.version('webordinary')}")
        except metadata.PackageNotFoundError:
            say("webordinary, run from its source without being installed")
        raise typer.Exit


@app.callback()
def webordinary(
    *,
    config: ConfigOption = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """A mail comes in, a website is changed, an answer goes out."""


for family in (
    init,
    plan,
    workers,
    dashboard,
    deliver,
    imap,
    mailbox,
    ask,
    show,
    token,
    explain,
    replay,
    held,
    operate,
    decide,
    answer,
    rollback,
    digest,
    budget,
    project,
    doctor,
    aws,
    password,
    person,
    backup,
    demo,
):
    family.add_to(app)


def main() -> None:
    """Run the command that was typed; every error is one sentence and a code."""
    for stream in (sys.stdout, sys.stderr):
        # What a terminal cannot show is a question mark, not the end of the program.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    try:
        app(arguments, prog_name="webordinary")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if sys.flags.dev_mode and not isinstance(error, WebOrdinaryError):
            raise
        return _explain(error)
    return 0


def _explain(error: Exception) -> int:
    """Say in plain words what is wrong, and return what to exit with."""
    match error:
        case WebOrdinaryError():
            say_error(str(error))
            return MISCONFIGURED if isinstance(error, Misconfigured) else FAILED
        case OSError():
            say_error(f"{error.filename or 'The system'}: {error.strerror or error}.")
            return FAILED
        case _:
            say_error(f"WebOrdinary itself is broken here ({type(error).__name__}: {error}).")
            say_error("Please report it; the same command with PYTHONDEVMODE=1 in front shows where.")
            return BROKEN
