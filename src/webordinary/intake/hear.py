"""What a mail says in words: a verb, an instruction, or nothing that could be done."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.mail.conversation import OUR_PREFIX
from webordinary.mail.mime.body import read_versions
from webordinary.mail.words.announce import is_forward_subject
from webordinary.mail.words.quoting import as_quote, own_words, without_pictures
from webordinary.mail.words.replies import Saying, read_saying
from webordinary.mail.words.sent import Sent
from webordinary.mail.words.verbs import Verb, read_verb

if TYPE_CHECKING:
    from webordinary.engine import Engine
    from webordinary.mail.message import Message
    from webordinary.routing.threads import Thread

# A reply to an older mail than these of a long conversation is understood by its marker line alone.
_LETTERS_LOOKED_AT = 3
_REQUESTS_LOOKED_AT = 20
# One or two words are a title ("Opening hours") and no request; a script without spaces needs fewer signs.
_WORDS_OF_A_REQUEST = 3
_SIGNS_OF_A_REQUEST = 6
_WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")


@dataclass(frozen=True, slots=True)
class MailWords:
    """The person's words; `text` also has what they quote or forward, each of those lines behind a `>`."""

    spoken: str
    text: str
    cut: str

    @property
    def verb(self) -> Verb | None:
        """The verb that the whole mail is; "ok" below a question that they quote is an answer to it."""
        return read_verb(without_pictures(self.text))

    @property
    def saying(self) -> Saying | None:
        """What a short reply says, for a caller that knows what it answers."""
        return read_saying(without_pictures(self.text))


def hear(message: Message, sent: Sent | None) -> MailWords:
    """Read a mail's words; `sent` is what was said before in the conversation that it continues."""
    is_forward = is_forward_subject(message.subject)
    words = own_words(
        message.text,
        is_reply=sent is not None,
        is_forward=is_forward,
        sent=sent,
        about=message.subject,
        writer=f"{message.from_name} {message.from_address or ''}",
    )
    spoken, text = words.spoken, words.kept.strip()
    # What nobody can read may say something else than the subject above it.
    is_new = sent is None and not is_forward and not message.unreadable
    if is_new and (not spoken or _only_thanks(text)) and _is_request(message.subject):
        spoken, text = message.subject, "\n\n".join(part for part in (message.subject, text) if part)
    forwarded = as_quote(message.forwarded)
    return MailWords(spoken, "\n\n".join(part for part in (text, forwarded) if part), words.cut)


def _only_thanks(text: str) -> bool:
    """Tell whether a mail says nothing but thanks: then its subject is the request that they are for."""
    return read_saying(without_pictures(text)) is Saying.THANKS


def _is_request(subject: str) -> bool:
    if read_saying(subject) is Saying.THANKS:
        return False
    signs = len(_WITHOUT_SPACES.findall(subject))
    return read_verb(subject) is not None or len(subject.split()) >= _WORDS_OF_A_REQUEST or signs >= _SIGNS_OF_A_REQUEST


def said_before(engine: Engine, thread: Thread, message: Message) -> Sent:
    """Return what we wrote in the mails that this one answers, and what was asked for in its thread."""
    texts: list[str] = []
    ours = [found.removeprefix(OUR_PREFIX) for found in message.references if found.startswith(OUR_PREFIX)]
    letters = [key for key in (found.partition("@")[0] for found in ours) if key]
    for key in letters[-_LETTERS_LOOKED_AT:]:
        raw = engine.outbox.written(key)
        texts += read_versions(raw) if raw else ()
    jobs = engine.overview.jobs(lane=thread.lane.key, limit=_REQUESTS_LOOKED_AT)
    texts += [job.request.text for job in jobs if job.thread == thread.id]
    return Sent.of(texts)
