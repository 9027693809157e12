"""What `stop` ends: what runs, what waits for an ok and what is planned; the answer says which of them it was."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.intake.status_report import undone_commits
from webordinary.jobs.about import approval_of, first_asked, moment_of
from webordinary.jobs.job import Outcome
from webordinary.jobs.lanes import Stopped
from webordinary.jobs.lines import RequestLine, write_line
from webordinary.jobs.proposals import Standing
from webordinary.jobs.schedules import Phase, schedule_id
from webordinary.reply.compose import bare_subject
from webordinary.reply.outbox import Letter
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.intake.decide_verb import Reply
    from webordinary.jobs.job import Job
    from webordinary.jobs.proposals import Proposal
    from webordinary.jobs.schedules import Schedule
    from webordinary.mail.inbox import Decision

_MOST_JOBS = 100_000


@dataclass(frozen=True, slots=True)
class CallOff:
    """Ends what is not live yet; doing it twice for the same mail is harmless."""

    engine: Engine
    now: Moment

    def stop(self, reply: Reply, told: Decision) -> Decision:
        """Stop what runs in the thread, and call off what waits: what the answered mail tells of, else all of it."""
        plans = self._cancel_plans(reply)
        # Looked for behind the plans: one whose moment has just come is a job by now.
        jobs = self._jobs(reply)
        live = [job for job in jobs if job.state.is_live]
        results = {job.id: self.engine.lanes.stop(job.id, told.sender or "", self.now) for job in live}
        late = [job for job in live if results[job.id] is Stopped.TOO_LATE]
        lines = [*self._drop_proposal(reply, late), *(self._tell_plan(plan) for plan in plans)]
        facts = {"called": "\n".join(lines)} if lines else {}
        if late:
            return replace(told, answer="too_late", facts=facts)
        if lines:
            return replace(told, answer="called_off", facts=facts)
        return replace(told, answer=None if results else _why_nothing(jobs))

    def _jobs(self, reply: Reply) -> list[Job]:
        """Return the requests of the thread; a word that came late is not about what was asked for after it."""
        jobs = self.engine.overview.jobs(lane=reply.thread.lane.key, limit=_MOST_JOBS)
        mine = [job for job in jobs if job.thread == reply.thread.id]
        asked = [job for job in mine if job.received_at <= reply.kept.received_at]
        moments = {moment_of(schedule_id(job.id, Phase.PUBLISH)) for job in asked}
        return [job for job in mine if job in asked or job.about in moments]

    def _cancel_plans(self, reply: Reply) -> list[Schedule]:
        """Cancel what is planned and not live yet: the one that the answered mail tells of, else all of the thread."""
        waiting = self._plans(reply)
        by = reply.writer.editor.address
        meant = [plan for plan in waiting if is_told_by(plan, reply.answers)]
        if not meant and self._waits_for_ok(reply):
            return []
        cancelled = [plan for plan in meant or waiting if self.engine.schedules.close(plan.id, by, self.now)]
        # A process that was interrupted here finds it cancelled, and says so.
        before = self.engine.schedules.find(schedule_id(reply.answers or "", Phase.PUBLISH))
        return cancelled or ([before] if before is not None and before.closed_by == by else [])

    def _plans(self, reply: Reply) -> list[Schedule]:
        plans = self.engine.schedules.all(project=reply.thread.lane.project)
        mine = [plan for plan in plans if plan.thread == reply.thread.id and plan.phase is Phase.PUBLISH]
        return [plan for plan in mine if self._was_asked(plan.job, reply)]

    def _was_asked(self, job: str, reply: Reply) -> bool:
        """Tell whether something was asked for before this word came; what nobody remembers was."""
        found = self.engine.overview.job(job)
        return found is None or found.received_at <= reply.kept.received_at

    def _waits_for_ok(self, reply: Reply) -> bool:
        """Tell whether the answered mail shows a proposal that is still open."""
        proposal = self.engine.proposals.find(reply.thread.id)
        return proposal is not None and proposal.standing == Standing.OPEN and proposal.id == reply.answers

    def _drop_proposal(self, reply: Reply, late: Sequence[Job]) -> list[str]:
        """Drop what waits for an ok, unless that is going live already or another plan is what the mail answers."""
        proposal = self.engine.proposals.find(reply.thread.id)
        if proposal is None or any(job.about == approval_of(proposal.id) for job in late):
            return []
        plan = self.engine.schedules.find(schedule_id(reply.answers or "", Phase.PUBLISH))
        is_another = plan is not None and not is_told_by(plan, proposal.id)
        if is_another or not self._was_asked(proposal.id, reply):
            return []
        return [self._tell_proposal(proposal)] if self.withdraw(proposal, reply) else []

    def withdraw(self, proposal: Proposal, reply: Reply) -> bool:
        """Drop what still waits, and tell the person who asked for it; a repeated call finishes the rest."""
        by = reply.writer.editor.address
        mine = reply.answers == proposal.id and (proposal.standing, proposal.closed_by) == (Standing.WITHDRAWN, by)
        if proposal.standing == Standing.OPEN:
            mine = self.engine.proposals.close(proposal, Standing.WITHDRAWN, by, self.now)
        find = self.engine.overview.job
        asked = first_asked(find(proposal.id), find) if mine else None
        asker = asked.request.reply_to if asked else None
        if asker and fold_address(asker) != fold_address(by):
            letter = Letter(f"{proposal.id}.withdrawn", "withdrawn", asker, "withdrawn_by", {"by": by}, job=proposal.id)
            self.engine.outbox.add(letter, self.now)
        return mine

    def _tell_proposal(self, proposal: Proposal) -> str:
        return write_line(RequestLine("was_proposed", self._subject(proposal.id)))

    def _tell_plan(self, plan: Schedule) -> str:
        """Name what will not go live, and when it would have."""
        return write_line(RequestLine("was_planned", self._subject(plan.job), plan.at.isoformat()))

    def _subject(self, job: str) -> str:
        found = self.engine.overview.job(job)
        return bare_subject(found.subject) if found else ""


def is_told_by(plan: Schedule, answered: str | None) -> bool:
    """Tell whether the mail about this job is the one that told of a plan."""
    return answered in {plan.job, plan.id.partition(".")[0]}


def _why_nothing(jobs: Sequence[Job]) -> str:
    undone = undone_commits(jobs)
    is_live = any(job.outcome == Outcome.PUBLISHED and job.commit and job.commit not in undone for job in jobs)
    return "stop_is_live" if is_live else "nothing_to_stop"
