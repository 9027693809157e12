"""What a job that is done still waits for: somebody's ok, or the answer to a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.cli.output import say
from webordinary.jobs.job import Outcome
from webordinary.jobs.proposals import Standing

if TYPE_CHECKING:
    from webordinary.cli.records import Record
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.proposals import Proposal


def pending_answers(engine: Engine, job: Job) -> Record:
    """Return what programs read of it; nothing when it waits for nobody."""
    if job.outcome == Outcome.PROPOSED:
        proposal = engine.proposals.find(job.thread)
        is_open = proposal is not None and proposal.id == job.id and proposal.standing == Standing.OPEN
        return _ok_wanted(job, proposal) if proposal is not None and is_open else {}
    return _question(job) if job.outcome == Outcome.ASKED else {}


def say_what_waits(engine: Engine, job: Job) -> None:
    """Tell people what it waits for, and what they can type."""
    found = pending_answers(engine, job)
    if found.get("waits_for") == "ok":
        who = ", of the agency" if found["for_agency"] else ""
        say(f"{job.id} waits for an ok{who}:", "yellow")
        for reason in found["reasons"]:
            say(f"  {reason}")
        if found["preview"]:
            say(f"  see it at {found['preview']}")
        say(f"`webordinary approve {job.id}` publishes it, `webordinary withdraw {job.id}` drops it.")
    elif found:
        say(f"{job.id} waits for an answer: {found['question']}", "yellow")
        for number, choice in enumerate(found["choices"], start=1):
            say(f"  {number}. {choice}")
        say(f'`webordinary ask {job.lane.project} {job.lane.user} "…"` asks again, with the answer in it.')


def _ok_wanted(job: Job, proposal: Proposal) -> Record:
    from webordinary.reply.tell import tell_facts  # noqa: PLC0415 - heavy, and --help should be quick
    from webordinary.reply.words import phrases  # noqa: PLC0415 - heavy

    told = tell_facts({"reasons": proposal.reason}, phrases("en"))["reasons"]
    return {
        "waits_for": "ok",
        "for_agency": proposal.for_agency,
        "reasons": told.splitlines(),
        "preview": job.journal.preview,
        "expires_at": proposal.expires_at.isoformat(),
    }


def _question(job: Job) -> Record:
    asked = job.journal.question
    if asked is None:
        return {}
    return {"waits_for": "answer", "question": asked.text, "choices": list(asked.choices)}
