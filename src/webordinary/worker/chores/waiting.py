"""Looks after open proposals: notifies the approvers, reminds them once, and lets a proposal expire in the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.jobs.about import first_asked
from webordinary.jobs.journal import Journal
from webordinary.jobs.proposals import Standing
from webordinary.reply.ok_links import APPROVAL, OK_UNTIL, approval_kind, mark_of
from webordinary.reply.outbox import Letter
from webordinary.worker.change.pictures import pictures_of
from webordinary.worker.change.propose import may_decide
from webordinary.worker.change.timed import times_told

if TYPE_CHECKING:
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.proposals import Proposal

_EXPIRED = "proposal_expired"
_LONGEST_QUOTE, _MOST_QUOTED = 1_000, 15


@dataclass(frozen=True, slots=True)
class PendingApprovals:
    """Each step is conditional and each letter has its name, so that every worker may do this at any time."""

    engine: Engine
    clock: Clock
    agency: str | None
    # What this process has written already; the outbox knows it too, but asking it every second is a waste.
    _written: set[str] = field(default_factory=set)

    def look_after(self) -> None:
        for proposal in self.engine.proposals.all_open():
            self._look_after(proposal)

    def _look_after(self, proposal: Proposal) -> None:
        now, job = self.clock.now(), self.engine.overview.job(proposal.id)
        if job is None:
            return
        if proposal.for_agency:
            self._write(proposal, job, APPROVAL, self.agency, "approval_wanted")
        else:
            for approver in self._others(proposal, job):
                self._write(proposal, job, approval_kind(approver), approver, "ok_wanted")
        if proposal.expires_at <= now.wall_at:
            if self.engine.proposals.close(proposal, Standing.EXPIRED, "time", now):
                self._write(proposal, job, "expired", self._asker(job), _EXPIRED)
        elif proposal.remind_at <= now.wall_at and not proposal.reminded:
            self._remind(proposal, job)

    def _remind(self, proposal: Proposal, job: Job) -> None:
        # The letters first: after a crash in between they are written again under the same names, and only once.
        others = self._others(proposal, job)
        for approver in others:
            self._write(proposal, job, f"reminder-{mark_of(approver)}", approver, "reminder")
        if not others:
            to = self.agency if proposal.for_agency else job.request.reply_to
            self._write(proposal, job, "reminder", to, "reminder")
        self.engine.proposals.mark_reminded(proposal, self.clock.now())

    def _others(self, proposal: Proposal, job: Job) -> tuple[str, ...]:
        """Return who has to be asked because the person who wanted the change may not decide about it."""
        project = self.engine.projects.find(job.lane.project)
        if proposal.for_agency or project is None or may_decide(job, project):
            return ()
        return project.approvers

    def _asker(self, job: Job) -> str | None:
        asked = first_asked(job, self.engine.overview.job) or job
        return asked.request.reply_to

    def _write(self, proposal: Proposal, job: Job, kind: str, to: str | None, words: str) -> None:
        key = f"{proposal.id}.{kind}"
        if to is None or key in self._written:
            return
        told = job.journal.told(Journal.changes, Journal.preview)
        if words != _EXPIRED:
            # The approver sees what the asker has seen.
            told |= pictures_of(job.journal)
        told |= times_told(job.journal)
        asked = first_asked(job, self.engine.overview.job) or job
        facts = {**told, "about": job.subject, "project": job.lane.project, "reasons": proposal.reason}
        facts[OK_UNTIL] = proposal.expires_at.isoformat()
        facts |= {"asker": asked.request.reply_to or job.lane.user, "request": _quoted(asked)}
        project = self.engine.projects.find(job.lane.project)
        facts["site"] = project.name if project else job.lane.project
        self.engine.outbox.add(Letter(key, kind, to, words, facts, job=job.id), self.clock.now())
        self._written.add(key)


def _quoted(asked: Job) -> str:
    """Return the request itself: its subject and as much of its words as somebody reads who has to decide."""
    lines = [line.strip() for line in f"{asked.subject}\n{asked.request.text[:_LONGEST_QUOTE]}".splitlines()]
    shown = [line for line in lines if line]
    is_whole = len(asked.request.text) <= _LONGEST_QUOTE and len(shown) <= _MOST_QUOTED
    return "\n".join([*shown[:_MOST_QUOTED], *([] if is_whole else ["…"])])
