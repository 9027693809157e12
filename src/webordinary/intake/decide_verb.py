"""What `ok` and `undo` mean in a thread: a job about one proposal or one commit, or a plain answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.intake.call_off import CallOff, is_told_by
from webordinary.intake.new_job import NewRequest, new_job_id
from webordinary.jobs.about import approval_of, moment_of, revert_of
from webordinary.jobs.job import Kind, NewJob, Outcome, Request
from webordinary.jobs.journal import Journal
from webordinary.jobs.lanes import Stopped
from webordinary.jobs.proposals import Standing
from webordinary.jobs.schedules import Phase, schedule_id
from webordinary.mail.conversation import OUR_PREFIX
from webordinary.mail.outcomes import MailOutcome
from webordinary.reply.compose import bare_subject
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.clock import Moment
    from webordinary.engine import Engine
    from webordinary.intake.admit import Admitted
    from webordinary.jobs.job import Job
    from webordinary.jobs.proposals import Proposal
    from webordinary.mail.inbox import Decision, KeptMail
    from webordinary.mail.message import Message
    from webordinary.routing.project import Project
    from webordinary.routing.threads import Thread

# Our own names for our mails say which job they are about; the question about an ok names what waits for it.
_OURS = re.compile(r"webordinary\.(?:mail-[0-9a-f]+\.which-)?(job-[0-9a-f]+)[.@]")
WHICH = "which"
_MOST_LOOKED_AT = 200
_LIVE = frozenset({Outcome.PUBLISHED, Outcome.UNDONE})
_CLOSED = {
    Standing.APPROVED: "already_approved",
    Standing.EXPIRED: "proposal_expired",
    Standing.WITHDRAWN: "nothing_to_approve",
}


def answered_jobs(message: Message) -> Iterator[str]:
    """Return the jobs whose mails stand in the conversation of this one, the one that it answers first."""
    return (found[1] for reference in reversed(message.references) if (found := _OURS.match(reference)))


def answers_proposal(engine: Engine, message: Message, thread: Thread, proposal: Proposal) -> bool:
    """Tell whether a plain yes in this mail can only mean the proposal of its thread; one that is over is told so."""
    # Below our question or our list of what waits, a yes is no ok to what was proposed before.
    ours = [found for found in message.references if found.startswith(OUR_PREFIX)]
    if ours:
        return _is_about(ours[-1], proposal.id)
    if proposal.standing != Standing.OPEN:
        return False
    jobs = engine.overview.jobs(lane=thread.lane.key, limit=_MOST_LOOKED_AT)
    return next((job.id for job in jobs if job.thread == thread.id), None) == proposal.id


def _is_about(reference: str, job: str) -> bool:
    found = _OURS.match(reference)
    return found is not None and found[1] == job


@dataclass(frozen=True, slots=True)
class Reply:
    """A verified person's reply in a thread."""

    kept: KeptMail
    message: Message
    writer: Admitted
    thread: Thread

    @property
    def answers(self) -> str | None:
        """Return the job whose mail is answered, if the mail says so."""
        return next(answered_jobs(self.message), None)

    def job(self, about: str, dedup_key: str) -> NewRequest:
        """Return the job that carries the word out."""
        message, editor = self.message, self.writer.editor
        request = Request("", reply_to=editor.address, message_id=message.message_id, references=message.references)
        job = NewJob(
            id=new_job_id(),
            lane=self.thread.lane,
            thread=self.thread.id,
            dedup_key=dedup_key,
            kind=Kind.VERB,
            subject=message.subject,
            request=request,
            received_at=self.kept.received_at,
            mail=self.kept.id,
            about=about,
        )
        return NewRequest(job, 0)


