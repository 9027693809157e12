"""Carries out reply verbs without any agent; verbs that this version lacks are answered honestly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.intake.call_off import CallOff
from webordinary.intake.decide_verb import DecideVerb
from webordinary.intake.status_report import StatusReport
from webordinary.jobs.job import State
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.words.verbs import Verb
from webordinary.routing.lane import Lane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.intake.admit import Admitted
    from webordinary.intake.decide_verb import Reply
    from webordinary.intake.new_job import NewRequest
    from webordinary.jobs.job import Job
    from webordinary.mail.inbox import Decision

_MOST_JOBS = 100_000
_MOST_LOOKED_AT = 200
_ENDED_BADLY = frozenset({State.FAILED, State.DEAD, State.STOPPED})


@dataclass(frozen=True, slots=True)
class CarryOutVerb:
    """What a single word does; doing it twice for the same mail is harmless."""

    engine: Engine
    agency: str | None
    now: Moment

    def run(self, verb: Verb, reply: Reply, told: Decision) -> Decision | NewRequest:
        thread, kept = reply.thread, reply.kept
        told = replace(told, reason=f"the verb {verb.value}", thread=thread.id)
        decide = DecideVerb(self.engine, self.agency, self.now)
        if verb == Verb.OK:
            return decide.approve(reply, told)
        if verb == Verb.STOP:
            return CallOff(self.engine, self.now).stop(reply, told)
        jobs = self.engine.overview.jobs(lane=thread.lane.key, limit=_MOST_JOBS)
        # A word that came late is not about what was asked for after it.
        mine = [job for job in jobs if job.thread == thread.id and job.received_at <= kept.received_at]
        if verb == Verb.AGAIN and (failed := _to_repeat(mine, reply.answers)):
            again = self.engine.lanes.redrive(failed, told.sender or "", self.now, key=kept.id)
            return replace(told, outcome=MailOutcome.QUEUED, job=again)
        if verb == Verb.UNDO:
            return decide.undo(reply, mine, told)
        if verb == Verb.STATUS:
            return replace(told, answer="status", facts={"requests": self._status(mine, thread.lane, reply.writer)})
        return replace(told, answer="help" if verb == Verb.HELP else "nothing_to_repeat")

    def ask(self, reply: Reply, told: Decision) -> Decision | None:
        """Ask what is meant where somebody has been asked for an ok and said neither yes nor no."""
        return DecideVerb(self.engine, self.agency, self.now).ask(reply, told)

    def run_alone(self, verb: Verb, writer: Admitted, told: Decision) -> Decision:
        """Answer a verb that stands in no conversation: nobody can tell what it should stop, undo or approve."""
        lane = Lane(writer.project.id, writer.editor.user)
        told = replace(told, reason=f"the verb {verb.value}, in a mail that answers none of ours")
        if verb == Verb.HELP:
            return replace(told, answer="help")
        jobs = self.engine.overview.jobs(lane=lane.key, limit=_MOST_LOOKED_AT)
        answer = "status" if verb == Verb.STATUS else "reply_wanted"
        return replace(told, answer=answer, facts={"requests": self._status(jobs, lane, writer)})

    def _status(self, jobs: Sequence[Job], lane: Lane, writer: Admitted) -> str:
        decide = DecideVerb(self.engine, self.agency, self.now)
        return StatusReport(self.engine, lambda proposal: decide.may_approve(proposal, writer)).tell(jobs, lane)


def _to_repeat(jobs: Sequence[Job], answers: str | None) -> str | None:
    """Return what ended badly and was not tried again: what the answered mail told of, else the last of them."""
    repeated = {job.repeats for job in jobs}
    failed = [job.id for job in jobs if job.state in _ENDED_BADLY and job.id not in repeated]
    if any(job.id == answers for job in jobs):
        return answers if answers in failed else None
    return failed[0] if failed else None
