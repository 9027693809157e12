"""Writes the letters of the outbox: from what is recorded to the bytes of one mail, always the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.mail.conversation import bare_id, message_id_for
from webordinary.mail.parse import parse_message
from webordinary.reply.compose import Answer, compose
from webordinary.reply.words import words_for

if TYPE_CHECKING:
    from webordinary.clock import Clock
    from webordinary.jobs.job import Job
    from webordinary.mail.inbox import Inbox
    from webordinary.overview import Overview
    from webordinary.reply.outbox import Letter, Outbox
    from webordinary.routing.projects import Projects


@dataclass(frozen=True, slots=True)
class _Context:
    """Where in a conversation the letter belongs."""

    subject: str
    message_id: str | None
    references: tuple[str, ...]
    project: str | None


@dataclass(frozen=True, slots=True)
class Writer:
    """Turns a letter into a mail."""

    outbox: Outbox
    overview: Overview
    inbox: Inbox
    projects: Projects
    domain: str
    clock: Clock

    def seal(self, letter: Letter) -> bytes:
        """Write the letter and return the bytes that were kept first, so that every try sends the same text."""
        now = self.clock.now()
        context = self._context(letter)
        project = self.projects.find(context.project) if context.project else None
        editor = project.editor_by_address(letter.to) if project else None
        message_id = message_id_for(letter.job or letter.mail or letter.key, letter.kind, self.domain)
        answer = Answer(
            kind=letter.kind,
            to=letter.to,
            subject=context.subject,
            text=words_for(letter.words, editor.language if editor else "en", **letter.facts),
            in_reply_to=context.message_id,
            references=context.references,
            message_id=message_id,
            from_name=project.name if project else "WebOrdinary",
            from_address=f"{project.id if project else 'edit'}@{self.domain}",
            written_at=now.wall_at,
        )
        return self.outbox.seal(letter, compose(answer), bare_id(message_id), now)

    def _context(self, letter: Letter) -> _Context:
        job = self.overview.job(letter.job) if letter.job else None
        if job is not None:
            return _context_of(job)
        if letter.mail is None:
            return _Context(letter.facts.get("subject", "WebOrdinary"), None, (), None)
        message = parse_message(self.inbox.read(letter.mail))
        return _Context(message.subject, message.message_id, message.references, letter.facts.get("project"))


def _context_of(job: Job) -> _Context:
    return _Context(job.subject, job.request.message_id, job.request.references, job.lane.project)
