"""The inbox makes every mail's raw bytes durable before its sender gets the acknowledgement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from webordinary.clock import Moment
    from webordinary.mail.outcomes import MailOutcome
    from webordinary.mail.sender import Sender, Vouch
    from webordinary.mail.tallies import TallyLimit


@dataclass(frozen=True, slots=True)
class Envelope:
    """How a mail came in, which is not part of the mail itself.

    `peer` is the address that handed it in and `helo` the name it gave itself; `user` logged in with a password;
    `authserv_id` is the server whose Authentication-Results this door trusts, and `verdicts` are what a server
    before us found and told us beside the mail.
    """

    door: str
    recipients: tuple[str, ...]
    mail_from: str | None = None
    peer: str | None = None
    vouch: Vouch | None = None
    transport_key: str | None = None
    helo: str | None = None
    user: str | None = None
    authserv_id: str | None = None
    verdicts: Mapping[str, str] = field(default_factory=dict)

    def delivery_key(self, digest: str) -> str:
        """Tell one delivery from another: the same bytes for the same people through the same door are one.

        A mail that was held before is delivered anew when the operator vouches for it or its sender logs in.
        """
        if self.transport_key:
            return self.transport_key
        vouched = f"{self.vouch.method}={self.vouch.address}" if self.vouch else ""
        logged_in = f":{self.user}" if self.user else ""
        # Somebody who has seen a mail before us must not be able to hand it in first, from where it proves nothing.
        origin = f"{self.peer or ''}<{self.mail_from or ''}"
        return f"{self.door}:{digest}:{','.join(sorted(self.recipients))}:{vouched}{logged_in}:{origin}"


@dataclass(frozen=True, slots=True)
class Kept:
    """A mail that is safe; not fresh when the same delivery was kept before."""

    mail: str
    fresh: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a mail, and why.

    `judged` says how sure we are of the sender. An answer with a key of its own is sent once under that key.
    """

    outcome: MailOutcome
    reason: str
    sender: str | None = None
    subject: str = ""
    project: str | None = None
    job: str | None = None
    thread: str | None = None
    answer: str | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    judged: Sender | None = None
    answer_kind: str = "answer"
    answer_key: str | None = None

    @property
    def entry_facts(self) -> dict[str, str]:
        """What the trail says of the sender, and how sure we are of it."""
        facts = {"sender": self.sender or ""}
        return {**facts, "verdict": self.judged.verdict.value} if self.judged else facts

    def letter_key(self, mail: str) -> str:
        """Return the key under which the answer to this mail goes out."""
        return self.answer_key or f"{mail}.{self.answer_kind}"


@dataclass(frozen=True, slots=True)
class KeptMail:
    """A mail as the inbox knows it; one that was put off is looked at again at `due_at`."""

    id: str
    envelope: Envelope
    received_at: datetime
    tries: int = 0
    is_decided: bool = False
    author: str = ""
    due_at: datetime | None = None


class Inbox(Protocol):
    """Raw mails by id; decided exactly once."""

    def keep(self, raw: bytes, envelope: Envelope, now: Moment) -> Kept:
        """Make the bytes durable, then return."""

    def read(self, mail: str) -> bytes:
        """Return the raw bytes as they came."""

    def find(self, mail: str) -> KeptMail | None: ...

    def undecided(self, before: datetime) -> Sequence[KeptMail]:
        """Return the mails that were received, or put off until, before that time and that nobody has decided yet."""

    def older(self, kept: KeptMail) -> Sequence[KeptMail]:
        """Return the mails of the same author that came before this one and wait to be decided, the oldest first.

        One that has its place already does not wait. There may be more than are returned.
        """

    def place(self, mail: str, job: str) -> None:
        """Note which job an undecided mail has become: younger mails of its author wait for it no longer."""

    def put_off(self, mail: str, until: datetime, *, is_try: bool = True) -> None:
        """Look at an undecided mail again only then; that counts as one of its tries unless it only waits."""

    def take_key(self, key: str, mail: str, now: Moment) -> str:
        """Take the key of a request for this mail and return the mail that has it: this one, or one before it."""

    def take_counted_key(self, key: str, mail: str, tallies: Sequence[TallyLimit], now: Moment) -> bool:
        """Take the key and count the mail in every tally, all at once.

        False where a part of it cannot be: then nothing is done, and who asks for one after the other hears why.
        """

    def key_holder(self, key: str) -> str | None:
        """Return the mail that has the key of a request."""

    def vouch_for(self, mail: str, vouch: Vouch, now: Moment) -> bool:
        """Let a held mail be decided once more, on somebody's word; False when it is not held, or no longer."""

    def turn_away(self, mail: str, reason: str, now: Moment) -> bool:
        """Refuse a held mail for good; False when it is not held, or no longer."""

    def decide(self, mail: str, decision: Decision, now: Moment) -> bool:
        """Write down what became of the mail; False when that was decided before."""

    def keep_file(self, content: bytes) -> str:
        """Keep a file that came with a mail by its content's hash, and return the hash."""

    def read_file(self, digest: str) -> bytes: ...

    def forget_before(self, before: datetime) -> int:
        """Remove raw mails and files that nobody has kept since then, and that no live job and no held mail needs.

        Returns how many; on AWS the buckets' own rules do this, so that nobody has to look through them.
        """
