"""What would happen with a mail, step by step and with every reason; nothing is changed and nobody is told."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from webordinary.intake.addressed import Addressed, with_proven_answers
from webordinary.intake.admit import Admission
from webordinary.intake.bounds import AcceptanceLimits
from webordinary.intake.confirm import ask_for_yes, says_yes
from webordinary.intake.new_job import dedup_key
from webordinary.intake.steps import LARGEST_MAIL
from webordinary.intake.understand import hear_in, understand
from webordinary.mail.automatic import came_from_us
from webordinary.mail.inbox import Decision, KeptMail
from webordinary.mail.mime.bounded import read_mail
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import Verdict
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from datetime import datetime

    from webordinary.intake.admit import Admitted
    from webordinary.intake.steps import Intake
    from webordinary.mail.inbox import Envelope
    from webordinary.mail.message import Attachment, Message
    from webordinary.mail.sender import Sender

NEW = "new"
_SHOWN = 600


@dataclass(frozen=True, slots=True)
class Explained:
    """The verdict, the place, the words and the outcome that a mail would have."""

    decision: Decision
    lane: str | None = None
    thread: str | None = None
    instruction: str = ""
    attachments: tuple[Attachment, ...] = ()
    steps: tuple[str, ...] = ()


@dataclass(slots=True)
class Explanation:
    """Looks at one mail as the intake would."""

    intake: Intake
    steps: list[str] = field(default_factory=list)

    def explain(self, raw: bytes, envelope: Envelope, received_at: datetime) -> Explained:
        """Say what would happen if the mail came in this way at that moment."""
        if len(raw) > LARGEST_MAIL:
            reason = f"the mail is larger than {LARGEST_MAIL // 1024 // 1024} MB"
            return self._end(Decision(MailOutcome.REFUSED, reason))
        message = read_mail(raw, envelope_from=envelope.mail_from)
        kept = KeptMail("mail-0", envelope, received_at)
        self._read(message)
        sender = self.intake.belief.judge.judge(raw, message, envelope, received_at)
        message = with_proven_answers(message, sender)
        addressed = Addressed(self.intake.engine, self.intake.domain, self.intake.clock.now())
        sender = addressed.verify(kept, message, sender)
        self.steps += [f"Sender: {sender.address or 'nobody'} is {sender.verdict.value} ({sender.method})."]
        self.steps += [f"  {reason}" for reason in sender.reasons]
        explained = self._decide(kept, message, sender)
        decision = replace(explained.decision, judged=sender, subject=message.subject)
        sender_said = decision.sender or sender.address or message.from_address
        explained = replace(explained, decision=replace(decision, sender=sender_said))
        return replace(explained, attachments=message.attachments, steps=tuple(self.steps))

    def _read(self, message: Message) -> None:
        size = f"{len(message.text)} letters, {len(message.attachments)} files"
        self.steps.append(
            f"Read: “{message.subject or '(no subject)'}” from {message.from_address or 'nobody'}, {size}."
        )
        self.steps += [f"  {defect}" for defect in message.defects]

    def _decide(self, kept: KeptMail, message: Message, sender: Sender) -> Explained:
        if automatic := message.automatic or came_from_us(message, self.intake.domain):
            return self._leave(kept, message, Decision(MailOutcome.AUTOMATIC, automatic, message.from_address))
        intake, admission = self.intake, self._admission()
        confirming = admission.confirming(kept, message, sender)
        if confirming is not None and says_yes(intake.engine, message, confirming):
            reason = f"it confirms {confirming.held}" + (", which is over" if confirming.is_over else "")
            outcome = MailOutcome.ANSWERED if confirming.is_over else MailOutcome.CONFIRMED
            return self._end(Decision(outcome, reason, confirming.address, project=confirming.project.id))
        if confirming is not None and sender.verdict == Verdict.UNVERIFIED:
            return self._end(ask_for_yes(confirming, sender))
        found = admission.admit(kept, message, sender)
        if isinstance(found, Decision):
            return self._leave(kept, message, found)
        return self._take(kept, message, found)

    def _admission(self) -> Admission:
        intake = self.intake
        return Admission(intake.engine, intake.domain, intake.belief.agency, intake.clock.now())

    def _leave(self, kept: KeptMail, message: Message, decision: Decision) -> Explained:
        """Tell of a mail that is not taken what it says, and where it would belong."""
        intake = self.intake
        recipients = kept.envelope.recipients or message.recipients
        thread, _ = self._admission().find_thread(recipients, message, message.from_address)
        project = intake.engine.projects.find(decision.project) if decision.project else None
        editor = project.editor_by_address(decision.sender) if project and decision.sender else None
        lane = thread.lane.key if thread else Lane(project.id, editor.user).key if project and editor else None
        heard = hear_in(intake.engine, intake.domain, message, thread)
        self._tell_words(heard.text)
        ended = self._end(decision)
        return replace(ended, lane=lane, thread=thread.id if thread else None, instruction=heard.text)

    def _take(self, kept: KeptMail, message: Message, admitted: Admitted) -> Explained:
        thread = admitted.thread
        lane = thread.lane if thread else Lane(admitted.project.id, admitted.editor.user)
        where = f"thread {thread.id}, found by {admitted.found_by}" if thread else "a new thread"
        self.steps.append(f"Place: the lane {lane.key}, {where}.")
        meant = understand(self.intake.engine, self.intake.domain, message, admitted)
        decision = self._refusal(kept, message, admitted) or meant.refusal
        if decision is None and meant.is_doubtful:
            decision = Decision(
                MailOutcome.ANSWERED, "it is neither a clear yes nor a clear no", admitted.editor.address
            )
        if decision is None and meant.verb is not None:
            decision = Decision(MailOutcome.ANSWERED, f"the verb {meant.verb.value}", admitted.editor.address)
        if decision is None:
            decision = Decision(MailOutcome.QUEUED, "", admitted.editor.address)
        self._tell_words(meant.instruction or meant.heard.spoken)
        decision = replace(decision, project=admitted.project.id)
        ended = self._end(decision)
        return replace(ended, lane=lane.key, thread=thread.id if thread else NEW, instruction=meant.instruction)

    def _refusal(self, kept: KeptMail, message: Message, admitted: Admitted) -> Decision | None:
        engine, limits = self.intake.engine, self.intake.belief.limits
        key = dedup_key(admitted.project, admitted.editor, message, admitted.sender)
        if (owner := engine.inbox.key_holder(key)) is not None:
            return Decision(MailOutcome.REPEATED, f"the same mail is already {owner}", admitted.editor.address)
        return AcceptanceLimits(engine, limits, self.intake.clock.now()).would_exceed(kept, admitted)

    def _tell_words(self, words: str) -> None:
        shown = words if len(words) <= _SHOWN else f"{words[:_SHOWN]}… ({len(words)} letters)"
        self.steps.append(f"Words: {shown or '(none)'}")

    def _end(self, decision: Decision) -> Explained:
        because = f", because {decision.reason.rstrip('.')}" if decision.reason else ""
        answer = f" The answer would be “{decision.answer}”." if decision.answer else ""
        self.steps.append(f"Outcome: {decision.outcome}{because}.{answer}")
        return Explained(decision, steps=tuple(self.steps))
