"""Reads a kept mail: who wrote it, for which lane, and what they want."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.intake.hear import hear, said_before
from webordinary.intake.newcomer import Wanted, dedup_key, new_job_id, new_thread_id
from webordinary.intake.obey import Obey
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.mail.automatic import came_from_us
from webordinary.mail.inbox import Decision
from webordinary.mail.sender import Verdict, judge_sender
from webordinary.routing.lane import Lane
from webordinary.routing.route import Route, choose_project

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.intake.hear import Heard
    from webordinary.mail.inbox import KeptMail
    from webordinary.mail.message import Message
    from webordinary.mail.sender import Sender
    from webordinary.routing.project import Editor, Project
    from webordinary.routing.threads import Thread


@dataclass(frozen=True, slots=True)
class _Writer:
    """A verified editor, in a project, perhaps in one of its threads."""

    project: Project
    editor: Editor
    thread: Thread | None


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at one mail; repeating it is harmless."""

    engine: Engine
    domain: str
    now: Moment

    def read(self, kept: KeptMail, message: Message) -> Decision | Wanted:
        """Return what is decided already, or the job that the mail asks for."""
        if automatic := message.automatic or came_from_us(message, self.domain):
            return Decision("automatic", automatic, message.from_address)
        sender = judge_sender(message, kept.envelope.vouch)
        writer = self._place(kept, message, sender)
        return writer if isinstance(writer, Decision) else self._want(kept, message, writer)

    def _place(self, kept: KeptMail, message: Message, sender: Sender) -> Decision | _Writer:
        """Find the project and the thread, and who the sender is there."""
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
        return _Writer(route.project, route.editor, thread)

    def _route_by_thread(self, thread: Thread, sender: Sender) -> Route:
        project = self.engine.projects.find(thread.lane.project)
        editor = project.editor_by_address(sender.address) if project and sender.address else None
        return Route(project, editor, "" if editor else "the sender may not write in this thread")

    def _want(self, kept: KeptMail, message: Message, writer: _Writer) -> Decision | Wanted:
        told = Decision("answered", "", writer.editor.address, project=writer.project.id)
        thread, obey = writer.thread, Obey(self.engine, self.now)
        if message.excess is not None:
            return _refused(told, message.excess)
        heard = hear(message, said_before(self.engine, thread, message) if thread else None)
        if (verb := heard.verb) is not None:
            own = Lane(writer.project.id, writer.editor.user)
            return obey.obey(verb, thread, kept, told) if thread else obey.obey_alone(verb, own, told)
        if not heard.text and message.unreadable:
            return _refused(told, " ".join(message.unreadable))
        if not heard.spoken and not heard.text and not (message.attachments and writer.editor.default_instruction):
            return replace(told, outcome="refused", reason="the mail has no text", answer="refused_empty")
        return Wanted(_job(kept, message, writer, heard), len(message.attachments))


def _refused(told: Decision, reason: str) -> Decision:
    return replace(told, outcome="refused", reason=reason, answer="refused", facts={"reason": reason})


def _job(kept: KeptMail, message: Message, writer: _Writer, heard: Heard) -> NewJob:
    project, editor, thread = writer.project, writer.editor, writer.thread
    request = Request(
        text="\n\n".join(part for part in (editor.default_instruction or "", heard.text) if part),
        cut=heard.cut,
        reply_to=editor.address,
        message_id=message.message_id,
        references=message.references,
    )
    return NewJob(
        id=new_job_id(),
        lane=thread.lane if thread else Lane(project.id, editor.user),
        thread=thread.id if thread else new_thread_id(),
        dedup_key=dedup_key(project, editor, message),
        kind=Kind.INSTRUCTION,
        subject=message.subject,
        request=request,
        received_at=kept.received_at,
        mail=kept.id,
    )
