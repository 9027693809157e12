"""Who sent a mail, decided once and written down with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webordinary.mail.message import Message

OPERATOR = "operator"


class Verdict(StrEnum):
    """How sure we are that the address in From wrote the mail."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"
    FORGED = "forged"


@dataclass(frozen=True, slots=True)
class Vouch:
    """What a door knows about the sender by itself; no address means the one that From names."""

    address: str | None
    method: str


@dataclass(frozen=True, slots=True)
class Sender:
    """The verdict; only a verified address may command.

    `reasons` is everything that was found on the way. What a signature or another server has proven holds for the
    `recipients` that were part of the proof and for no other. Without `proves_id` anybody on the way could have
    changed the Message-ID; then `mark` names the request by what was signed, and only the `answers` say which mails it
    answers. `is_open` means that a name server did not answer: a later look may find more. What `is_unaddressed` was
    surely written by that person, but perhaps to somebody else: only an address that they alone know says that it is
    for us.
    """

    address: str | None
    verdict: Verdict
    method: str
    reason: str
    reasons: tuple[str, ...] = ()
    recipients: tuple[str, ...] | None = None
    proves_id: bool = True
    is_open: bool = False
    mark: str | None = None
    answers: tuple[str, ...] | None = None
    is_unaddressed: bool = False


def judge_sender(message: Message, vouch: Vouch | None) -> Sender:
    """Decide who sent the mail: nothing but a door's word verifies, and From alone never does."""
    claimed = message.from_address
    if vouch is None:
        return _unverified(claimed, "none", "Nothing proves that this address sent the mail.")
    if vouch.method == OPERATOR and vouch.address:
        reason = f"The operator delivered it as {vouch.address.lower()}."
        return Sender(vouch.address.lower(), Verdict.VERIFIED, OPERATOR, reason, (reason,))
    if claimed is None:
        return _unverified(None, vouch.method, message.from_problem or "The mail does not say who it is from.")
    if vouch.address is not None and vouch.address.lower() != claimed:
        reason = f"It was handed in by {vouch.address.lower()}, but From says {claimed}."
        return _unverified(claimed, vouch.method, reason)
    reason = f"The door vouches for {claimed} ({vouch.method})."
    return Sender(claimed, Verdict.VERIFIED, vouch.method, reason, (reason,))


def _unverified(address: str | None, method: str, reason: str) -> Sender:
    return Sender(address, Verdict.UNVERIFIED, method, reason, (reason,))
