"""The program: all commands together, and what a person sees of every error."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli.options import ConfigOption, examples
from webordinary.cli.output import say, say_error
from webordinary.errors import Misconfigured, WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import TypeAlias

    # By family, its commands, each with its line and its panel in the help of the program.
    Listed: TypeAlias = dict[str, dict[str, tuple[str, str | None]]]

FAILED = 1
MISCONFIGURED = 2
BROKEN = 70
INTERRUPTED = 130

# The modules of the commands, in the order of the help.
FAMILIES = (
    "setup.command",
    "init",
    "plan",
    "workers",
    "dashboard",
    "deliver",
    "imap",
    "mailbox",
    "ask",
    "show",
    "token",
    "explain",
    "replay",
    "held",
    "operate",
    "decide",
    "answer",
    "rollback",
    "digest",
    "budget",
    "project",
    "doctor.command",
    "aws.commands",
    "password",
    "person",
    "backup",
    "demo.command",
)
LISTED = Path(__file__).with_name("listed.json")


def _show_version(wanted: bool) -> None:
    from importlib import metadata  # noqa: PLC0415 - heavy, and --help should be quick

    if wanted:
        try:
            say(f"webordinary {metadata.version('webordinary')}")
        except metadata.PackageNotFoundError:
            say("webordinary, run from its source without being installed")
        raise typer.Exit


def _webordinary(
    *,
    config: ConfigOption = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """A mail comes in, a website is changed, an answer goes out."""


def program_of(families: Collection[str] = FAMILIES, listed: Listed | None = None) -> typer.Typer:
    """Return the program with these families of commands; those of the others are only listed, and not imported."""
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
    app.callback()(_webordinary)
    for family in families:
        import_module(f"webordinary.cli.{family}").add_to(app)
    for family, commands in (listed or {}).items():
        if family not in families:
            for name, (line, panel) in commands.items():
                app.command(name, help=line, rich_help_panel=panel)(_never_called)
    return app


def _never_called() -> None:
    """Stand in the help for a command that was not typed."""


def program_for(arguments: Iterable[str]) -> typer.Typer:
    """Return the program for what was typed: all families together take half a second to import, one a fraction."""
    listed: Listed = json.loads(LISTED.read_bytes())
    typed = set(arguments)
    wanted = [family for family in FAMILIES if not typed.isdisjoint(listed.get(family, ()))]
    is_known = wanted or typed <= {"-h", "--help", "--version"}
    return program_of(wanted, listed) if is_known else program_of()


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
        program_for(arguments)(arguments, prog_name="webordinary")
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
