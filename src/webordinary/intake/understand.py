"""What a person who may write here wants: a verb, an instruction, or why it can be neither; changes nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.intake.decide_verb import says_yes_to_proposal
from webordinary.intake.hear import Heard, hear, said_before
from webordinary.mail.conversation import known_ids
from webordinary.mail.inbox import Decision
from webordinary.mail.quoting import has_marker
from webordinary.mail.sent import Sent
from webordinary.mail.tokens import is_reply_address
from webordinary.mail.verbs import Verb

if TYPE_CHECKING:
    from webordinary.engine import Engine
    from webordinary.intake.admit import Admitted
    from webordinary.mail.message import Message
    from webordinary.routing.threads import Thread

_NOTHING = Heard("", "", "")


@dataclass(frozen=True, slots=True)
class Meant:
    """A verb if there is one, a refusal if there is one, else the instruction that was heard."""

    heard: Heard
    instruction: str
    verb: Verb | None = None
    refusal: Decision | None = None


def understand(engine: Engine, domain: str, message: Message, writer: Admitted) -> Meant:
    """Read the mail's words as those of this person."""
    told = Decision("refused", "", writer.editor.address, project=writer.project.id)
    if message.excess is not None:
        return Meant(_NOTHING, "", refusal=replace(told, reason=message.excess, answer="too_much"))
    heard = hear_in(engine, domain, message, writer.thread)
    instruction = "\n\n".join(part for part in (writer.editor.default_instruction or "", heard.text) if part)
    verb = heard.verb or _agreed(engine, message, writer, heard)
    if not writer.may_edit and verb is not Verb.OK:
        told = replace(told, reason="who is no editor may only say ok", answer="not_an_editor")
        return Meant(heard, "", refusal=replace(told, facts={"site": writer.project.name}))
    if verb is not None:
        return Meant(heard, "", verb)
    if not heard.text and message.unreadable:
        reason = " ".join(message.unreadable)
        return Meant(heard, "", refusal=replace(told, reason=reason, answer="unreadable"))
    if not heard.spoken and not heard.text and not (message.attachments and writer.editor.default_instruction):
        return Meant(heard, "", refusal=replace(told, reason="the mail has no text", answer="refused_empty"))
    return Meant(heard, instruction)


def _agreed(engine: Engine, message: Message, writer: Admitted, heard: Heard) -> Verb | None:
    """Take a plain yes for an ok when "Shall I publish it?" is what it answers."""
    asked = heard.is_agreement and writer.thread and says_yes_to_proposal(engine, message, writer.thread)
    return Verb.OK if asked else None


def hear_in(engine: Engine, domain: str, message: Message, thread: Thread | None) -> Heard:
    """Read a mail's words; what answers us is an answer even when nobody knows its conversation any more."""
    if thread is not None:
        return hear(message, said_before(engine, thread, message))
    ours = known_ids(message, domain) or any(is_reply_address(each, domain) for each in message.recipients)
    return hear(message, Sent() if ours or has_marker(message.text) else None)
