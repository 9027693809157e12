"""What can become of a mail, and what the trail says of one that became no job, for every engine alike."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import Final

from webordinary.audit.entry import EventType


class MailOutcome(StrEnum):
    """What became of a mail; the value is stored, printed and compared by the flow on AWS."""

    QUEUED = "queued"
    """It is a job now."""
    ANSWERED = "answered"
    """It was answered at once and became no job."""
    CONFIRMED = "confirmed"
    """It released another mail that was held for its sender's word."""
    REPEATED = "repeated"
    """It asks for what another mail asked for already."""
    AUTOMATIC = "automatic"
    """A program wrote it; it is never answered."""
    REFUSED = "refused"
    """It can become no job as it is."""
    STRANGER = "stranger"
    """Its sender is no editor."""
    HELD = "held"
    """It waits until its sender confirms it or an operator releases it."""
    QUARANTINED = "quarantined"
    """It was forged in an editor's name."""
    DROPPED = "dropped"
    """It was forged in another's name."""
    IGNORED = "ignored"
    """Nothing is known of its sender."""
    LIMITED = "limited"
    """It is one too many for its sender, thread or project."""
    THANKS = "thanks"
    """It says thank you and starts nothing."""
    UNDECIDED = "undecided"
    """It is kept and is looked at again later; this one is never stored."""


ENTRY_OF: Final = MappingProxyType(
    {
        MailOutcome.HELD: EventType.MAIL_HELD,
        MailOutcome.REFUSED: EventType.MAIL_REFUSED,
        MailOutcome.AUTOMATIC: EventType.MAIL_AUTOMATIC,
        MailOutcome.REPEATED: EventType.MAIL_REPEATED,
        MailOutcome.STRANGER: EventType.MAIL_FROM_STRANGER,
        MailOutcome.QUARANTINED: EventType.MAIL_QUARANTINED,
        MailOutcome.DROPPED: EventType.MAIL_DROPPED,
        MailOutcome.IGNORED: EventType.MAIL_IGNORED,
        MailOutcome.LIMITED: EventType.MAIL_LIMITED,
        MailOutcome.THANKS: EventType.MAIL_OF_THANKS,
        MailOutcome.ANSWERED: EventType.MAIL_ANSWERED,
        MailOutcome.CONFIRMED: EventType.MAIL_CONFIRMED,
    }
)
