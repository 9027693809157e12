"""The steps of a mail, each harmless when repeated; every mail that was accepted comes to exactly one decision."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from webordinary.errors import Refused, WebOrdinaryError
from webordinary.intake.confirm import RELEASED
from webordinary.intake.new_job import NewRequest, rule_for
from webordinary.intake.read import Reading
from webordinary.intake.trust import Trust
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import State
from webordinary.mail.bounce import read_bounce
from webordinary.mail.identity.dns import NoDns
from webordinary.mail.identity.judge import Judge
from webordinary.mail.inbox import Decision, Envelope, Kept
from webordinary.mail.mime.bounded import read_mail
from webordinary.mail.outcomes import MailOutcome
from webordinary.media import MediaLimits, Preparation
from webordinary.reply.bounces import Bounce
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from webordinary.clock import Clock, Moment
    from webordinary.engine import Engine
    from webordinary.jobs.job import Attached, Job, NewJob
    from webordinary.jobs.lanes import Accepted
    from webordinary.jobs.limits import Limits
    from webordinary.mail.bounce import Returned
    from webordinary.mail.inbox import KeptMail
    from webordinary.mail.message import Message


def note_bounces(engine: Engine, raw: bytes, now: Moment) -> int:
    """Write down what a delivery report says, and say how much of it was new."""
    return note_returned(engine, read_bounce(raw), now)


def note_returned(engine: Engine, found: Iterable[Returned], now: Moment) -> int:
    """Record a bounce, from any source.

    Our Message-IDs cannot be guessed, so nobody can make up reports to silence us towards somebody else.
    """
    noted = 0
    for returned in found:
        letter = engine.outbox.find_sent(returned.message_id)
        if letter is None or fold_address(letter.to) != fold_address(returned.address):
            continue
        bounce = Bounce(letter.key, letter.to, returned.is_for_good, returned.reason, now.wall_at)
        noted += engine.bounces.record(bounce)
    return noted


_log = logging.getLogger(__name__)

# What a phone camera and a patient owner send; larger mails are refused at the door.
LARGEST_MAIL = 25 * 1024 * 1024
_MEDIA = MediaLimits()
# How soon a mail is looked at again that waits for an older one of which nobody knows when it can be decided.
_LOOK_AGAIN = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Placed:
    """A mail whose job has its place in the lane while its files are still to be prepared."""

    mail: str
    job: Job
    decision: Decision


@dataclass(frozen=True, slots=True)
class Intake:
    """The way in, the same behind every door.

    Mails of one author are decided in the order of their arrival: each call decides earlier ones first.
    Files are prepared behind that, at once or by what `aside` says.
    """

    engine: Engine
    domain: str
    clock: Clock
    limits: Limits
    media: MediaLimits = _MEDIA
    trust: Trust | None = None
    aside: Callable[[Callable[[], object]], object] | None = None

    def receive(self, raw: bytes, envelope: Envelope) -> Kept:
        """Make the mail durable; when this returns, the sender may be told that it was accepted."""
        if len(raw) > LARGEST_MAIL:
            raise Refused(f"the mail has {len(raw) // 1_000_000} MB; the limit is {LARGEST_MAIL // 1024 // 1024} MB")
        return self.engine.inbox.keep(raw, envelope, self.clock.now())

    def decide(self, mail: str) -> Decision | None:
        """Take all steps in a row; None when the mail is not there."""
        found = self._decide_in_turn(mail)
        if not isinstance(found, Placed):
            return found
        if self.aside is None:
            return self._prepare(found)
        self.aside(partial(self._said_if_broken, self._prepare, found))
        return found.decision

    def read(self, mail: str) -> Decision | NewRequest | None:
        """Decide what becomes of a kept mail; a job that it asks for is returned and not accepted yet."""
        kept = self.engine.inbox.find(mail)
        if kept is None:
            return None
        known = self._decided(mail) if kept.is_decided else self._decide_older(kept)
        return known or self._read(kept, *self._message(kept))

    def read_or_refuse(self, mail: str) -> Decision | NewRequest | None:
        """Read a mail; one that can never become a job is decided with the reason, so that nobody comes back to it."""
        try:
            return self.read(mail)
        except Refused as never:
            return self._refuse(mail, never)

    def accept(self, wanted: NewRequest, *, is_ready: bool = False) -> Decision:
        """Give the job its place in the lane, once for each request; with `is_ready` it may start at once."""
        job = wanted.judged_job
        rule = self._rule(job) if is_ready else None
        return self.decision_of(wanted, self.engine.lanes.accept(job, self.clock.now(), ready=rule))

    def decision_of(self, wanted: NewRequest, accepted: Accepted) -> Decision:
        """Say what became of a mail whose request was accepted, now or before."""
        job = wanted.job
        told = Decision(
            MailOutcome.QUEUED, "", job.request.reply_to, job.subject, job.lane.project, accepted.job, job.thread
        )
        told = replace(told, judged=wanted.judged)
        if accepted.fresh:
            return told
        known = self.engine.overview.job(accepted.job)
        if known is not None and known.mail is not None and known.mail == job.mail:
            # An earlier process that began to decide this mail made the job of it, and may not have come to its end.
            return replace(told, thread=known.thread)
        return replace(
            told, outcome=MailOutcome.REPEATED, reason=f"the same mail is already {accepted.job}", thread=None
        )

    def prepare(self, mail: str, index: int) -> Attached:
        """Make one of the files that a mail brought ready; what becomes of it does not depend on who asks."""
        kept = self.engine.inbox.find(mail)
        if kept is None:
            raise Refused(f"there is no mail {mail}")
        return self._preparation(self._message(kept)[1]).some([index])[0]

    def enqueue(self, job: NewJob | Job, attachments: tuple[Attached, ...]) -> None:
        """Let the prepared job wait for its turn, with its files."""
        self.engine.lanes.enqueue(job.id, self._rule(job), self.clock.now(), attachments=attachments)

    def decide_forgotten(self) -> int:
        """Decide the mails that were kept long ago and that nobody came to decide."""
        before = self.clock.now().wall_at - self.limits.undecided_after
        forgotten = self.engine.inbox.undecided(before)
        decided = [self._decide_or_say_why_not(kept.id, self._decide_in_turn) for kept in forgotten]
        for found in decided:
            # Behind all decisions: files may take minutes.
            if isinstance(found, Placed):
                self._said_if_broken(self._prepare, found)
        return len(forgotten)

    def _decide_in_turn(self, mail: str) -> Decision | Placed | None:
        """Decide a mail and those before it of the same author, up to the place in the lane."""
        kept = self.engine.inbox.find(mail)
        if kept is None:
            return None
        known = self._decided(mail) if kept.is_decided else self._decide_older(kept)
        return known or self._decide_alone(mail)

    def _decide_alone(self, mail: str) -> Decision | Placed | None:
        kept = self.engine.inbox.find(mail)
        if kept is None:
            return None
        found = self._read(kept, *self._message(kept))
        if isinstance(found, NewRequest):
            return self._place(mail, found)
        if RELEASED in found.facts:
            self.decide(found.facts[RELEASED])
        return found

    def _decide_older(self, kept: KeptMail) -> Decision | None:
        """Decide what the same author wrote before; return that this mail has to wait if one cannot be decided yet."""
        now = self.clock.now().wall_at
        for older in self.engine.inbox.older(kept):
            put_off_to = older.due_at if older.due_at is not None and older.due_at > now else None
            found = None if put_off_to else self._decide_or_say_why_not(older.id, self._decide_alone)
            is_decided = found is not None and (isinstance(found, Placed) or found.outcome != MailOutcome.UNDECIDED)
            if is_decided or now - kept.received_at >= self.limits.overtake_after:
                continue
            until = put_off_to or now + _LOOK_AGAIN
            self.engine.inbox.put_off(kept.id, min(until, kept.received_at + self.limits.overtake_after), is_try=False)
            return Decision(MailOutcome.UNDECIDED, f"it waits for {older.id}, which its author wrote before it")
        return None

    def _place(self, mail: str, wanted: NewRequest) -> Decision | Placed:
        """Give the job its place; without files it waits for its turn in the same write and the mail is decided."""
        decision = self.accept(wanted, is_ready=not wanted.files)
        known = self.engine.overview.job(decision.job or "") if wanted.files else None
        if known is not None and known.state == State.PREPARING and known.mail == mail:
            self.engine.inbox.place(mail, known.id)
            return Placed(mail, known, replace(decision, outcome=MailOutcome.QUEUED, reason="", thread=known.thread))
        self.engine.inbox.decide(mail, decision, self.clock.now())
        return decision

    def _refuse(self, mail: str, never: Refused) -> Decision:
        decision = Decision(MailOutcome.REFUSED, str(never))
        self.engine.inbox.decide(mail, decision, self.clock.now())
        return decision

    def _decided(self, mail: str) -> Decision | None:
        known = self.engine.overview.mail(mail)
        if known is None or known.state != "decided":
            return None
        reason = f"the same delivery was decided before: {known.outcome}"
        return Decision(MailOutcome.REPEATED, reason, known.sender, known.subject, job=known.job, thread=known.thread)

    def _read(self, kept: KeptMail, raw: bytes, message: Message) -> Decision | NewRequest:
        reading = Reading(self.engine, self.domain, self.clock.now(), self.belief)
        found = reading.read(kept, raw, message)
        if isinstance(found, NewRequest) or found.outcome is MailOutcome.UNDECIDED:
            return found
        decision = replace(found, subject=message.subject)
        if found.outcome is MailOutcome.AUTOMATIC:
            note_bounces(self.engine, raw, self.clock.now())
        self.engine.inbox.decide(kept.id, decision, self.clock.now())
        return decision

    def _prepare(self, placed: Placed) -> Decision:
        """Prepare each file and enqueue the job; a crash in between is made good by deciding the mail again."""
        kept = self.engine.inbox.find(placed.mail)
        if kept is not None and not kept.is_decided:
            # Files can take longer than a mail may lie: not every worker has to do it once more at the same time.
            self.engine.inbox.put_off(kept.id, self.clock.now().wall_at + self.media.deadline_together / 2)
            self.enqueue(placed.job, self._preparation(self._message(kept)[1]).all())
            self.engine.inbox.decide(kept.id, placed.decision, self.clock.now())
        return placed.decision

    def _said_if_broken(self, step: Callable[[Placed], object], placed: Placed) -> None:
        """Take a step for which nobody waits; the mail stays undecided if it breaks, and the sweep comes back to it."""
        try:
            step(placed)
        except Exception:  # noqa: BLE001 - whatever it is, the next mail has to be looked at
            _log.exception("the files of %s could not be prepared yet", placed.mail)

    def _preparation(self, message: Message) -> Preparation:
        return Preparation(message, self.media, self.engine.inbox.keep_file)

    @property
    def belief(self) -> Trust:
        """The trusted sources; without anything else only doors, and what needs no name server."""
        return self.trust or Trust(Judge(NoDns(), self.domain))

    def _message(self, kept: KeptMail) -> tuple[bytes, Message]:
        raw = self.engine.inbox.read(kept.id)
        return raw, read_mail(raw, envelope_from=kept.envelope.mail_from)

    def _rule(self, job: NewJob | Job) -> InterruptRule:
        project = self.engine.projects.find(job.lane.project)
        return rule_for(project, self.limits) if project else InterruptRule()

    def _decide_or_say_why_not(
        self, mail: str, decide: Callable[[str], Decision | Placed | None]
    ) -> Decision | Placed | None:
        """Let one mail that cannot be decided stand in nobody's way: it is held with its reason, for a person."""
        try:
            return decide(mail)
        except Refused as never:
            return self._refuse(mail, never)
        except (WebOrdinaryError, OSError):
            # It may pass: the mail stays undecided and is looked at again in the next round.
            _log.exception("the mail %s could not be decided yet", mail)
            return None
        except Exception as broken:  # noqa: BLE001 - whatever it is, the next mail has to be decided
            _log.exception("the mail %s cannot be decided", mail)
            reason = f"it could not be read ({type(broken).__name__}), which is our fault: please report it"
            held = Decision(MailOutcome.HELD, reason)
            self.engine.inbox.decide(mail, held, self.clock.now())
            return held
