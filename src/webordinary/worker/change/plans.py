"""What is planned in a thread: a newer plan replaces the older, and another time alone moves what is there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.lines import RequestLine, write_line, write_lines
from webordinary.jobs.schedules import Phase, schedule_id
from webordinary.mail.when import Misread, Span, Trouble, read_move
from webordinary.reply.compose import bare_subject
from webordinary.routing.project import PublishRule
from webordinary.worker.change.propose import may_decide
from webordinary.worker.change.timed import (
    TOLD,
    ask_for_date,
    languages_of,
    moments_of,
    planned_end,
)

if TYPE_CHECKING:
    from webordinary.jobs.job import Job
    from webordinary.jobs.schedules import Schedule
    from webordinary.worker.run import Run

# The fact of an answer that says which plans this one replaces.
REPLACED = "replaced"
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Plans:
    """Each step is written down before it is done, and doing it twice is harmless."""

    run: Run

    def put_aside(self) -> Ending:
        """Let the thread go on without what is kept, and end with its moment; the older plan is called off."""
        self.run.checkout.put_back()
        self._replace()
        job = self.run.job
        facts = {REPLACED: job.journal.replaced_told} if job.journal.replaced_told else {}
        ending = planned_end(job)
        return replace(ending, facts={**ending.facts, **facts})

    def _replace(self) -> None:
        run = self.run
        is_new = Step.REPLACED not in run.job.journal
        older = [plan for plan in self._in_thread() if plan.phase is Phase.PUBLISH] if is_new else []
        if older:
            told = write_lines(map(self._told, older))
            ids = tuple(plan.id for plan in older)
            run.journal(Step.REPLACED, Journal.replaced_told(told), Journal.replaced_plans(ids))
        for plan in run.job.journal.replaced_plans or ():
            run.engine.schedules.close(plan, run.job.id, run.now)

    def _told(self, plan: Schedule) -> RequestLine:
        asked = self.run.engine.overview.job(plan.job)
        return RequestLine("was_planned", bare_subject(asked.subject) if asked else "", plan.at.isoformat())

    def _in_thread(self) -> list[Schedule]:
        job = self.run.job
        plans = self.run.engine.schedules.all(project=job.lane.project)
        return [plan for plan in plans if plan.thread == job.thread and plan.id.partition(".")[0] != job.id]

    def move_by_words(self, address: str) -> Ending | None:
        """Move what is planned or live here, if the mail says another time and nothing else; None when it says more."""
        job, project = self.run.job, self.run.project
        if not job.request.references or not (job.journal.moves or self._in_thread()):
            return None
        zone = ZoneInfo(project.rules.timezone)
        found = read_move(job.request.text, job.received_at, zone, languages_of(job, project))
        if isinstance(found, Misread):
            return ask_for_date(found)
        return self._move(found, address) if found else None

    def move_as_timed(self, address: str) -> Ending | None:
        """Do the same for a request that has a time and changes nothing: it is about what is there already."""
        moments = moments_of(self.run.job)
        if not any(moments.values()):
            return None
        return self._move(Span(**moments), address)

    def _move(self, span: Span, address: str) -> Ending | None:
        run, project, schedules = self.run, self.run.project, self.run.engine.schedules
        is_careful = project.rules.publish == PublishRule.APPROVE and not may_decide(run.job, project)
        if is_careful and self._meant() is not None:
            # Somebody has said ok to the time too.
            facts = {"approvers": "\n".join(project.approvers)}
            return Ending(State.DONE, Outcome.ANSWERED, template="may_not_move", facts=facts)
        zone = ZoneInfo(project.rules.timezone)
        for _ in range(_TRIES):
            moves = run.job.journal.moves
            old = schedules.find(moves) if moves else self._meant()
            new = _moved(old, run.job, span, zone) if old else None
            if old is None or new is None:
                return None
            if isinstance(new, Misread):
                return ask_for_date(new)
            run.journal(Step.MOVED, Journal.moves(old.id), Journal.timed_job(old.job))
            if schedules.close(old.id, run.job.id, run.now) or self._was_mine(old):
                return self._tell(old, new, address)
            # Its moment came, or somebody called it off: whatever has become of it is what is meant.
            run.journal(Step.MOVED, Journal.moves(""))
        return None

    def _was_mine(self, old: Schedule) -> bool:
        found = self.run.engine.schedules.find(old.id)
        return found is not None and found.closed_by == self.run.job.id

    def _meant(self) -> Schedule | None:
        """Return what waits in the thread, else what is live and ends last."""
        here = self._in_thread()
        plans = [plan for plan in here if plan.phase is Phase.PUBLISH]
        return max(plans or here, key=lambda plan: plan.at, default=None)

    def _tell(self, old: Schedule, new: Schedule, address: str) -> Ending:
        asked = self.run.engine.overview.job(old.job)
        facts = asked.journal.told(*TOLD) if asked else {}
        if new.phase is Phase.REVERT:
            facts = {"changes": facts.get("changes", ""), "ends": new.at.isoformat(), "address": address}
            return Ending(State.DONE, Outcome.SCHEDULED, template="end_moved", facts=facts, schedules=(new,))
        facts |= {"starts": new.at.isoformat(), REPLACED: write_line(self._told(old))}
        facts |= {"ends": new.until.isoformat()} if new.until else {}
        return Ending(State.DONE, Outcome.SCHEDULED, template="scheduled", facts=facts, schedules=(new,))


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
