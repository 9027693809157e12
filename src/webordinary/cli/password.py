"""`webordinary password`: the line that lets somebody log in at the mail listener, or sign in at the dashboard."""

from __future__ import annotations

import getpass
import sys
from typing import Annotated

import typer

from webordinary.cli.options import examples
from webordinary.cli.output import say
from webordinary.config.roles import Role
from webordinary.errors import Refused
from webordinary.values import Address, Id

_SHORTEST = 8


def add_to(app: typer.Typer) -> None:
    """Give the program its way to make users."""
    app.command(
        rich_help_panel="Mail",
        epilog=examples(
            "webordinary password scott@example.com >> users",
            "pass show bakery | webordinary password scott@example.com >> users",
            "webordinary password amy@example.com --role agency >> dashboard-users",
            "webordinary password scott@example.com --role client --project amelia >> dashboard-users",
        ),
    )(password)


def password(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The address that this person writes from.")],
    *,
    role: Annotated[
        Role | None, typer.Option(help="Print a line for `dashboard.users` instead: what this person may do there.")
    ] = None,
    project: Annotated[
        list[str] | None, typer.Option(metavar="PROJECT", help="A project that a client sees; can be given again.")
    ] = None,
) -> None:
    """Ask for a password and print the line for the file that `smtp.users` names; only a hash stands in it."""
    from webordinary.doors.passwords import Hashed  # noqa: PLC0415 - heavy, and --help should be quick

    try:
        who, projects = Address.read(address), tuple(map(Id.read, project or ()))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if bool(projects) != (role is Role.CLIENT):
        raise typer.BadParameter("a client needs at least one --project, and nobody else has any.")
    chosen = _ask_twice() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\r\n")
    if len(chosen) < _SHORTEST:
        raise Refused(f"A password has at least {_SHORTEST} letters; choose a longer one.")
    say(":".join(filter(None, (who, str(Hashed.of(chosen)), role or "", ",".join(projects)))))


def _ask_twice() -> str:
    first = getpass.getpass("Password: ")
    if getpass.getpass("Once more: ") != first:
        raise Refused("The two passwords are not the same; try again.")
    return first
