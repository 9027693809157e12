"""What somebody of the agency does with an answer that waits for their eye: let it go, other words, the change back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webordinary.actions.done import Done
from webordinary.actions.known import QUEUES, require_job
from webordinary.errors import Refused
from webordinary.intake.new_job import new_job_id
from webordinary.jobs.about import approval_of, revert_of
from webordinary.jobs.job import Kind, NewJob, Outcome, Request
from webordinary.jobs.schedules import Phase
from webordinary.reply.held_answers import MOST_HELD, with_words

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.jobs.job import Job
    from webordinary.reply.compose import Answer
    from webordinary.reply.held_answers import HeldAnswer

LONGEST_WORDS = 5_000
_LIVE = frozenset({Outcome.PUBLISHED, Outcome.UNDONE})
_LOOKED_AT = 200


def held_answer(here: Installation, job: str, seen: str = "") -> HeldAnswer:
    """Return the answer of a job that waits; refuse one that is no longer as somebody has seen it."""
    held = here.engine.held_answers.find(job)
    if held is None:
        require_job(here, job)
        raise Refused(f"No answer of {job} waits; `webordinary show held-answers` lists those that do.")
    if seen and seen != held.mark:
        raise Refused(f"Somebody has edited the answer of {job} since you saw it; look at it again.")
    return held


def let_go(here: Installation, job: str, by: str, seen: str = "") -> Done:
    """Let an answer go out, after those of its conversation that wait longer."""
    held = held_answer(here, job, seen)
    waiting = here.engine.held_answers.all(limit=MOST_HELD)
    first = next((each for each in waiting if each.thread == held.thread), held)
    if first.job != job:
        raise Refused(
            f"The answer of {first.job} waits longer in the same conversation; decide about it first, so that"
            " they are read in their order."
        )
    if not here.engine.held_answers.let_go(held, by, here.clock.now()):
        raise _changed(job)
    return Done(f"The answer of {job} goes out to {held.letter.to}.", job)


def edit(here: Installation, job: str, by: str, words: str, seen: str = "") -> Done:
    """Put other free words into an answer; what changed and what our checks state stays as it is."""
    held = held_answer(here, job, seen)
    facts = with_words(held.letter, checked_words(held, words))
    if not here.engine.held_answers.edit(held, facts, by, here.clock.now()):
        raise _changed(job)
    return Done(f"The answer of {job} has your words now, and still waits.", job)


def checked_words(held: HeldAnswer, words: str) -> str:
    """Return words that fit into an answer, or say why they do not."""
    words = words.replace("\r\n", "\n").strip()
    if len(words) > LONGEST_WORDS:
        raise Refused(f"The words are longer than {LONGEST_WORDS:,} characters; write less.")
    if held.letter.words == "question" and not words:
        raise Refused("The answer is a question, and a question needs words.")
    return words


def take_back(here: Installation, job: str, by: str, *, tells: bool = False, seen: str = "") -> Done:
    """Take back what a job has done, and never send its answer; the owner hears of it only if somebody says so."""
    held, found = held_answer(here, job, seen), require_job(here, job)
    live = _brought_live(here, found)
    # The undo first: after a crash in between the answer still waits, and the same undo is known by its name.
    undone = _undo(here, live, held, by, tells=tells) if live else None
    planned = _cancel(here, found, by)
    why = f"taken back by {undone}" if undone else "what was planned is off" if planned else "nothing of it was live"
    if not here.engine.held_answers.take_back(held, by, why, here.clock.now()):
        raise _changed(job)
    if undone:
        told = f"{held.letter.to} is told" if tells else "nobody is told"
        return Done(f"{undone} takes back what {job} has published, its answer is not sent, and {told}.", undone)
    return Done(f"The answer of {job} is not sent; {why}.", job)


def as_it_would_go_out(here: Installation, held: HeldAnswer, words: str | None = None) -> Answer:
    """Write an answer without keeping what is written; with other free words if somebody tries some."""
    facts = held.letter.facts if words is None else with_words(held.letter, checked_words(held, words))
    writer, letter = here.writer, replace(held.letter, facts=facts)
    return writer.write(letter, writer.message_id(letter), here.clock.now().wall_at)


def _brought_live(here: Installation, found: Job) -> Job | None:
    """Return the job that brought the change live: this one, or the ok to what it has proposed."""
    oks = here.engine.overview.jobs(lane=found.lane.key, limit=_LOOKED_AT) if found.outcome == Outcome.PROPOSED else ()
    said = (job for job in oks if job.about == approval_of(found.id))
    return next((job for job in (found, *said) if job.outcome in _LIVE and job.commit), None)


def _undo(here: Installation, live: Job, held: HeldAnswer, by: str, *, tells: bool) -> str:
    """Ask for the undo of what went live, once: two answers may tell of the same change."""
    asked, to = live.request, held.letter.to if tells else None
    undo = NewJob(
        id=new_job_id(),
        lane=live.lane,
        thread=live.thread,
        dedup_key=f"undo:{live.commit}:held",
        kind=Kind.VERB,
        subject=live.subject,
        request=Request("", reply_to=to, message_id=asked.message_id, references=asked.references, by=by),
        received_at=here.clock.now().wall_at,
        about=revert_of(live.commit or ""),
    )
    return here.engine.lanes.accept(undo, here.clock.now(), ready=QUEUES).job


def _cancel(here: Installation, found: Job, by: str) -> bool:
    """Take off the list what the job has planned to bring live."""
    plans = here.engine.schedules.all(project=found.lane.project)
    mine = [plan.id for plan in plans if plan.job == found.id and plan.phase is Phase.PUBLISH]
    closed = [here.engine.schedules.close(plan, by, here.clock.now()) for plan in mine]
    return any(closed)


def _changed(job: str) -> Refused:
    return Refused(f"Somebody else has decided about the answer of {job} in this moment; look at it again.")
