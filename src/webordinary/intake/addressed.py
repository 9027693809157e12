"""What somebody has surely written, but perhaps to somebody else: when it counts as written to us.

Some providers do not sign To. A recipient of their mail could hand it on to us, so the mail alone does not say for
whom it was. A reply address does: we gave it to this one person, and the signed Subject says that it is answered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.mail.sender import Verdict
from webordinary.mail.tokens import Purpose, read_token
from webordinary.reply.compose import bare_subject

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.mail.inbox import KeptMail
    from webordinary.mail.message import Message
    from webordinary.mail.sender import Sender
    from webordinary.routing.threads import Thread

# Mail takes minutes; what is older may have been lying with somebody else.
FRESH = timedelta(days=1)
_REQUESTS_LOOKED_AT = 100


def with_proven_answers(message: Message, sender: Sender) -> Message:
    """Leave out the mails that a header says it answers which anybody could have put there."""
    return message if sender.answers is None else replace(message, references=sender.answers)


@dataclass(frozen=True, slots=True)
class Addressed:
    """One look at whether a mail was written to us; changes nothing."""

    engine: Engine
    domain: str
    now: Moment

    def verify(self, kept: KeptMail, message: Message, sender: Sender) -> Sender:
        """Return the sender as verified if the mail is a fresh answer to an address that only they were given."""
        if not sender.is_unaddressed or sender.address is None:
            return sender
        written_at = message.written_at
        if written_at is None or kept.received_at - written_at > FRESH:
            return sender
        for recipient in kept.envelope.recipients or message.recipients:
            thread = self._thread_given(recipient, sender.address)
            if thread is not None and self._is_about(thread, message.subject):
                reason = f"{sender.address} signed it, and answers at an address that was given to nobody else."
                told = replace(sender, verdict=Verdict.VERIFIED, reason=reason, reasons=(*sender.reasons, reason))
                return replace(told, recipients=(recipient.lower(),), is_unaddressed=False)
        return sender

    def _thread_given(self, recipient: str, address: str) -> Thread | None:
        token = read_token(recipient, self.domain)
        thread = self.engine.threads.find(token.about) if token and token.purpose == Purpose.REPLY else None
        if token is None or thread is None:
            return None
        key = self.engine.reply_keys.current()
        given = key.is_genuine(token, project=thread.lane.project, sender=address, now=self.now.wall_at)
        return thread if given else None

    def _is_about(self, thread: Thread, subject: str) -> bool:
        """Tell whether a subject is the thread's behind a `Re:`; a forward to somebody else says so in its own."""
        bare = bare_subject(subject)
        jobs = self.engine.overview.jobs(lane=thread.lane.key, limit=_REQUESTS_LOOKED_AT)
        known = {bare_subject(job.subject).casefold() for job in jobs if job.thread == thread.id}
        return bare != subject and bare.casefold() in known
