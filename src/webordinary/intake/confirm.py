"""A held mail is confirmed by its own person: "YES", sent to an address that nobody else was given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.intake.hear import hear
from webordinary.mail.inbox import Decision
from webordinary.mail.mime.body import read_versions
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import Vouch
from webordinary.mail.words.sent import Sent
from webordinary.mail.words.verbs import is_yes
from webordinary.reply.write import CONFIRMS, UNCLEAR

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.intake.admit import Confirming
    from webordinary.mail.inbox import KeptMail
    from webordinary.mail.message import Message
    from webordinary.mail.sender import Sender

RELEASED = "released"


def says_yes(engine: Engine, message: Message, confirming: Confirming) -> bool:
    """Tell whether the mail is a plain yes, apart from our question below it."""
    written = (engine.outbox.written(f"{confirming.held}.{words}") for words in ("confirm", UNCLEAR))
    asked = [text for raw in written if raw for text in read_versions(raw)]
    return is_yes(hear(message, Sent.of(asked)).spoken)


def ask_for_yes(confirming: Confirming, sender: Sender) -> Decision:
    """Say once that a plain yes is wanted: a second question about the answer to the first would go on for ever."""
    told = Decision(MailOutcome.ANSWERED, "", confirming.address, project=confirming.project.id, judged=sender)
    if confirming.is_over:
        return _over(told, confirming)
    return replace(
        told,
        reason=f"no clear yes to the question about {confirming.held}, which still waits",
        answer=UNCLEAR,
        answer_key=f"{confirming.held}.{UNCLEAR}",
        facts={CONFIRMS: confirming.held},
    )


@dataclass(frozen=True, slots=True)
class Confirm:
    """Releases the held mail, once; the same yes looked at twice comes to the same."""

    engine: Engine
    now: Moment

    def confirm(self, kept: KeptMail, confirming: Confirming, sender: Sender) -> Decision:
        vouch = Vouch(confirming.address, f"confirmed by {kept.id}")
        told = Decision(MailOutcome.CONFIRMED, "", confirming.address, project=confirming.project.id, judged=sender)
        if not confirming.is_over and self.engine.inbox.vouch_for(confirming.held, vouch, self.now):
            return _released(told, confirming)
        held = self.engine.inbox.find(confirming.held)
        if held is not None and held.envelope.vouch == vouch:
            # This very mail has released it, and the process that read it then was interrupted.
            return _released(told, confirming)
        return _over(told, confirming)


def _released(told: Decision, confirming: Confirming) -> Decision:
    reason = f"{confirming.address} says that {confirming.held} is theirs"
    return replace(told, reason=reason, facts={RELEASED: confirming.held})


def _over(told: Decision, confirming: Confirming) -> Decision:
    return replace(
        told,
        outcome=MailOutcome.ANSWERED,
        reason=f"the question about {confirming.held} is over",
        answer="confirm_over",
        answer_key=f"{confirming.held}.confirm_over",
    )
