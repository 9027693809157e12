"""A job that is about to be asked for: its name, its thread, and the key under which it exists only once."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.errors import Refused
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.about import rollback_to
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.mail.sender import Sender  # noqa: TC001 - what a mail asks for is read back from JSON by its annotations
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from webordinary.clock import Clock
    from webordinary.jobs.limits import Limits
    from webordinary.mail.message import Message
    from webordinary.routing.project import Editor, Project


@dataclass(frozen=True, slots=True)
class NewRequest:
    """What a mail asks for: a job without its files, and how many of those the mail brings."""

    job: NewJob
    files: int
    judged: Sender | None = None
    # In whose line the mail stands, and what its project says about newcomers.
    author: str = ""
    on_new_thread: str = ""

    @property
    def judged_job(self) -> NewJob:
        """The job, and how sure we are of who asked for it."""
        return replace(self.job, verdict=self.judged.verdict.value if self.judged else "")


def rule_for(project: Project, limits: Limits) -> InterruptRule:
    """Return how a newcomer may interrupt in this project."""
    return interrupt_rule(project.rules.on_new_thread.value, limits)


def interrupt_rule(on_new_thread: str, limits: Limits) -> InterruptRule:
    """Return how a newcomer may interrupt where a project says this of it."""
    return InterruptRule(
        on_new_thread=on_new_thread,
        first_after=limits.first_interrupt_after,
        at_most=limits.interruptions,
    )


def new_job_id() -> str:
    """Return a name for a job that no other job has."""
    return f"job-{secrets.token_hex(6)}"


def new_thread_id() -> str:
    """Return a name that nobody can guess and that no sender chose."""
    return secrets.token_hex(6)


def dedup_key(project: Project, editor: Editor, message: Message, sender: Sender) -> str:
    """Name the request: the same Message-ID from somebody else is another request.

    What was signed goes before every id: a mail that was caught could be sent again under a new one, or another one
    be sent first under the same. An id that nobody vouches for counts for nothing.
    """
    mark = sender.mark or (message.message_id if sender.proves_id else None)
    return f"mail:{project.id}:{editor.address}:{mark or _content_hash(message)}"


def _content_hash(message: Message) -> str:
    digest = hashlib.sha256(f"{message.subject}\0{message.written_at}\0{message.text}".encode())
    for each in message.attachments:
        digest.update(each.content)
    return digest.hexdigest()


def roll_back(project: Project, commit: str, by: str, clock: Clock) -> NewJob:
    """Return a job that brings a site back to a release; it goes before what the editor of its lane has asked for."""
    if not project.editors:
        raise Refused(f"{project.id} has no editor, in whose lane it could be done; add one first.")
    job = new_job_id()
    return NewJob(
        id=job,
        lane=Lane(project.id, project.editors[0].user),
        thread=new_thread_id(),
        dedup_key=f"rollback:{job}",
        kind=Kind.VERB,
        subject=f"Roll back to {commit[:12]}, asked for by {by}",
        request=Request(text=""),
        received_at=clock.now().wall_at,
        about=rollback_to(commit),
    )


def ask_for(project: Project, editor: Editor, text: str, clock: Clock) -> NewJob:
    """Return a job that somebody asks for without a mail."""
    job = new_job_id()
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
