"""Publishing: onto current live, built, checked, and then through the commit point, in the order that cannot lie."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from webordinary.errors import JobFailed, LostOwnership, PublishFailed, TryAgain, WebOrdinaryError
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.journal import Journal, Step
from webordinary.jobs.schedules import timed_name
from webordinary.routing.project import PublishRule as Rule
from webordinary.worker.change.from_git import FromGit, is_gone
from webordinary.worker.change.left import LEFT
from webordinary.worker.change.pictures import pictures_of
from webordinary.worker.change.plans import Plans
from webordinary.worker.change.propose import Ask, propose
from webordinary.worker.change.timed import end_of, missed
from webordinary.workspace.mirror import BranchGone
from webordinary.workspace.push import PushRefused, PushResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.jobs.limits import Limits
    from webordinary.jobs.proposals import Proposal
    from webordinary.ownership.claim import Claim
    from webordinary.routing.project import Project
    from webordinary.worker.change.candidate import Candidate, Candidates, PublishPlan
    from webordinary.worker.change.examine import Examination
    from webordinary.worker.change.pictures import Pictures
    from webordinary.worker.heartbeat import AttemptControl
    from webordinary.worker.run import Run
    from webordinary.workspace.checkout import Prepared

T = TypeVar("T")

_log = logging.getLogger(__name__)

_TRIES = 3
_SLOT_LOOK = timedelta(milliseconds=50)


class NotSure(JobFailed):
    """It could not be found out whether the change is live."""


@dataclass(frozen=True, slots=True)
class Publish:
    """Brings a thread's change live: at most one at a time in each project, never backwards."""

    engine: Engine
    limits: Limits
    candidates: Candidates
    pictures: Pictures
    address_of: Callable[[Project], str]
    agency: str | None = None

    @property
    def from_git(self) -> FromGit:
        return FromGit(self.engine, self.candidates, self._wait_for_slot, self.address_of, self.agency)

    def run(self, run: Run, wish: PublishPlan) -> Ending:
        self._wait_for_slot(run)
        for _ in range(_TRIES):
            self._look_at_live(run)
            with self.candidates.prepared(run, wish) as candidate:
                found, prepared = candidate.found, candidate.prepared
                if found.receipt.is_empty:
                    self.candidates.show(run, wish, candidate)
                    return self._nothing_changed(run.project, wish)
                if (why := _why_ask(run.project, found, candidate.wish)) is not None:
                    self.candidates.show(run, wish, candidate)
                    self.pictures.take(run, candidate)
                    return propose(run.job, run.project, run.checkout.tip, found, why, run.now.wall_at)
                if wish.ends_at is not None and wish.ends_at <= run.now.wall_at:
                    return missed(run.job)
                if wish.starts_at is not None and wish.starts_at > run.now.wall_at:
                    self.candidates.show(run, wish, candidate)
                    self.pictures.take(run, candidate)
                    return self._keep(run, candidate, wish)
                lies_in = self.engine.sites.take_release(run.project.id, prepared.commit, candidate.built)
                candidate = replace(candidate, built=lies_in)  # noqa: PLW2901 - its files were moved
                self.candidates.show(run, wish, candidate)
                run.pulse.check()
                run.pass_commit_point(prepared.commit)
                try:
                    pushed = self._push(run, prepared)
                except PushRefused as refused:
                    run.reopen(str(refused))
                    raise
                if pushed:
                    self._switch(run, prepared.commit)
                    self.pictures.take(run, candidate)
                    self.candidates.keep_build(run, candidate)
                    return self.published(run.job, run.project)
            run.reopen("the live branch has moved")
        raise PublishFailed("the live branch kept moving while the change was being published")

    def _look_at_live(self, run: Run) -> None:
        """See the live branch as it is; what a developer has pushed goes live before the change, or holds it."""
        try:
            run.checkout.look_at_live()
            self.from_git.catch_up(run)
        except BranchGone:
            raise is_gone(run.project) from None

    def _keep(self, run: Run, candidate: Candidate, wish: PublishPlan) -> Ending:
        """Keep the change for its moment in a branch of its own: the thread goes on without it."""
        name, claim = timed_name(run.job.id), run.claim
        commit = candidate.prepared.commit
        if not run.checkout.keep_at_remote(name, commit, lane=claim.lane.key, fence=claim.fence, job=run.job.id):
            raise LostOwnership("a newer owner has pushed for this lane")
        mark = wish.approved.receipt if wish.approved else candidate.found.mark
        run.journal(Step.KEPT, Journal.kept_commit(commit), Journal.mark(mark))
        return Plans(run).put_aside()

    def _nothing_changed(self, project: Project, wish: PublishPlan) -> Ending:
        # What an agent says it did is not repeated where nothing of it can be seen.
        facts = {"address": self.address_of(project)}
        words = wish.told_if_nothing
        return Ending(State.DONE, Outcome.NOTHING_CHANGED, summary=wish.summary, template=words, facts=facts)

    def settle(self, run: Run) -> Ending | None:
        """Find out whether the commit of an owner that is gone is live, and complete it; None when it is not."""
        run.pulse.pass_commit_point()
        commit = run.job.commit or ""
        if not self._until_known(lambda: self._is_live(run), run.pulse):
            # It was live, and was told to nobody, before somebody took it out of the branch.
            seen = self.engine.sites.live(run.project.id)
            was_seen = seen is not None and run.checkout.descends(seen, commit)
            return self.published(run.job, run.project) if was_seen else None
        self._switch(run, commit)
        return self.published(run.job, run.project)

    def settle_without_branch(self, claim: Claim, job: Job, project: Project, pulse: AttemptControl) -> Ending | None:
        """Find out the same when there is no live branch any more, and so no checkout either."""
        pulse.pass_commit_point()
        self.engine.sites.advance_fence(project.id, claim.lane.key, claim.fence)
        return self.published(job, project) if self.engine.sites.live(project.id) == job.commit else None

    def _wait_for_slot(self, run: Run) -> None:
        while not self.engine.attempts.take_publish_slot(run.claim, run.job, run.now):
            run.pulse.wait(_SLOT_LOOK)
            run.pulse.check()

    def _push(self, run: Run, prepared: Prepared) -> bool:
        """Push until it is known how that went: it is live, or the live branch had moved before."""

        def push() -> bool:
            claim = run.claim
            result = run.checkout.push_live(prepared, lane=claim.lane.key, fence=claim.fence, job=run.job.id)
            if result == PushResult.STALE_FENCE:
                raise LostOwnership("a newer owner has pushed for this lane")
            return result == PushResult.PUSHED

        pushed = self._until_known(push, run.pulse)
        if pushed:
            run.journal(Step.PUSHED, Journal.commit(prepared.commit), may_wait=True)
        return pushed

    def _is_live(self, run: Run) -> bool:
        """Look only after the fences are ours: an owner that comes back late can then change nothing."""
        claim = run.claim
        if not run.checkout.advance_fence(lane=claim.lane.key, fence=claim.fence):
            raise LostOwnership("a newer owner has settled this lane")
        self.engine.sites.advance_fence(claim.lane.project, claim.lane.key, claim.fence)
        return run.checkout.is_live(run.job.commit or "")

    def _until_known(self, look: Callable[[], T], pulse: AttemptControl) -> T:
        """Past the commit point a passing error must not end the job: its commit may be live."""
        for wait in self.limits.backoff:
            try:
                return look()
            except TryAgain:
                pulse.wait(wait)
                pulse.check()
        return look()

    def _switch(self, run: Run, commit: str) -> None:
        claim, project, follows = run.claim, run.project, run.checkout.follows
        key, fence = claim.lane.key, claim.fence
        switched = self.engine.sites.switch_live(project.id, commit, lane=key, fence=fence, descends=follows)
        run.journal(Step.PUBLISHED, Journal.commit(commit), Journal.switched(switched.value), may_wait=True)
        try:
            self.engine.sites.remove_old(project.id, keep=project.rules.retention.releases)
        except (WebOrdinaryError, OSError):
            # The change is live; nothing that comes after may make it look otherwise.
            _log.exception("cleaning up after %s broke", run.job.id)

    def published(self, job: Job, project: Project) -> Ending:
        """Tell the end from the journal alone: a worker that settles a job after a crash has nothing else."""
        summary = job.journal.summary
        facts = {"summary": summary, "address": self.address_of(project), **pictures_of(job.journal)}
        facts |= job.journal.told(Journal.changes, *LEFT)
        outcome, words = job.journal.outcome or Outcome.PUBLISHED, job.journal.tell_as or "published"
        ends = end_of(job)
        schedules = (ends,) if ends is not None else ()
        if ends is not None:
            facts["ends"] = ends.at.isoformat()
        return Ending(State.DONE, outcome, summary=summary, template=words, facts=facts, schedules=schedules)


def _why_ask(project: Project, found: Examination, wish: PublishPlan) -> Ask | None:
    """Return why somebody has to say ok first; None when the change may go live."""
    if wish.approved is not None:
        return _why_ask_again(wish.approved, found)
    if wish.outcome != Outcome.PUBLISHED:
        return None
    beyond = (wish.beyond, found.beyond.reason if found.beyond else "")
    if any(beyond):
        return Ask("\n".join(dict.fromkeys(filter(None, beyond))), for_agency=True)
    if wish.agreed == found.mark:
        return None
    is_careful = project.rules.publish == Rule.APPROVE
    if found.needs_ok and not (wish.agreed and is_careful):
        return Ask("")
    return Ask("moved" if wish.agreed else "approve") if is_careful else None


def _why_ask_again(approved: Proposal, found: Examination) -> Ask | None:
    """Hold an ok against what would go live now: it binds to what was seen."""
    if found.beyond is not None and not approved.for_agency:
        return Ask(found.beyond.reason, for_agency=True)
    return None if approved.receipt == found.mark else Ask("moved", for_agency=approved.for_agency)
