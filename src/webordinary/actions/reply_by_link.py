"""Other words instead of an ok: they come in as if the person had replied to the mail that asks for it."""

from __future__ import annotations

import hashlib
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import TYPE_CHECKING

from webordinary.actions.ok_link import what_became
from webordinary.errors import Refused
from webordinary.mail.conversation import message_id_for
from webordinary.mail.inbox import Envelope
from webordinary.mail.mime.charset import clean_line
from webordinary.mail.sender import Vouch
from webordinary.reply.compose import reply_subject

if TYPE_CHECKING:
    from webordinary.actions.ok_link import LinkOwner
    from webordinary.engines.installation import Installation

DOOR = "link"
LONGEST_REPLY = 5_000


def reply(here: Installation, owner: LinkOwner, words: str) -> str:
    """Take the words in, once however often they are sent, and return the mail that they are."""
    words = words.replace("\r\n", "\n").strip()
    if not words or len(words) > LONGEST_REPLY:
        raise Refused(f"Write what should be different, in at most {LONGEST_REPLY:,} characters.")
    if what_became(here, owner) is not None:
        raise Refused(f"What {owner.job.id} has proposed no longer waits for an answer.")
    key, now = here.engine.reply_keys.current(), here.clock.now().wall_at
    to = key.reply_address(
        here.config.domain, project=owner.project.id, thread=owner.job.thread, to=owner.person, now=now
    )
    vouch = Vouch(owner.person, DOOR)
    mail = here.intake.receive(_raw(here, owner, words, to), Envelope(DOOR, (to,), owner.person, vouch=vouch)).mail
    here.intake.decide(mail)
    return mail


def _raw(here: Installation, owner: LinkOwner, words: str, to: str) -> bytes:
    """Write the mail that their mail program would have sent; the same words have the same name."""
    asked = message_id_for(owner.job.id, owner.kind, here.config.domain)
    mark = hashlib.sha256(f"{owner.job.id} {owner.person} {words}".encode()).hexdigest()[:24]
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"] = owner.person, to
    mail["Subject"] = clean_line(reply_subject(owner.job.subject))
    mail["Date"] = format_datetime(here.clock.now().wall_at)
    # A name of our own domain would be taken for one of our own mails.
    mail["Message-ID"] = f"<{DOOR}.{mark}@dashboard.invalid>"
    mail["In-Reply-To"] = mail["References"] = asked
    mail.set_content(words)
    return mail.as_bytes()
