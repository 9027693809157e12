"""Reports the status of requests to one person: what runs, waits, is proposed and asked for, and what is to come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.jobs.about import Errand, approval_of, read_about
from webordinary.jobs.job import Kind, Outcome, State
from webordinary.jobs.lines import RequestLine, write_lines
from webordinary.jobs.schedules import Phase
from webordinary.reply.compose import bare_subject

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.proposals import Proposal
    from webordinary.jobs.schedules import Schedule
    from webordinary.routing.lane import Lane

_MOST_OVER = 5


def undone_commits(jobs: Sequence[Job]) -> set[str]:
    """Return the commits that were taken back."""
    abouts = (read_about(job.about) for job in jobs if job.outcome == Outcome.UNDONE)
    return {about.name for about in abouts if about and about.errand == Errand.REVERT}


@dataclass(frozen=True, slots=True)
class StatusReport:
    """What `status` tells; `may_approve` says whether the reader may say ok to a proposal."""

    engine: Engine
    may_approve: Callable[[Proposal], bool]

    def tell(self, jobs: Sequence[Job], lane: Lane) -> str:
        open_ = {each.id: each for each in self.engine.proposals.all_open(project=lane.project)}
        # A later mail in the thread has answered the question.
        last = {job.thread: job.id for job in reversed(jobs)}
        asked = {job.id for job in jobs if job.outcome == Outcome.ASKED and last[job.thread] == job.id}
        waiting = {job.id for job in jobs if job.state.is_live} | set(open_) | asked
        # What is planned is told by its moments, and what a word has done by the request that it was about.
        told = [job for job in _worth_telling(jobs, waiting) if job.outcome != Outcome.SCHEDULED]
        lines = [RequestLine(self._state(job, jobs, open_, asked), bare_subject(job.subject)) for job in reversed(told)]
        moments = (each for each in self.engine.schedules.all(project=lane.project) if each.lane == lane)
        return write_lines([*lines, *(line for each in moments for line in self._planned(each))])

    def _state(self, job: Job, jobs: Sequence[Job], open_: dict[str, Proposal], asked: Collection[str]) -> str:
        """Name how it stands; the answer says it in the person's language."""
        if job.id in open_:
            return "proposed_to_you" if self.may_approve(open_[job.id]) else "proposed"
        if job.id in asked:
            return "asked"
        approvals = [each for each in jobs if each.about == approval_of(job.id)]
        if undone_commits(jobs) & {each.commit for each in (job, *approvals) if each.commit}:
            return "undone"
        came_to_nothing = job.outcome == Outcome.PROPOSED and not any(_has_ended_well(each) for each in approvals)
        return "unpublished" if came_to_nothing else job.state.value

    def _planned(self, schedule: Schedule) -> Iterator[RequestLine]:
        """Tell what is to come, each moment on the owner's own clock."""
        job = self.engine.overview.job(schedule.job)
        subject = bare_subject(job.subject) if job else ""
        yield RequestLine(f"{schedule.phase.value}_at", subject, schedule.at.isoformat())
        if schedule.until is not None:
            yield RequestLine(f"{Phase.REVERT.value}_at", subject, schedule.until.isoformat())


def _worth_telling(jobs: Sequence[Job], waiting: Collection[str]) -> list[Job]:
    """Leave out what is long over: everything that waits for somebody is told, and the last few of the others."""
    known = [job for job in jobs if job.id in waiting or job.kind != Kind.VERB or job.state != State.DONE]
    over = [job.id for job in known if job.id not in waiting][:_MOST_OVER]
    return [job for job in known if job.id in waiting or job.id in over]


def _has_ended_well(approval: Job) -> bool:
    return approval.state == State.DONE and approval.outcome != Outcome.ANSWERED
