"""`webordinary release-mail` and `refuse-mail`: what an operator does with a mail that waits for its sender's yes."""

from __future__ import annotations

from typing import Annotated

import typer

from webordinary.actions import mails
from webordinary.cli.options import ConfigOption, examples, open_installation, operator
from webordinary.cli.output import say

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
    say(mails.let_through(open_installation(config), mail, operator()).at_terminal)


def refuse_mail(
    mail: MailArgument,
    reason: Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why; it is kept with the mail.")] = "",
    config: ConfigOption = None,
) -> None:
    """Turn a held mail away for good; a yes that comes later does nothing."""
    say(mails.refuse_mail(open_installation(config), mail, operator(), reason).at_terminal)
