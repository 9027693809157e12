"""`webordinary deliver`: a mail from a file or from standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from webordinary.audit.entry import Entry, What
from webordinary.cli.options import ConfigOption, JsonOption, examples, open_installation
from webordinary.cli.paper import print_json, say
from webordinary.config.values import Address
from webordinary.errors import Refused
from webordinary.intake import LARGEST_MAIL

if TYPE_CHECKING:
    from webordinary.mail.inbox import Decision
    from webordinary.serve.assemble import Installation

_STANDARD_INPUT = "-"


def add_to(app: typer.Typer) -> None:
    """Give the program its simplest door."""
    app.command(
        epilog=examples(
            "webordinary deliver mail.eml",
            "webordinary deliver mail.eml --as scott@example.com",
            "webordinary deliver - --to amelia@edit.example.com < mail.eml",
        )
    )(deliver)


def deliver(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The mail with its headers, or - for standard input.")],
    *,
    as_address: Annotated[
        str | None,
        typer.Option("--as", metavar="ADDRESS", help="Who sent it, on your word; without it the mail is held."),
    ] = None,
    to: Annotated[
        list[str] | None,
        typer.Option("--to", metavar="RECIPIENT", help="Who it is for, instead of what the mail itself says."),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take in a mail and say what was decided, and why.

    The exit code is 0 for every mail that was taken in, also for one that is held or refused:
    a mail server that hands mails to this command must not tell a stranger what became of them.
    """
    from webordinary.doors.deliver import deliver as take_in  # noqa: PLC0415 - heavy

    vouched = _address(as_address) if as_address is not None else None
    recipients = tuple(_address(each) for each in to or ())
    here = open_installation(config)
    raw = _read(file)
    if len(raw) > LARGEST_MAIL:
        _refuse_size(here, file, vouched)
    mail, decision = take_in(here.intake, raw, as_address=vouched, recipients=recipients)
    if decision is None:
        raise Refused(f"The mail {mail} was lost before it could be decided; deliver it again.")
    if as_json:
        print_json(_record(mail, decision))
    else:
        say(f"{mail}: {_sentence(decision)}")


def _address(text: str) -> str:
    try:
        return str(Address.read(text))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _read(file: str) -> bytes:
    if file == _STANDARD_INPUT:
        return _read_some(sys.stdin.buffer)
    try:
        with Path(file).open("rb") as stream:
            return _read_some(stream)
    except OSError as error:
        raise Refused(f"{file} cannot be read ({error.strerror}): name a file that holds one mail.") from None


def _read_some(stream: BinaryIO) -> bytes:
    """Read no more than is needed to know that it is too much."""
    return stream.read(LARGEST_MAIL + 1)


def _refuse_size(here: Installation, file: str, vouched: str | None) -> None:
    why = f"larger than {LARGEST_MAIL // 1024 // 1024} MB: ask for a smaller photo"
    facts = {"door": "deliver", "sender": vouched or ""}
    here.engine.trail.record(Entry(What.MAIL_REFUSED, here.clock.now().wall_at, text=why, facts=facts))
    raise Refused(f"{'The mail' if file == _STANDARD_INPUT else file} is {why}; nothing was taken in.")


def _record(mail: str, decision: Decision) -> dict[str, str | None]:
    return {
        "mail": mail,
        "outcome": decision.outcome,
        "reason": decision.reason,
        "sender": decision.sender,
        "subject": decision.subject,
        "project": decision.project,
        "job": decision.job,
        "thread": decision.thread,
    }


def _sentence(decision: Decision) -> str:
    about = f" as {decision.job} of {decision.project}" if decision.job else ""
    return f"{decision.outcome}{about}" + (f", because {_inner(decision.reason)}" if decision.reason else "")


def _inner(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].rstrip(".")
