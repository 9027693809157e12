"""The simplest door: a mail from a file or from standard input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.mail.inbox import Envelope
from webordinary.mail.sender import OPERATOR, Vouch

if TYPE_CHECKING:
    from webordinary.intake import Intake
    from webordinary.mail.inbox import Decision


def deliver(
    intake: Intake,
    raw: bytes,
    *,
    as_address: str | None,
    recipients: tuple[str, ...] = (),
    mail_from: str | None = None,
) -> tuple[str, Decision | None]:
    """Take the mail in and decide it at once; `as_address` is the operator's word for who sent it."""
    mail = keep(intake, raw, as_address=as_address, recipients=recipients, mail_from=mail_from)
    return mail, intake.decide(mail)


def keep(
    intake: Intake, raw: bytes, *, as_address: str | None, recipients: tuple[str, ...], mail_from: str | None
) -> str:
    """Only make the mail durable, and return its name: a mail server that handed it over may forget it."""
    vouch = Vouch(as_address, OPERATOR) if as_address else None
    return intake.receive(raw, Envelope("deliver", recipients, mail_from, vouch=vouch)).mail
