"""`webordinary release-mail` and `refuse-mail`: what an operator does with a mail that waits for its sender's yes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webordinary.cli.options import ConfigOption, examples, open_installation, operator
from webordinary.cli.output import say
from webordinary.errors import Refused
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import OPERATOR, Vouch

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.overview import MailView

MailArgument = Annotated[str, typer.Argument(metavar="MAIL", help="The held mail's id.")]


def add_to(app: typer.Typer) -> None:
    """Give the program what decides about held mails."""
    panel = "Mail"
    app.command("release-mail", rich_help_panel=panel, epilog=examples("webordinary release-mail mail-1a2b3c4d5e6f"))(
        release_mail
    )
    app.command("refuse-mail", rich_help_panel=panel, epilog=examples("webordinary refuse-mail mail-1a2b3c4d5e6f"))(
        refuse_mail
    )


def release_mail(mail: MailArgument, config: ConfigOption = None) -> None:
    """Let a held mail through on your word that it is from the person it names."""
    here = open_installation(config)
    view = _held(here, mail)
    if not here.engine.inbox.release(mail, Vouch(view.sender, OPERATOR), here.clock.now()):
        raise _over(mail)
    decision = here.intake.decide(mail)
    became = f"{decision.outcome} {decision.job or ''}".strip() if decision else "released"
    say(f"{mail} of {view.sender} was released: {became}.")


def refuse_mail(
    mail: MailArgument,
    reason: Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why; it is kept with the mail.")] = "",
    config: ConfigOption = None,
) -> None:
    """Turn a held mail away for good; a yes that comes later does nothing."""
    here = open_installation(config)
    _held(here, mail)
    why = f"{operator()} turned it away" + (f": {reason}" if reason else "")
    if not here.engine.inbox.turn_away(mail, why, here.clock.now()):
        raise _over(mail)
    say(f"{mail} was turned away; its sender is not told.")


def _held(here: Installation, mail: str) -> MailView:
    view = here.engine.overview.mail(mail)
    if view is None:
        raise Refused(f"There is no mail {mail}; `webordinary show held` lists those that wait.")
    if view.outcome is not MailOutcome.HELD or not view.sender:
        raise _over(mail)
    return view


def _over(mail: str) -> Refused:
    return Refused(f"{mail} is not held, or no longer; `webordinary show mail {mail}` tells what became of it.")
