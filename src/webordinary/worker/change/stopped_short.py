"""How a job ends that stopped short of a change: with a question, or with why nothing could be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.jobs.job import Ending, FileKind, Kind, Outcome, State
from webordinary.jobs.reported import Question, WhyStopped
from webordinary.mail.words.quoting import without_pictures
from webordinary.worker.change.carried import earlier_in_thread, whole_request

if TYPE_CHECKING:
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job, Request

_PICTURE = "picture"


def ask_about_files(engine: Engine, job: Job) -> Ending | None:
    """Ask what to do with files that came without a word, unless they are what was asked for before."""
    if job.kind != Kind.INSTRUCTION or without_pictures(job.request.text).strip() or _is_awaited(engine, job):
        return None
    if all(each.fate is FileKind.SKIPPED for each in job.request.attachments):
        return Ending(State.REFUSED, error="the mail has no text", template="refused_empty")
    if not any(each.is_usable for each in job.request.attachments):
        return _cannot_use(job.request)
    has_photo = any(each.fate is FileKind.PHOTO for each in job.request.attachments)
    words = "photo_wordless" if has_photo else "refused_empty"
    return Ending(State.DONE, Outcome.ASKED, summary="what to do with the files", template=words)


def ending_without_change(engine: Engine, job: Job) -> Ending | None:
    """Return the end of a job whose agent has not done what was asked; None when it has."""
    match job.journal.stopped:
        case WhyStopped.NOT_UNDERSTOOD:
            facts = {"summary": job.journal.summary}
            return Ending(State.FAILED, error="not understood", template="not_understood", facts=facts)
        case WhyStopped.QUESTION if job.journal.wants == _PICTURE:
            return _cannot_use(whole_request(engine, job))
        case WhyStopped.QUESTION:
            return _asked(job)
        case WhyStopped.ELSEWHERE:
            return Ending(State.DONE, Outcome.NOTHING_CHANGED, summary=job.journal.summary, template="elsewhere")
        case WhyStopped.DONE | None:
            return None


def _is_awaited(engine: Engine, job: Job) -> bool:
    earlier = earlier_in_thread(engine, job) if job.request.references else []
    return bool(earlier) and earlier[-1].outcome == Outcome.ASKED


def _cannot_use(request: Request) -> Ending:
    """Ask for a picture that can be used; the answer names those that cannot, each with its reason."""
    refused = any(each.fate is FileKind.REFUSED for each in request.attachments)
    words = "photo_refused" if refused else "photo_missing"
    return Ending(State.DONE, Outcome.ASKED, summary="asked for a picture that can be used", template=words)


def _asked(job: Job) -> Ending:
    """End with the agent's question; its work so far waits on the branch for the answer."""
    question = job.journal.question or Question(job.journal.summary)
    facts = {"question": question.text, "choices": "\n".join(question.choices)}
    return Ending(State.DONE, Outcome.ASKED, summary=question.text, template="question", facts=facts)
