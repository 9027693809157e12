"""The simplest door: a mail from a file or from standard input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.mail.inbox import Envelope
from webordinary.mail.sender import OPERATOR, Vouch

if TYPE_CHECKING:
    from webordinary.intake import Intake
    from webordinary.mail.inbox import Decision


def deliver(
    intake: Intake, raw: bytes, *, as_address: str | None, recipients: tuple[str, ...] = ()
) -> tuple[str, Decision | None]:
    """Take the mail in and decide it at once; `as_address` is the operator's word for who sent it."""
    vouch = Vouch(as_address, OPERATOR) if as_address else None
    kept = intake.receive(raw, Envelope("deliver", recipients, vouch=vouch))
    return kept.mail, intake.decide(kept.mail)
