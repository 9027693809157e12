"""`webordinary deliver`: a mail from a file or from standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from webordinary.actions.mails import sentence_about
from webordinary.audit.entry import Entry, EventType
from webordinary.cli.options import ConfigOption, JsonOption, examples, open_installation
from webordinary.cli.output import print_json, say, say_error
from webordinary.errors import Refused, WebOrdinaryError
from webordinary.intake import LARGEST_MAIL
from webordinary.mail.inbox import Decision
from webordinary.mail.outcomes import MailOutcome
from webordinary.values import Address

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation

_STANDARD_INPUT = "-"
# What is said of a mail that is safe, although nobody could decide about it.
_LATER = "kept, and decided later"


def add_to(app: typer.Typer) -> None:
    """Give the program its simplest door."""
    app.command(
        epilog=examples(
            "webordinary deliver mail.eml",
            "webordinary deliver mail.eml --as scott@example.com",
            "webordinary deliver - --from scott@example.com --to amelia@edit.example.com < mail.eml",
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
    sender: Annotated[
        str | None,
        typer.Option("--from", metavar="SENDER", help="The envelope's sender, from a mail server; empty for a bounce."),
    ] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take in a mail and say what was decided, and why.

    The exit code is 0 for every mail that was taken in, also for one that is held or refused:
    a mail server that hands mails to this command must not tell a stranger what became of them.

    From standard input the other codes are those that mail servers know: 65 when the mail is too large, and 75 for
    everything else that is wrong, so that the server keeps the mail and tries again.
    """
    vouched = _address(as_address) if as_address is not None else None
    given = _Given(file, vouched, tuple(_address(each) for each in to or ()), sender)
    with _codes_of_mail_servers() if file == _STANDARD_INPUT else nullcontext():
        mail, decision, said = _take_in(open_installation(config), given)
    if as_json:
        print_json(decision_record(mail, decision, said))
    else:
        say(f"{mail}: {sentence_about(decision, said)}")


@dataclass(frozen=True, slots=True)
class _Given:
    """What was typed, or what a mail server has handed over."""

    file: str
    as_address: str | None
    recipients: tuple[str, ...]
    sender: str | None


def _take_in(here: Installation, given: _Given) -> tuple[str, Decision, str]:
    """Return the mail's id, what was decided, and the word for it."""
    from webordinary.doors.deliver import keep  # noqa: PLC0415 - heavy

    raw = _read(given.file)
    if len(raw) > LARGEST_MAIL:
        _refuse_size(here, given.file, given.as_address)
    mail = keep(here.intake, raw, as_address=given.as_address, recipients=given.recipients, mail_from=given.sender)
    try:
        decision = here.intake.decide(mail)
    except (WebOrdinaryError, OSError) as problem:
        # The mail is safe: the caller must not hand it over again, and the sweep of any worker decides it.
        return mail, Decision(MailOutcome.UNDECIDED, str(problem)), _LATER
    if decision is None:
        return mail, Decision(MailOutcome.UNDECIDED, ""), _LATER
    return mail, decision, decision.outcome


@contextmanager
def _codes_of_mail_servers() -> Iterator[None]:
    """Say what is wrong in a way that keeps the mail in the queue of the server that hands it over."""
    try:
        yield
    except Refused as refused:
        say_error(str(refused))
        raise typer.Exit(os.EX_DATAERR) from None
    except Exception as problem:  # noqa: BLE001 - whatever it is, the mail must not be lost
        say_error(f"The mail was not taken in and may be handed over again: {problem}")
        raise typer.Exit(os.EX_TEMPFAIL) from None


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
    here.engine.trail.record(Entry(EventType.MAIL_REFUSED, here.clock.now().wall_at, text=why, facts=facts))
    raise Refused(f"{'The mail' if file == _STANDARD_INPUT else file} is {why}; nothing was taken in.")


def decision_record(mail: str, decision: Decision, said: str = "") -> dict[str, str | None]:
    """Return what programs read of a decision."""
    return {
        "mail": mail,
        "outcome": said or decision.outcome,
        "reason": decision.reason,
        "sender": decision.sender,
        "subject": decision.subject,
        "project": decision.project,
        "job": decision.job,
        "thread": decision.thread,
    }
