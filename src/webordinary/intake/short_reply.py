"""What a short reply means in its place: an ok only to the one proposal that it answers, and in doubt a question."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.intake.decide_verb import answered_jobs, answers_proposal
from webordinary.jobs.job import State
from webordinary.jobs.proposals import Standing
from webordinary.jobs.questions import choices_of, open_question
from webordinary.mail.words.replies import Saying, with_choice
from webordinary.mail.words.verbs import Verb

if TYPE_CHECKING:
    from webordinary.engine import Engine
    from webordinary.intake.hear import MailWords
    from webordinary.jobs.job import Job
    from webordinary.jobs.proposals import Proposal
    from webordinary.mail.message import Message
    from webordinary.routing.threads import Thread

_LOOK_BACK = 200
# What a phone's camera makes is larger, and a logo in a signature is smaller.
_SMALL_PICTURE = 20_000
_FOR_PROGRAMS = ("text/vcard", "text/x-vcard", "text/calendar", "application/pgp-", "application/pkcs7-")
_VERBS = {Saying.UNDO: Verb.UNDO, Saying.STOP: Verb.STOP}


class ReplySense(StrEnum):
    """What a mail means that is neither a verb nor an instruction."""

    NOTHING = "nothing"
    DOUBT = "doubt"


@dataclass(frozen=True, slots=True)
class ReplyContext:
    """Where a mail stands: its thread, and which of our mails it answers."""

    engine: Engine
    message: Message
    thread: Thread | None

    @property
    def thread_id(self) -> str | None:
        return self.thread.id if self.thread else None

    def sense_of(self, heard: MailWords) -> Verb | ReplySense | None:
        """Return what the whole mail means, or None when it is an instruction."""
        if heard.verb is not None:
            return heard.verb
        saying = heard.saying if not _brings_files(self.message) else None
        if saying is None or saying is Saying.THANKS:
            return ReplySense.NOTHING if saying else None
        # Below the agent's question these are its answer, whatever they would mean elsewhere.
        return None if self.thread is None or self._question() else self._sense_in(self.thread, saying)

    def _sense_in(self, thread: Thread, saying: Saying) -> Verb | ReplySense | None:
        if saying in _VERBS:
            return _VERBS[saying]
        proposal = self.engine.proposals.find(thread.id)
        is_answered = proposal is not None and self._answers(thread, proposal)
        is_open = proposal is not None and proposal.standing == Standing.OPEN
        if saying is Saying.YES:
            return Verb.OK if is_answered else ReplySense.DOUBT if is_open else None
        if is_answered and is_open:
            return Verb.OK if saying is Saying.LIKES else ReplySense.DOUBT
        return ReplySense.NOTHING if saying is Saying.LIKES and self._is_content() else None

    def _answers(self, thread: Thread, proposal: Proposal) -> bool:
        return answers_proposal(self.engine, self.message, thread, proposal)

    def _is_content(self) -> bool:
        """Tell whether the answered mail told of something that is done, or of nothing that went wrong."""
        answered = self.engine.overview.job(next(answered_jobs(self.message), ""))
        return answered is None or answered.state is State.DONE or answered.state.is_live

    def with_choice(self, words: str) -> str:
        """Return the words, with the choice itself where somebody answers our question with its number."""
        asked = self._question()
        return with_choice(words, choices_of(asked)) if asked else words

    def _question(self) -> Job | None:
        """Return the question that waits in the thread, if this mail answers it."""
        if self.thread is None:
            return None
        jobs = self.engine.overview.jobs(lane=self.thread.lane.key, limit=_LOOK_BACK)
        asked = open_question(jobs, self.thread.id)
        return asked if asked and next(answered_jobs(self.message), asked.id) == asked.id else None


def _brings_files(message: Message) -> bool:
    """Tell whether somebody sent more than words: what comes along with praise is not to be lost."""
    return any(
        not each.content_type.startswith(_FOR_PROGRAMS)
        and not (each.content_type.startswith("image/") and len(each.content) < _SMALL_PICTURE)
        for each in message.attachments
    )
