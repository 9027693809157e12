"""`webordinary password`: the line that lets somebody log in at the mail listener."""

from __future__ import annotations

import getpass
import sys
from typing import Annotated

import typer

from webordinary.cli.options import examples
from webordinary.cli.output import say
from webordinary.errors import Refused
from webordinary.values import Address

_SHORTEST = 8


def add_to(app: typer.Typer) -> None:
    """Give the program its way to make users."""
    app.command(
        rich_help_panel="Mail",
        epilog=examples(
            "webordinary password scott@example.com >> users",
            "pass show bakery | webordinary password scott@example.com >> users",
        ),
    )(password)


def password(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The address that this person writes from.")],
) -> None:
    """Ask for a password and print the line for the file that `smtp.users` names; only a hash stands in it."""
    from webordinary.doors.users import Hashed  # noqa: PLC0415 - heavy, and --help should be quick

    try:
        who = Address.read(address)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    chosen = _ask_twice() if sys.stdin.isatty() else sys.stdin.readline().rstrip("\r\n")
    if len(chosen) < _SHORTEST:
        raise Refused(f"A password has at least {_SHORTEST} letters; choose a longer one.")
    say(f"{who}:{Hashed.of(chosen)}")


def _ask_twice() -> str:
    first = getpass.getpass("Password: ")
    if getpass.getpass("Once more: ") != first:
        raise Refused("The two passwords are not the same; try again.")
    return first
