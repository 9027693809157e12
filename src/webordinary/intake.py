"""From a mail to a job, step by step; every mail that was accepted comes to exactly one decision."""

from __future__ import annotations

import hashlib
import logging
import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.errors import Refused, WebOrdinaryError
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.job import Attached, Kind, NewJob, Request, State
from webordinary.jobs.lanes import Stopped
from webordinary.mail.inbox import Decision, Envelope, Kept
from webordinary.mail.parse import parse_message
from webordinary.mail.quoting import own_words
from webordinary.mail.sender import Verdict, judge_sender
from webordinary.mail.verbs import Verb, read_verb
from webordinary.routing.lane import Lane
from webordinary.routing.route import Route, choose_project

if TYPE_CHECKING:
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.limits import Limits
    from webordinary.mail.inbox import KeptMail
    from webordinary.mail.message import Message
    from webordinary.mail.sender import Sender
    from webordinary.routing.project import Editor, Project
    from webordinary.routing.threads import Thread

_log = logging.getLogger(__name__)

_MOST_JOBS = 100_000

# What a phone camera and a patient owner send; larger mails are refused at the door.
LARGEST_MAIL = 25 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Intake:
    """The way in, the same behind every door."""

    engine: Engine
    domain: str
    clock: Clock
    limits: Limits

    def receive(self, raw: bytes, envelope: Envelope) -> Kept:
        """Make the mail durable; when this returns, the sender may be told that it was accepted."""
        if len(raw) > LARGEST_MAIL:
            raise Refused(f"the mail has {len(raw) // 1_000_000} MB; the limit is {LARGEST_MAIL // 1024 // 1024} MB")
        return self.engine.inbox.keep(raw, envelope, self.clock.now())

    def decide(self, mail: str) -> Decision | None:
        """Decide what becomes of a kept mail; repeating it is harmless. None when it is not there."""
        kept = self.engine.inbox.find(mail)
        if kept is None:
            return None
        known = self.engine.overview.mail(mail)
        if known is not None and known.state == "decided":
            reason = f"the same delivery was decided before: {known.outcome}"
            return Decision("repeated", reason, known.sender, known.subject, job=known.job, thread=known.thread)
        message = parse_message(self.engine.inbox.read(mail), envelope_from=kept.envelope.mail_from)
        decision = replace(self._decision(kept, message), subject=message.subject)
        self.engine.inbox.decide(mail, decision, self.clock.now())
        return decision

    def decide_forgotten(self) -> int:
        """Decide the mails that were kept long ago and that nobody came to decide."""
        before = self.clock.now().wall_at - self.limits.undecided_after
        forgotten = self.engine.inbox.undecided(before)
        for kept in forgotten:
            self._decide_or_say_why_not(kept.id)
        return len(forgotten)

    def _decide_or_say_why_not(self, mail: str) -> None:
        """Let one mail that cannot be decided stand in nobody's way: it is held with its reason, for a person."""
        try:
            self.decide(mail)
        except (WebOrdinaryError, OSError):
            # It may pass: the mail stays undecided and is looked at again in the next round.
            _log.exception("the mail %s could not be decided yet", mail)
        except Exception as broken:  # noqa: BLE001 - whatever it is, the next mail has to be decided
            _log.exception("the mail %s cannot be decided", mail)
            reason = f"it could not be read ({type(broken).__name__}), which is our fault: please report it"
            self.engine.inbox.decide(mail, Decision("held", reason), self.clock.now())

    def _decision(self, kept: KeptMail, message: Message) -> Decision:
        if message.automatic:
            return Decision("automatic", message.automatic, message.from_address)
        sender = judge_sender(message, kept.envelope.vouch)
        recipients = kept.envelope.recipients or message.recipients
        route = choose_project(recipients, sender.address, self.engine.projects.all(), self.domain)
        thread = self.engine.threads.find_by_messages(message.references)
        if thread is not None and route.project is None:
            route = self._route_by_thread(thread, sender)
        if route.candidates and sender.verdict == Verdict.VERIFIED and sender.address:
            facts = {"addresses": "\n".join(f"{name}@{self.domain}" for name in route.candidates)}
            return Decision("refused", route.problem, sender.address, answer="which_project", facts=facts)
        if route.editor is None or route.project is None:
            reason = f"{route.problem}; {sender.reason}" if sender.verdict != Verdict.VERIFIED else route.problem
            return Decision("refused", reason, sender.address)
        if sender.verdict != Verdict.VERIFIED:
            return Decision("held", sender.reason, sender.address, project=route.project.id)
        if thread is not None and thread.lane.project != route.project.id:
            thread = None
        return self._take(kept, message, route.project, route.editor, thread)

    def _route_by_thread(self, thread: Thread, sender: Sender) -> Route:
        project = self.engine.projects.find(thread.lane.project)
        editor = project.editor_by_address(sender.address) if project and sender.address else None
        return Route(project, editor, "" if editor else "the sender may not write in this thread")

    def _take(
        self, kept: KeptMail, message: Message, project: Project, editor: Editor, thread: Thread | None
    ) -> Decision:
        words = own_words(message.text, is_reply=thread is not None)
        text = words.kept.strip()
        told = Decision("answered", "", editor.address, project=project.id)
        if thread is not None and (verb := read_verb(text)) is not None:
            return self._obey(verb, thread, kept, told)
        if not text and not (message.attachments and editor.default_instruction):
            return replace(told, outcome="refused", reason="the mail has no text", answer="refused_empty")
        instruction = "\n\n".join(part for part in (editor.default_instruction or "", text) if part)
        request = Request(
            text=instruction,
            cut=words.cut,
            attachments=self._keep_attachments(message),
            reply_to=editor.address,
            message_id=message.message_id,
            references=message.references,
        )
        lane = thread.lane if thread else Lane(project.id, editor.user)
        job = NewJob(
            id=f"job-{secrets.token_hex(6)}",
            lane=lane,
            thread=thread.id if thread else new_thread_id(),
            dedup_key=_dedup_key(project, editor, message),
            kind=Kind.INSTRUCTION,
            subject=message.subject,
            request=request,
            received_at=kept.received_at,
            mail=kept.id,
        )
        accepted = self.engine.lanes.accept(job, self.clock.now(), ready=rule_for(project, self.limits))
        outcome = "queued" if accepted.fresh else "repeated"
        reason = "" if accepted.fresh else f"the same mail is already {accepted.job}"
        thread_id = job.thread if accepted.fresh else None
        return replace(told, outcome=outcome, reason=reason, job=accepted.job, thread=thread_id)

    def _keep_attachments(self, message: Message) -> tuple[Attached, ...]:
        return tuple(
            Attached(each.name, each.content_type, self.engine.inbox.keep_file(each.content))
            for each in message.attachments
        )

    def _obey(self, verb: Verb, thread: Thread, kept: KeptMail, told: Decision) -> Decision:
        """Do what a reply verb says without any agent; verbs that this version lacks are answered honestly."""
        told = replace(told, reason=f"the verb {verb.value}", thread=thread.id)
        jobs = self.engine.overview.jobs(lane=thread.lane.key, limit=_MOST_JOBS)
        # A word that came late is not about what was asked for after it.
        mine = [job for job in jobs if job.thread == thread.id and job.received_at <= kept.received_at]
        if verb == Verb.STOP:
            return replace(told, answer=self._stop([job.id for job in mine if job.state.is_live], told.sender or ""))
        ended_badly = [job for job in mine if job.state in {State.FAILED, State.DEAD, State.STOPPED}]
        if verb == Verb.AGAIN and ended_badly:
            again = self.engine.lanes.redrive(ended_badly[0].id, told.sender or "", self.clock.now(), key=kept.id)
            return replace(told, outcome="queued", job=again)
        if verb == Verb.STATUS:
            return replace(told, answer="status", facts={"status": "\n".join(map(_status_line, reversed(mine)))})
        return replace(told, answer="help" if verb == Verb.HELP else "not_yet")

    def _stop(self, jobs: list[str], by: str) -> str | None:
        """Stop all live jobs of a thread; each stopped job answers for itself."""
        results = [self.engine.lanes.stop(job, by, self.clock.now()) for job in jobs]
        if Stopped.TOO_LATE in results:
            return "too_late"
        return None if results else "nothing_to_stop"