@dataclass(frozen=True, slots=True)
class DecideVerb:
    """Decides without any agent."""

    engine: Engine
    agency: str | None
    now: Moment

    def approve(self, reply: Reply, told: Decision) -> Decision | NewRequest:
        proposal = self.engine.proposals.find(reply.thread.id)
        if proposal is None:
            return replace(told, answer="nothing_to_approve")
        if proposal.standing != Standing.OPEN:
            return replace(told, answer=_CLOSED[proposal.standing])
        if reply.answers not in {None, proposal.id} and self._was_proposed(reply.answers):
            return replace(told, answer="proposal_replaced")
        if not self.may_approve(proposal, reply.writer):
            facts = {"approvers": self._who_may(proposal, reply.writer.project)}
            return replace(
                told, outcome=MailOutcome.REFUSED, reason="may not approve this", answer="may_not_approve", facts=facts
            )
        if not self._is_meant(proposal, reply):
            return self._ask_which(proposal, reply, told)
        # One job for each ok: they follow each other in their lane, the first goes live and the others are told so.
        return reply.job(approval_of(proposal.id), f"ok:{proposal.id}:{reply.kept.id}")

    def ask(self, reply: Reply, told: Decision) -> Decision | None:
        """Ask what somebody means who may decide and said neither yes nor no; None when nothing waits for them."""
        proposal = self.engine.proposals.find(reply.thread.id)
        if proposal is None or proposal.standing != Standing.OPEN or not self.may_approve(proposal, reply.writer):
            return None
        return self._ask_which(proposal, reply, told)

    def _ask_which(self, proposal: Proposal, reply: Reply, told: Decision) -> Decision:
        """Ask about exactly this proposal, in a mail whose name says so: the answer to it is then an answer."""
        job = self.engine.overview.job(proposal.id)
        facts = job.journal.told(Journal.changes, Journal.preview) if job else {}
        facts["about"] = bare_subject(job.subject) if job else ""
        told = replace(told, reason="neither a clear yes nor a clear no", thread=reply.thread.id, facts=facts)
        return replace(told, answer="ok_or_undo", answer_kind=f"{WHICH}-{proposal.id}")

    def _is_meant(self, proposal: Proposal, reply: Reply) -> bool:
        """Tell whether an ok is for this proposal: it answers its mail, or one that told how the last ok ended."""
        if reply.answers is None:
            return answers_proposal(self.engine, reply.message, reply.thread, proposal)
        answered = self.engine.overview.job(reply.answers)
        return reply.answers == proposal.id or (answered is not None and answered.about == approval_of(proposal.id))

    def undo(self, reply: Reply, jobs: Sequence[Job], told: Decision) -> Decision | NewRequest:
        """Take back exactly what the answered mail reported, else what went live last in the thread."""
        proposal, off = self.engine.proposals.find(reply.thread.id), CallOff(self.engine, self.now)
        if proposal is not None and reply.answers in {None, proposal.id} and off.withdraw(proposal, reply):
            return replace(told, answer="withdrawn")
        if (cancelled := self._cancel(reply, jobs, told)) is not None:
            return cancelled
        live = [job for job in jobs if job.outcome in _LIVE and job.commit]
        # The mail that showed a proposal, and the one that told of its ok, mean what went live with it; the one that
        # told of a plan means what has come of that.
        answered = reply.answers or ""
        same = {approval_of(answered), moment_of(schedule_id(answered, Phase.PUBLISH))}
        meant = next((job for job in live if job.id == reply.answers or job.about in same), None)
        meant = meant or _of_the_same_change(answered, live, jobs)
        if meant is None and ((reply.answers is not None and any(job.id == reply.answers for job in jobs)) or not live):
            return replace(told, answer="nothing_to_undo")
        meant = meant or live[0]
        return reply.job(revert_of(meant.commit or ""), f"undo:{meant.commit}:{reply.kept.id}")

    def _cancel(self, reply: Reply, jobs: Sequence[Job], told: Decision) -> Decision | None:
        """Cancel what is planned and not live yet; None when that is not what the mail answers."""
        by = told.sender or ""
        for schedule in reversed(self.engine.schedules.all(project=reply.thread.lane.project)):
            is_mine = schedule.thread == reply.thread.id and schedule.phase is Phase.PUBLISH
            is_meant = reply.answers is None or is_told_by(schedule, reply.answers)
            if is_mine and is_meant and self.engine.schedules.close(schedule.id, by, self.now):
                return replace(told, answer="unscheduled")
        # Its moment has just come: the job that brings it live answers for itself.
        planned = moment_of(schedule_id(reply.answers or "", Phase.PUBLISH))
        going = [job.id for job in jobs if job.about == planned and job.state.is_live]
        if not going:
            return None
        stopped = [self.engine.lanes.stop(job, by, self.now) for job in going]
        return replace(told, answer="too_late" if Stopped.TOO_LATE in stopped else None)

    def _was_proposed(self, job: str | None) -> bool:
        found = self.engine.overview.job(job or "")
        return found is not None and found.outcome == Outcome.PROPOSED

    def _who_may(self, proposal: Proposal, project: Project) -> str:
        return "\n".join(project.approvers if not proposal.for_agency else filter(None, [self.agency]))

    def may_approve(self, proposal: Proposal, writer: Admitted) -> bool:
        address = writer.editor.address
        if proposal.for_agency:
            return self.agency is not None and fold_address(address) == fold_address(self.agency)
        return writer.project.may_approve(address, self.agency)


def _of_the_same_change(answered: str, live: Sequence[Job], jobs: Sequence[Job]) -> Job | None:
    """Return what went live of a timed change, if the answered mail told of its time and not of that."""
    asked = {answered} | {job.journal.timed_job for job in jobs if job.id == answered}
    asked.discard("")
    return next((job for job in live if job.id in asked or job.journal.timed_job in asked), None)
