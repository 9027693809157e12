"""How a job ends whose agent stopped short of a change: with a question, or with why nothing could be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.agent.agent import Question, WhyStopped
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.worker.brief import question_of

if TYPE_CHECKING:
    from webordinary.jobs.job import Job


def ending_without_change(job: Job) -> Ending | None:
    """Return the end of a job whose agent has not done what was asked; None when it has."""
    match WhyStopped(job.journal["stopped"]):
        case WhyStopped.NOT_UNDERSTOOD:
            facts = {"summary": job.journal["summary"]}
            return Ending(State.FAILED, error="not understood", words="not_understood", facts=facts)
        case WhyStopped.QUESTION:
            return _asked(job)
        case WhyStopped.ELSEWHERE:
            return Ending(State.DONE, Outcome.NOTHING_CHANGED, summary=job.journal["summary"], words="elsewhere")
        case WhyStopped.DONE:
            return None


def _asked(job: Job) -> Ending:
    """End with the agent's question; its work so far waits on the branch for the answer."""
    question = question_of(job) or Question(job.journal["summary"])
    facts = {"question": question.text, "choices": "\n".join(question.choices)}
    return Ending(State.DONE, Outcome.ASKED, summary=question.text, words="question", facts=facts)
