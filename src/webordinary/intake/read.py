"""Reads a kept mail: who wrote it, for which lane, and what they want."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.intake.addressed import Addressed, with_proven_answers
from webordinary.intake.admit import Admission, Admitted, once_a_day
from webordinary.intake.bounds import AcceptanceLimits
from webordinary.intake.carry_out_verb import CarryOutVerb
from webordinary.intake.confirm import Confirm, ask_for_yes, says_yes
from webordinary.intake.decide_verb import Reply
from webordinary.intake.new_job import NewRequest, dedup_key, new_job_id, new_thread_id
from webordinary.intake.understand import only_ok, understand
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.mail.automatic import came_from_us
from webordinary.mail.inbox import Decision
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import Verdict
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.intake.trust import Trust
    from webordinary.intake.understand import Intent
    from webordinary.mail.inbox import KeptMail
    from webordinary.mail.message import Message
    from webordinary.mail.sender import Sender

_WAITS = tuple(timedelta(seconds=seconds) for seconds in (30, 60, 120, 300, 600))


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at one mail; repeating it is harmless."""

    engine: Engine
    domain: str
    now: Moment
    trust: Trust

    def read(self, kept: KeptMail, raw: bytes, message: Message) -> Decision | NewRequest:
        """Return what is decided already, or the job that the mail asks for."""
        if automatic := message.automatic or came_from_us(message, self.domain):
            return Decision(MailOutcome.AUTOMATIC, automatic, message.from_address)
        sender = self.trust.judge.judge(raw, message, kept.envelope, kept.received_at)
        if sender.is_open and kept.tries < self.trust.limits.dns_tries:
            return self._put_off(kept, sender)
        message = with_proven_answers(message, sender)
        sender = Addressed(self.engine, self.domain, self.now).verify(kept, message, sender)
        found = self._place(kept, message, sender)
        return found if isinstance(found, Decision) else self._take(kept, message, found)

    def _put_off(self, kept: KeptMail, sender: Sender) -> Decision:
        wait = _WAITS[min(kept.tries, len(_WAITS) - 1)]
        self.engine.inbox.put_off(kept.id, self.now.wall_at + wait)
        return Decision(MailOutcome.UNDECIDED, sender.reason, sender.address, judged=sender)

    def _place(self, kept: KeptMail, message: Message, sender: Sender) -> Decision | Admitted:
        """Find the project and the thread, and who the sender is there."""
        admission = Admission(self.engine, self.domain, self.trust.agency, self.now)
        confirming = admission.confirming(kept, message, sender)
        if confirming is not None and says_yes(self.engine, message, confirming):
            return Confirm(self.engine, self.now).confirm(kept, confirming, sender)
        if confirming is not None and sender.verdict == Verdict.UNVERIFIED:
            return ask_for_yes(confirming, sender)
        found = admission.admit(kept, message, sender)
        return self._bounds.ask_within(found, kept) if isinstance(found, Decision) else found

    @property
    def _bounds(self) -> AcceptanceLimits:
        return AcceptanceLimits(self.engine, self.trust.limits, self.now)

    def _take(self, kept: KeptMail, message: Message, admitted: Admitted) -> Decision | NewRequest:
        """Take a request up, unless it is known or one too many; a mail that is looked at again keeps its own key."""
        meant = understand(self.engine, self.domain, message, admitted)
        if meant.refusal is not None:
            # Nothing is done, so nothing is taken either: an operator may let it be decided again.
            return once_a_day(replace(meant.refusal, judged=admitted.sender), kept)
        key = dedup_key(admitted.project, admitted.editor, message, admitted.sender)
        tallies = self._bounds.tallies(kept, admitted)
        if not self.engine.inbox.take_counted_key(key, kept.id, tallies, self.now):
            owner = self.engine.inbox.key_holder(key) or kept.id
            if owner == kept.id and (paused := self._bounds.exceeded(kept, admitted)):
                return paused
            owner = self.engine.inbox.take_key(key, kept.id, self.now)
            if owner != kept.id:
                return self._repeated(owner, admitted)
        found = self._want(kept, message, admitted, meant)
        if isinstance(found, NewRequest):
            return replace(found, judged=admitted.sender)
        found = replace(found, judged=admitted.sender)
        return once_a_day(found, kept) if found.outcome is MailOutcome.REFUSED else found

    def _repeated(self, owner: str, admitted: Admitted) -> Decision:
        first = self.engine.overview.mail(owner)
        job = first.job if first else None
        reason = f"the same mail is already {job or owner}"
        return Decision(
            MailOutcome.REPEATED,
            reason,
            admitted.editor.address,
            project=admitted.project.id,
            job=job,
            judged=admitted.sender,
        )

    def _want(self, kept: KeptMail, message: Message, writer: Admitted, meant: Intent) -> Decision | NewRequest:
        verbs = CarryOutVerb(self.engine, self.trust.agency, self.now)
        told = Decision(MailOutcome.ANSWERED, "", writer.editor.address, project=writer.project.id)
        reply = Reply(kept, message, writer, writer.thread) if writer.thread else None
        if meant.is_doubtful and reply is not None:
            if (asked := verbs.ask(reply, told)) is not None:
                return asked
            if not writer.may_edit:
                return only_ok(told, writer)
        if meant.verb is None:
            return NewRequest(
                _job(kept, message, writer, meant),
                len(message.attachments),
                author=kept.author,
                on_new_thread=writer.project.rules.on_new_thread.value,
            )
        return verbs.run(meant.verb, reply, told) if reply else verbs.run_alone(meant.verb, writer, told)


def _job(kept: KeptMail, message: Message, writer: Admitted, meant: Intent) -> NewJob:
    project, editor, thread = writer.project, writer.editor, writer.thread
    request = Request(
        text=meant.instruction,
        cut=meant.heard.cut,
        reply_to=editor.address,
        message_id=message.message_id,
        references=message.references,
        opens_thread=thread is None,
    )
    return NewJob(
        id=new_job_id(),
        lane=thread.lane if thread else Lane(project.id, editor.user),
        thread=thread.id if thread else new_thread_id(),
        dedup_key=dedup_key(project, editor, message, writer.sender),
        kind=Kind.INSTRUCTION,
        subject=message.subject,
        request=request,
        received_at=kept.received_at,
        mail=kept.id,
    )
