"""Looks after what waits for an `ok`: the agency is asked, the owner is reminded once, and in the end it is dropped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.jobs.proposals import Standing
from webordinary.reply.outbox import Letter

if TYPE_CHECKING:
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.proposals import Proposal


@dataclass(frozen=True, slots=True)
class Waiting:
    """Each step is conditional and each letter has its name, so that every worker may do this at any time."""

    engine: Engine
    clock: Clock
    agency: str | None

    def look_after(self) -> None:
        for proposal in self.engine.proposals.all_open():
            self._look_after(proposal)

    def _look_after(self, proposal: Proposal) -> None:
        now, job = self.clock.now(), self.engine.overview.job(proposal.id)
        if job is None:
            return
        if proposal.for_agency and self.agency is not None:
            self._write(proposal, job, "approval", self.agency, "approval_wanted")
        if proposal.expires_at <= now.wall_at:
            if self.engine.proposals.close(proposal, Standing.EXPIRED, "time", now):
                self._write(proposal, job, "expired", job.request.reply_to, "proposal_expired")
        elif proposal.remind_at <= now.wall_at and not proposal.reminded:
            # The letter first: after a crash in between it is written again under the same name, and only once.
            self._write(proposal, job, "reminder", self._whose_ok(proposal, job), "reminder")
            self.engine.proposals.mark_reminded(proposal, now)

    def _whose_ok(self, proposal: Proposal, job: Job) -> str | None:
        return self.agency if proposal.for_agency else job.request.reply_to

    def _write(self, proposal: Proposal, job: Job, kind: str, to: str | None, words: str) -> None:
        if to is None:
            return
        told = {name: job.journal[name] for name in ("changes", "preview") if job.journal.get(name)}
        facts = {**told, "about": job.subject, "project": job.lane.project, "reasons": proposal.reason}
        facts["asker"] = job.request.reply_to or job.lane.user
        self.engine.outbox.add(Letter(f"{proposal.id}.{kind}", kind, to, words, facts, job=job.id), self.clock.now())
