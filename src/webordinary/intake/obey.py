"""Obeys reply verbs without any agent; verbs that this version lacks are answered honestly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.intake.decide_verb import DecideVerb
from webordinary.jobs.job import Outcome, State
from webordinary.jobs.lanes import Stopped
from webordinary.jobs.schedules import Phase
from webordinary.mail.charset import clean_line
from webordinary.mail.verbs import Verb

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.intake.decide_verb import Reply
    from webordinary.intake.newcomer import Wanted
    from webordinary.jobs.job import Job
    from webordinary.jobs.schedules import Schedule
    from webordinary.mail.inbox import Decision
    from webordinary.routing.lane import Lane

_MOST_JOBS = 100_000
_MOST_LOOKED_AT = 200
_MOST_OVER = 5
_ENDED_BADLY = frozenset({State.FAILED, State.DEAD, State.STOPPED})


@dataclass(frozen=True, slots=True)
class Obey:
    """What a single word does; doing it twice for the same mail is harmless."""

    engine: Engine
    agency: str | None
    now: Moment

    def obey(self, verb: Verb, reply: Reply, told: Decision) -> Decision | Wanted:
        thread, kept = reply.thread, reply.kept
        told = replace(told, reason=f"the verb {verb.value}", thread=thread.id)
        decide = DecideVerb(self.engine, self.agency, self.now)
        if verb == Verb.OK:
            return decide.approve(reply, told)
        jobs = self.engine.overview.jobs(lane=thread.lane.key, limit=_MOST_JOBS)
        # A word that came late is not about what was asked for after it.
        mine = [job for job in jobs if job.thread == thread.id and job.received_at <= kept.received_at]
        by = told.sender or ""
        if verb == Verb.STOP:
            return replace(told, answer=self._stop([job.id for job in mine if job.state.is_live], by))
        if verb == Verb.AGAIN and (failed := _to_repeat(mine, reply.answers)):
            again = self.engine.lanes.redrive(failed, by, self.now, key=kept.id)
            return replace(told, outcome="queued", job=again)
        if verb == Verb.UNDO:
            return decide.undo(reply, mine, told)
        if verb == Verb.STATUS:
            return replace(told, answer="status", facts={"requests": self._standings(mine, thread.lane)})
        return replace(told, answer="help" if verb == Verb.HELP else "nothing_to_repeat")

    def obey_alone(self, verb: Verb, lane: Lane, told: Decision) -> Decision:
        """Answer a verb that stands in no conversation: there is nothing that it could stop, undo or approve."""
        told = replace(told, reason=f"the verb {verb.value}, in a mail that answers none of ours")
        if verb != Verb.STATUS:
            return replace(told, answer="help")
        jobs = self.engine.overview.jobs(lane=lane.key, limit=_MOST_LOOKED_AT)
        return replace(told, answer="status", facts={"requests": self._standings(jobs, lane)})

    def _standings(self, jobs: Sequence[Job], lane: Lane) -> str:
        """Tell what runs, waits, is proposed and asked for, and what is still to come."""
        open_ = {proposal.id for proposal in self.engine.proposals.all_open(project=lane.project)}
        # Whoever has written in the thread since has answered the question.
        last = {job.thread: job.id for job in reversed(jobs)}
        asked = {job.id for job in jobs if job.outcome == Outcome.ASKED and last[job.thread] == job.id}
        told = _worth_telling(jobs, {job.id for job in jobs if job.state.is_live} | open_ | asked)
        # What is planned is told by its moments.
        told = [job for job in told if job.outcome != Outcome.SCHEDULED]
        lines = [_standing(job, is_open=job.id in open_, is_asked=job.id in asked) for job in reversed(told)]
        moments = (each for each in self.engine.schedules.all(project=lane.project) if each.lane == lane)
        return "\n".join([*lines, *(line for each in moments for line in self._planned(each))])

    def _planned(self, schedule: Schedule) -> Iterator[str]:
        """Tell what is to come, each moment on the owner's own clock."""
        job = self.engine.overview.job(schedule.job)
        subject = clean_line(job.subject) if job else ""
        yield f"{schedule.phase.value}_at\t{subject}\t{schedule.at.isoformat()}"
        if schedule.until is not None:
            yield f"{Phase.REVERT.value}_at\t{subject}\t{schedule.until.isoformat()}"

    def _stop(self, jobs: list[str], by: str) -> str | None:
        """Stop all live jobs of a thread; each stopped job answers for itself."""
        results = [self.engine.lanes.stop(job, by, self.now) for job in jobs]
        if Stopped.TOO_LATE in results:
            return "too_late"
        return None if results else "nothing_to_stop"


def _to_repeat(jobs: Sequence[Job], answers: str | None) -> str | None:
    """Return what ended badly and was not tried again: what the answered mail told of, else the last of them."""
    repeated = {job.repeats for job in jobs}
    failed = [job.id for job in jobs if job.state in _ENDED_BADLY and job.id not in repeated]
    if any(job.id == answers for job in jobs):
        return answers if answers in failed else None
    return failed[0] if failed else None


def _worth_telling(jobs: Sequence[Job], waiting: Collection[str]) -> list[Job]:
    """Leave out what is long over: everything that waits for somebody is told, and the last few of the others."""
    over = [job.id for job in jobs if job.id not in waiting][:_MOST_OVER]
    return [job for job in jobs if job.id in waiting or job.id in over]


def _standing(job: Job, *, is_open: bool, is_asked: bool) -> str:
    """Name the state and the subject; the answer says it in the person's language."""
    state = "proposed" if is_open else "asked" if is_asked else job.state.value
    return f"{state}\t{clean_line(job.subject)}"
