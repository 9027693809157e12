"""Jobs without an agent: an `ok`, an `undo`, a rollback, and a moment for which something was planned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.errors import PublishFailed
from webordinary.jobs.about import approval_of, first_asked
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.proposals import Standing
from webordinary.jobs.schedules import BY_TIME, Phase
from webordinary.mail.words.quoting import told_apart
from webordinary.reply.outbox import APPROVED, Letter
from webordinary.worker.change.authorship import authorship
from webordinary.worker.change.brought import others_words
from webordinary.worker.change.candidate import PublishPlan
from webordinary.worker.change.conflicted import Outdated
from webordinary.worker.change.ends import Ends, can_revert
from webordinary.worker.change.taken_back import takes_back
from webordinary.worker.change.timed import (
    Timing,
    moments_of,
    split_request,
)
from webordinary.workspace.checkout import MergeConflict

if TYPE_CHECKING:
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.proposals import Proposal
    from webordinary.jobs.schedules import Schedule
    from webordinary.worker.change.publish import Publish
    from webordinary.worker.run import Run

_DECIDED = {
    Standing.APPROVED: "already_approved",
    Standing.EXPIRED: "proposal_expired",
    Standing.WITHDRAWN: "nothing_to_approve",
}
# Also when somebody else did the same meanwhile: there is nothing left to say ok to.
_IS_LIVE = frozenset({Outcome.PUBLISHED, Outcome.NOTHING_CHANGED, Outcome.SCHEDULED})


@dataclass(frozen=True, slots=True)
class UndoTemplates:
    """How it is told that a change was taken back."""

    done: str
    conflict: str
    nothing_left: str

    def nothing(self) -> Ending:
        return Ending(State.DONE, Outcome.NOTHING_CHANGED, template=self.nothing_left)


_UNDO = UndoTemplates("undone", "undo_conflict", "nothing_to_undo")
# What an undo had taken off the site is there again.
_REDO = UndoTemplates("redone", "undo_conflict", "nothing_to_undo")
_END = UndoTemplates("ended", "end_conflict", "already_over")


@dataclass(frozen=True, slots=True)
class Errands:
    """What is done with a job that is about something that is there already."""

    engine: Engine
    publish: Publish
    clock: Clock

    def approve(self, run: Run, proposal_id: str) -> Ending:
        """Bring the proposal live, exactly as it was shown; on another live site it is shown again."""
        checkout = run.checkout
        proposal = self.engine.proposals.find(run.job.thread)
        if proposal is None or proposal.id != proposal_id:
            return _answered("proposal_replaced")
        if proposal.standing != Standing.OPEN:
            return _answered(_DECIDED[proposal.standing])
        if not checkout.has(proposal.commit):
            return _answered("proposal_expired")
        proposed = self.engine.overview.job(proposal.id)
        if proposed is not None:
            Timing(run).inherit(proposed)
        summary = proposed.summary if proposed else ""
        wish = PublishPlan(approved=proposal, summary=summary, **moments_of(run.job))
        tip = checkout.tip
        if not checkout.has_newer_work(proposal.commit):
            return self.publish.run(run, wish)
        # An ok is for what was shown: what was begun after it waits beside it.
        checkout.leave_aside(run.job.id, proposal.commit)
        ending = self.publish.run(run, wish)
        if ending.outcome != Outcome.SCHEDULED:
            # What was begun on top of it would bring a change that waits for its time live too early.
            checkout.rejoin(tip)
        return ending

    def keep_time(self, run: Run, schedule_id: str) -> Ending:
        """Publish, or take back, what was planned for this moment."""
        schedule = self.engine.schedules.find(schedule_id)
        if schedule is None or schedule.closed_by not in {"", BY_TIME}:
            # Somebody cancelled it in the very moment, and was told so then.
            return Ending(State.DONE, Outcome.NOTHING_CHANGED)
        if schedule.phase is Phase.REVERT:
            return self._end(run, schedule)
        Timing(run).resume(schedule)
        job = run.job
        if not run.checkout.has(schedule.about):
            raise PublishFailed(f"the branch {schedule.name} has lost the change that was kept in it")
        planned = self.engine.overview.job(schedule.job)
        text, when = split_request(job.request.text, planned or job)
        asked, quoted = told_apart(text)
        wish = PublishPlan(
            summary=planned.summary if planned else "",
            request=asked,
            brought=when,
            sources=others_words(self.engine, job.request, quoted),
            approved=self._agreed(job, schedule),
            agreed=schedule.receipt,
            **moments_of(job),
        )
        try:
            return self.publish.run(run, wish)
        except MergeConflict as conflict:
            raise Outdated(conflict, "start_conflict") from conflict

    def _agreed(self, job: Job, schedule: Schedule) -> Proposal | None:
        """Return the proposal to which somebody has said ok before its time came."""
        proposal = self.engine.proposals.find(job.thread)
        is_it = proposal is not None and proposal.id == schedule.job and proposal.standing == Standing.APPROVED
        return proposal if is_it else None

    def forget_end(self, job: Job, ending: Ending, commit: str) -> None:
        """Take the planned end of a change off the list that a person has taken back already."""
        if ending.outcome == Outcome.UNDONE:
            Ends(self.engine, self.clock).forget(job.lane.project, commit, job.request.reply_to or job.lane.user)

    def tell_owner(self, job: Job, ending: Ending) -> None:
        """Close the proposal that is live now, and tell the person who asked for it when somebody else said ok."""
        proposal = self.engine.proposals.find(job.thread)
        if proposal is None or job.about != approval_of(proposal.id) or ending.outcome not in _IS_LIVE:
            return
        by = job.request.reply_to or job.request.by
        self.engine.proposals.close(proposal, Standing.APPROVED, by, self.clock.now())
        self._write_to_owner(proposal, job, ending)

    def _write_to_owner(self, proposal: Proposal, job: Job, ending: Ending) -> None:
        find = self.engine.overview.job
        proposed = first_asked(find(proposal.id), find)
        owner = proposed.request.reply_to if proposed else None
        if owner is not None and owner != job.request.reply_to:
            letter = Letter(
                f"{proposal.id}.{APPROVED}", APPROVED, owner, ending.template, ending.facts, job=proposal.id
            )
            self.engine.outbox.add(letter, self.clock.now())

    def undo(self, run: Run, commit: str) -> Ending:
        """Revert exactly this commit on top of what is live now, and remember its end."""
        ends = Ends(self.engine, self.clock)
        commits = ends.with_those_below(run.project.id, commit)
        self._bring_end_back(run, commit)
        ends.remember(run, commit)
        told = _REDO if takes_back(self.engine, run.checkout, commit) else _UNDO
        return self._take_back(run, commits, told)

    def _bring_end_back(self, run: Run, commit: str) -> None:
        """Let what comes back with the undo of an undo end when it would have ended."""
        checkout = run.checkout
        name = checkout.job_of(commit) if checkout.has_been_live(commit) else None
        undone = self.engine.overview.job(name) if name else None
        if undone is None or undone.commit != commit or Step.TIMED in run.job.journal:
            return
        ends_at = undone.journal.took_end_at
        if ends_at is None or ends_at <= run.now.wall_at:
            return
        owner, asked_by = undone.journal.end_owner, undone.journal.end_job
        run.journal(Step.TIMED, Journal.ends_at(ends_at), Journal.timed_for(owner), Journal.timed_job(asked_by))

    def _end(self, run: Run, schedule: Schedule) -> Ending:
        """Take back what a moment ends; what is covered by another timed change waits for the end of that."""
        ends, commits, checkout = Ends(self.engine, self.clock), schedule.commits, run.checkout
        is_there = checkout.commit_of(run.job.id) is None and checkout.has_been_live(commits[0])
        if is_there and not can_revert(checkout, commits):
            covered = ends.cover(run, commits)
            if covered is not None:
                return covered
            above = ends.above(run, commits)
            commits = (*(commit for each in above for commit in each.commits), *commits)
        return self._take_back(run, commits, _END)

    def _take_back(self, run: Run, commits: tuple[str, ...], told: UndoTemplates) -> Ending:
        """Take these commits out, the newest first."""
        checkout, job = run.checkout, run.job
        if not checkout.has_been_live(commits[0]):
            return told.nothing()
        # Asked of the branch and not of the journal: on another machine the revert has to be made once more.
        if checkout.commit_of(job.id) is None:
            try:
                for commit in commits:
                    checkout.revert(commit)
            except MergeConflict as conflict:
                raise Outdated(
                    conflict, told.conflict, there_now=conflict.ours, before_it=conflict.theirs
                ) from conflict
            said = authorship(job, run.project)
            made = checkout.commit(
                f"Undo: {job.subject or commits[0][:12]}",
                author_name=said.name,
                author_email=said.address,
                trailers={**said.trailers, "Reverts": " ".join(commits)},
            )
            if made is None:
                return told.nothing()
            run.journal(Step.REVERTED, Journal.revert(made))
        wish = PublishPlan(outcome=Outcome.UNDONE, words=told.done, told_if_nothing=told.nothing_left)
        return self.publish.run(run, wish)

    def roll_back(self, run: Run, commit: str) -> Ending:
        """Bring all files back to what they were in a release, as a new commit on top of what is live."""
        checkout, job = run.checkout, run.job
        if not checkout.has_been_live(commit):
            raise PublishFailed(f"{commit[:12]} is not part of the live branch any more; restore it there by hand.")
        if Step.RESTORED not in job.journal and checkout.commit_of(job.id) is None:
            checkout.restore(commit)
            said = authorship(job, run.project)
            made = checkout.commit(
                said.message,
                author_name=said.name,
                author_email=said.address,
                trailers={**said.trailers, "Restores": commit},
            )
            if made is None:
                return Ending(State.DONE, Outcome.NOTHING_CHANGED, template="nothing_changed")
            run.journal(Step.RESTORED, Journal.restored(made))
        wish = PublishPlan(outcome=Outcome.UNDONE, words="undone", own_packages=True)
        return self.publish.run(run, wish)


def _answered(words: str) -> Ending:
    return Ending(State.DONE, Outcome.ANSWERED, template=words)
