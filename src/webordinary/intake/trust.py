"""Whom an installation believes, who is told, and how much mail is too much."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.mail.identity.judge import Judge


@dataclass(frozen=True, slots=True)
class MailLimits:
    """How many mails are taken of one person in an hour, for a project and in a thread in a day."""

    sender_an_hour: int = 30
    project_a_day: int = 200
    thread_a_day: int = 10
    # How often somebody is asked whether a mail is theirs: a forger must not fill an editor's mailbox.
    confirmations_a_day: int = 5
    dns_tries: int = 5


@dataclass(frozen=True, slots=True)
class Trust:
    """The judge of senders, the agency's own address, and the limits."""

    judge: Judge
    agency: str | None = None
    limits: MailLimits = field(default_factory=MailLimits)
