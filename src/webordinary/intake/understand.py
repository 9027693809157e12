"""What a person who may write here wants: a verb, an instruction, or why it can be neither; changes nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.intake.hear import MailWords, hear, said_before
from webordinary.intake.short_reply import ReplyContext, ReplySense
from webordinary.mail.conversation import known_ids
from webordinary.mail.inbox import Decision
from webordinary.mail.mime.armour import has_armour
from webordinary.mail.mime.body import ENCRYPTED
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.tokens import is_reply_address
from webordinary.mail.words.quoting import has_marker
from webordinary.mail.words.sent import Sent
from webordinary.mail.words.verbs import Verb

if TYPE_CHECKING:
    from webordinary.engine import Engine
    from webordinary.intake.admit import Admitted
    from webordinary.mail.message import Message
    from webordinary.routing.threads import Thread

_NOTHING = MailWords("", "", "")


@dataclass(frozen=True, slots=True)
class Intent:
    """A verb if there is one, a refusal if there is one, else the instruction that was heard.

    What `is_doubtful` is asked about where somebody waits for an ok, and is an instruction everywhere else.
    """

    heard: MailWords
    instruction: str
    verb: Verb | None = None
    refusal: Decision | None = None
    is_doubtful: bool = False


def understand(engine: Engine, domain: str, message: Message, writer: Admitted) -> Intent:
    """Read the mail's words as those of this person."""
    told = Decision(MailOutcome.REFUSED, "", writer.editor.address, project=writer.project.id)
    if message.excess is not None:
        return Intent(_NOTHING, "", refusal=replace(told, reason=message.excess, answer="too_much"))
    heard = hear_in(engine, domain, message, writer.thread)
    if is_unreadable(message, heard):
        reason = " ".join(message.unreadable)
        return Intent(heard, "", refusal=replace(told, reason=reason, answer="unreadable"))
    place = ReplyContext(engine, message, writer.thread)
    sense = place.sense_of(heard)
    if sense is ReplySense.NOTHING:
        reason = "it thanks and asks for nothing"
        return Intent(
            heard, "", refusal=replace(told, outcome=MailOutcome.THANKS, reason=reason, thread=place.thread_id)
        )
    if not writer.may_edit and sense not in {Verb.OK, ReplySense.DOUBT}:
        return Intent(heard, "", refusal=only_ok(told, writer))
    if isinstance(sense, Verb):
        return Intent(heard, "", sense)
    return _instructed(place, heard, writer, told, is_doubtful=sense is ReplySense.DOUBT)


def _instructed(
    place: ReplyContext, heard: MailWords, writer: Admitted, told: Decision, *, is_doubtful: bool
) -> Intent:
    instruction = writer.editor.default_instruction or ""
    # What should become of files without a word is asked once somebody has looked at them; an invitation is no file.
    files = [each for each in place.message.attachments if each.content_type != "text/calendar"]
    if not heard.spoken and not heard.text and not files:
        return Intent(heard, "", refusal=replace(told, reason="the mail has no text", answer="refused_empty"))
    words = place.with_choice(heard.text)
    return Intent(heard, "\n\n".join(part for part in (instruction, words) if part), is_doubtful=is_doubtful)


def only_ok(told: Decision, writer: Admitted) -> Decision:
    """Refuse what somebody asks for who may approve and nothing else."""
    told = replace(told, outcome=MailOutcome.REFUSED, reason="who is no editor may only say ok", answer="not_an_editor")
    return replace(told, facts={"site": writer.project.name})


def is_unreadable(message: Message, heard: MailWords) -> bool:
    """Tell whether what the person asks for is hidden from us: their subject line alone is then no request."""
    if ENCRYPTED in message.unreadable or has_armour(heard.spoken):
        return True
    return bool(message.unreadable) and not heard.spoken


def hear_in(engine: Engine, domain: str, message: Message, thread: Thread | None) -> MailWords:
    """Read a mail's words; what answers us is an answer even when nobody knows its conversation any more."""
    if thread is not None:
        return hear(message, said_before(engine, thread, message))
    ours = known_ids(message, domain) or any(is_reply_address(each, domain) for each in message.recipients)
    return hear(message, Sent() if ours or has_marker(message.text) else None)
