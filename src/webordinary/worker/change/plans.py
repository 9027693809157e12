"""What is planned in a thread: a newer plan replaces the older, and another time alone moves what is there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.schedules import ASKED_BY, Phase, schedule_id
from webordinary.mail.when import Misread, Span, Trouble, read_move
from webordinary.reply.compose import bare_subject
from webordinary.routing.project import Publish
from webordinary.worker.change.propose import may_decide
from webordinary.worker.change.timed import (
    TOLD,
    ask_for_date,
    languages_of,
    moments_of,
    planned_end,
)

if TYPE_CHECKING:
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.schedules import Schedule
    from webordinary.ownership.claim import Claim
    from webordinary.routing.project import Project
    from webordinary.workspace.checkout import Checkout

REPLACED, MOVED = "replaced", "moved"
_IDS, _TELLS, _MOVES = "replaced_plans", "replaced_told", "moves"
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Plans:
    """Each step is written down before it is done, and doing it twice is harmless."""

    engine: Engine
    clock: Clock

    def put_aside(self, claim: Claim, job: Job, checkout: Checkout) -> Ending:
        """Let the thread go on without what is kept, and end with its moment; the older plan is called off."""
        checkout.put_back()
        job = self._replace(claim, job)
        facts = {REPLACED: job.journal[_TELLS]} if job.journal.get(_TELLS) else {}
        ending = planned_end(job)
        return replace(ending, facts={**ending.facts, **facts})

    def _replace(self, claim: Claim, job: Job) -> Job:
        if REPLACED not in job.journal:
            older = [plan for plan in self._in_thread(job) if plan.phase is Phase.PUBLISH]
            told = "\n".join(self._told(plan) for plan in older)
            facts = {_TELLS: told, _IDS: " ".join(plan.id for plan in older)}
            job = self.engine.attempts.journal(claim, job, REPLACED, facts, self.clock.now()) if older else job
        for plan in job.journal.get(_IDS, "").split():
            self.engine.schedules.close(plan, job.id, self.clock.now())
        return job

    def _told(self, plan: Schedule) -> str:
        asked = self.engine.overview.job(plan.job)
        return f"was_planned\t{bare_subject(asked.subject) if asked else ''}\t{plan.at.isoformat()}"

    def _in_thread(self, job: Job) -> list[Schedule]:
        plans = self.engine.schedules.all(project=job.lane.project)
        return [plan for plan in plans if plan.thread == job.thread and plan.id.partition(".")[0] != job.id]

    def move_by_words(self, claim: Claim, job: Job, project: Project, address: str) -> Ending | None:
        """Move what is planned or live here, if the mail says another time and nothing else; None when it says more."""
        if not job.request.references or not (job.journal.get(_MOVES) or self._in_thread(job)):
            return None
        zone = ZoneInfo(project.rules.timezone)
        found = read_move(job.request.text, job.received_at, zone, languages_of(job, project))
        if isinstance(found, Misread):
            return ask_for_date(found)
        return self._move(claim, job, found, project, address) if found else None

    def move_as_timed(self, claim: Claim, job: Job, project: Project, address: str) -> Ending | None:
        """Do the same for a request that has a time and changes nothing: it is about what is there already."""
        moments = moments_of(job)
        if not any(moments.values()):
            return None
        return self._move(claim, job, Span(**moments), project, address)

    def _move(self, claim: Claim, job: Job, span: Span, project: Project, address: str) -> Ending | None:
        if self._meant(job) is not None and project.rules.publish == Publish.APPROVE and not may_decide(job, project):
            # Somebody has said ok to the time too.
            facts = {"approvers": "\n".join(project.approvers)}
            return Ending(State.DONE, Outcome.ANSWERED, words="may_not_move", facts=facts)
        zone = ZoneInfo(project.rules.timezone)
        for _ in range(_TRIES):
            old = self.engine.schedules.find(job.journal[_MOVES]) if job.journal.get(_MOVES) else self._meant(job)
            new = _moved(old, job, span, zone) if old else None
            if old is None or new is None:
                return None
            if isinstance(new, Misread):
                return ask_for_date(new)
            facts = {_MOVES: old.id, ASKED_BY: old.job}
            job = self.engine.attempts.journal(claim, job, MOVED, facts, self.clock.now())
            if self.engine.schedules.close(old.id, job.id, self.clock.now()) or self._was_mine(old, job):
                return self._tell(old, new, address)
            # Its moment came, or somebody called it off: whatever has become of it is what is meant.
            job = self.engine.attempts.journal(claim, job, MOVED, {_MOVES: ""}, self.clock.now())
        return None

    def _was_mine(self, old: Schedule, job: Job) -> bool:
        found = self.engine.schedules.find(old.id)
        return found is not None and found.closed_by == job.id

    def _meant(self, job: Job) -> Schedule | None:
        """Return what waits in the thread, else what is live and ends last."""
        here = self._in_thread(job)
        plans = [plan for plan in here if plan.phase is Phase.PUBLISH]
        return max(plans or here, key=lambda plan: plan.at, default=None)

    def _tell(self, old: Schedule, new: Schedule, address: str) -> Ending:
        asked = self.engine.overview.job(old.job)
        journal = asked.journal if asked else {}
        facts = {name: journal[name] for name in TOLD if journal.get(name)}
        if new.phase is Phase.REVERT:
            facts = {"changes": facts.get("changes", ""), "ends": new.at.isoformat(), "address": address}
            return Ending(State.DONE, Outcome.SCHEDULED, words="end_moved", facts=facts, schedules=(new,))
        facts |= {"starts": new.at.isoformat(), REPLACED: self._told(old)}
        facts |= {"ends": new.until.isoformat()} if new.until else {}
        return Ending(State.DONE, Outcome.SCHEDULED, words="scheduled", facts=facts, schedules=(new,))


def _moved(old: Schedule, job: Job, span: Span, zone: ZoneInfo) -> Schedule | Misread | None:
    """Return the moment as it should be now; None when what is live cannot begin later."""
    fresh = replace(old, id=schedule_id(job.id, old.phase), branch=old.name, closed_by="")
    starts_at, ends_at = (at.astimezone(zone) if at else None for at in (span.starts_at, span.ends_at))
    if old.phase is Phase.REVERT:
        return replace(fresh, at=ends_at) if ends_at and not starts_at else None
    starts_at, ends_at = starts_at or old.at, ends_at or old.until
    if ends_at is not None and ends_at <= starts_at:
        return Misread(Trouble.BACKWARDS, span.said or job.request.text)
    return replace(fresh, at=starts_at, until=ends_at)