def _status_line(job: Job) -> str:
    """Say in plain words where a request stands."""
    words = {
        State.PREPARING: "is being made ready",
        State.QUEUED: "waits for its turn",
        State.RUNNING: "is being worked on",
        State.PARKED: "was set aside for a newer request and will be resumed",
        State.COMMITTING: "is being published",
        State.DONE: "is done",
        State.STOPPED: "was stopped",
    }
    return f'- "{job.subject or "(no subject)"}" {words.get(job.state, "could not be done")}'


def rule_for(project: Project, limits: Limits) -> InterruptRule:
    """Return how a newcomer may interrupt in this project."""
    return InterruptRule(
        on_new_thread=project.rules.on_new_thread.value,
        first_after=limits.first_interrupt_after,
        at_most=limits.interruptions,
    )


def new_thread_id() -> str:
    """Return a name that nobody can guess and that no sender chose."""
    return secrets.token_hex(6)


def _dedup_key(project: Project, editor: Editor, message: Message) -> str:
    """Name the request: the same Message-ID from somebody else is another request."""
    mark = message.message_id or _content_hash(message)
    return f"mail:{project.id}:{editor.address}:{mark}"


def _content_hash(message: Message) -> str:
    digest = hashlib.sha256(f"{message.subject}\0{message.written_at}\0{message.text}".encode())
    for each in message.attachments:
        digest.update(each.content)
    return digest.hexdigest()


def ask_for(project: Project, editor: Editor, text: str, clock: Clock) -> NewJob:
    """Return a job that somebody asks for without a mail."""
    job = f"job-{secrets.token_hex(6)}"
    return NewJob(
        id=job,
        lane=Lane(project.id, editor.user),
        thread=new_thread_id(),
        dedup_key=f"asked:{job}",
        kind=Kind.ASKED,
        subject=text.strip().splitlines()[0][:80] if text.strip() else "",
        request=Request(text=text),
        received_at=clock.now().wall_at,
    )
