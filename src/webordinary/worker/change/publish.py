"""Publishing: onto current live, built, checked, and then through the commit point, in the order that cannot lie."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from webordinary.errors import JobFailed, LostOwnership, PublishFailed, TryAgain, WebOrdinaryError
from webordinary.jobs.job import Ending, Job, Outcome, State
from webordinary.jobs.schedules import timed_name
from webordinary.routing.project import Publish as Rule
from webordinary.worker.change.left import LEFT
from webordinary.worker.change.pictures import pictures_of
from webordinary.worker.change.plans import Plans
from webordinary.worker.change.propose import Ask, propose
from webordinary.worker.change.timed import KEPT, end_of, missed
from webordinary.workspace.push import PushRefused, PushResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.limits import Limits
    from webordinary.jobs.proposals import Proposal
    from webordinary.ownership.claim import Claim
    from webordinary.routing.project import Project
    from webordinary.worker.change.candidate import Candidate, Candidates, Wish
    from webordinary.worker.change.examine import Examination
    from webordinary.worker.change.pictures import Pictures
    from webordinary.worker.heartbeat import Pulse
    from webordinary.workspace.checkout import Checkout, Prepared

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
    clock: Clock
    limits: Limits
    candidates: Candidates
    pictures: Pictures
    address_of: Callable[[Project], str]

    def run(self, claim: Claim, job: Job, project: Project, checkout: Checkout, pulse: Pulse, wish: Wish) -> Ending:
        self._wait_for_slot(claim, job, pulse)
        for _ in range(_TRIES):
            with self.candidates.prepared(claim, job, project, checkout, pulse, wish) as candidate:
                found, prepared = candidate.found, candidate.prepared
                if found.receipt.is_empty:
                    return self._nothing_changed(project, wish)
                if (why := _why_ask(project, found, wish)) is not None:
                    self.pictures.take(claim, job, candidate, pulse)
                    return propose(self._current(job), project, checkout.tip, found, why, self.clock.now().wall_at)
                if wish.ends_at is not None and wish.ends_at <= self.clock.now().wall_at:
                    return missed(job)
                if wish.starts_at is not None and wish.starts_at > self.clock.now().wall_at:
                    self.pictures.take(claim, job, candidate, pulse)
                    return self._keep(claim, job, checkout, candidate, wish)
                self.engine.sites.add_release(project.id, prepared.commit, candidate.built)
                pulse.check()
                job = self.engine.attempts.pass_commit_point(claim, job, prepared.commit, self.clock.now())
                pulse.pass_commit_point()
                try:
                    pushed = self._push(claim, job, prepared, checkout, pulse)
                except PushRefused as refused:
                    self.engine.attempts.reopen(claim, job, str(refused), self.clock.now())
                    raise
                if pushed:
                    job = self._switch(claim, job, project, prepared.commit, checkout)
                    return self._published(self.pictures.take(claim, job, candidate, pulse), project)
            job = self.engine.attempts.reopen(claim, job, "the live branch has moved", self.clock.now())
            pulse.reopen()
        raise PublishFailed("the live branch kept moving while the change was being published")

    def _keep(self, claim: Claim, job: Job, checkout: Checkout, candidate: Candidate, wish: Wish) -> Ending:
        """Keep the change for its moment in a branch of its own: the thread goes on without it."""
        name = timed_name(job.id)
        commit = candidate.prepared.commit
        if not checkout.keep_at_remote(name, commit, lane=claim.lane.key, fence=claim.fence, job=job.id):
            raise LostOwnership("a newer owner has pushed for this lane")
        mark = wish.approved.receipt if wish.approved else candidate.found.mark
        job = self.engine.attempts.journal(claim, job, KEPT, {"kept_commit": commit, "mark": mark}, self.clock.now())
        return Plans(self.engine, self.clock).put_aside(claim, job, checkout)

    def _nothing_changed(self, project: Project, wish: Wish) -> Ending:
        # What an agent says it did is not repeated where nothing of it can be seen.
        facts = {"address": self.address_of(project)}
        words = wish.told_if_nothing
        return Ending(State.DONE, Outcome.NOTHING_CHANGED, summary=wish.summary, words=words, facts=facts)

    def _current(self, job: Job) -> Job:
        """Return the job with its journal as it stands now."""
        return self.engine.overview.job(job.id) or job

    def settle(self, claim: Claim, job: Job, project: Project, checkout: Checkout, pulse: Pulse) -> Ending | None:
        """Find out whether the commit of an owner that is gone is live, and complete it; None when it is not."""
        pulse.pass_commit_point()
        commit = job.commit or ""
        if not self._until_known(lambda: self._is_live(claim, job, checkout), pulse):
            return None
        return self._published(self._switch(claim, job, project, commit, checkout), project)

    def _wait_for_slot(self, claim: Claim, job: Job, pulse: Pulse) -> None:
        while not self.engine.attempts.take_publish_slot(claim, job, self.clock.now()):
            pulse.wait(_SLOT_LOOK)
            pulse.check()

    def _push(self, claim: Claim, job: Job, prepared: Prepared, checkout: Checkout, pulse: Pulse) -> bool:
        """Push until it is known how that went: it is live, or the live branch had moved before."""

        def push() -> bool:
            result = checkout.push_live(prepared, lane=claim.lane.key, fence=claim.fence, job=job.id)
            if result == PushResult.STALE_FENCE:
                raise LostOwnership("a newer owner has pushed for this lane")
            return result == PushResult.PUSHED

        pushed = self._until_known(push, pulse)
        if pushed:
            facts = {"commit": prepared.commit}
            self.engine.attempts.journal(claim, job, "pushed", facts, self.clock.now())
        return pushed

    def _is_live(self, claim: Claim, job: Job, checkout: Checkout) -> bool:
        """Look only after the fences are ours: an owner that comes back late can then change nothing."""
        if not checkout.advance_fence(lane=claim.lane.key, fence=claim.fence):
            raise LostOwnership("a newer owner has settled this lane")
        self.engine.sites.advance_fence(claim.lane.project, claim.lane.key, claim.fence)
        return checkout.is_live(job.commit or "")

    def _until_known(self, look: Callable[[], T], pulse: Pulse) -> T:
        """Past the commit point a passing error must not end the job: its commit may be live."""
        for wait in self.limits.backoff:
            try:
                return look()
            except TryAgain:
                pulse.wait(wait)
                pulse.check()
        return look()

    def _switch(self, claim: Claim, job: Job, project: Project, commit: str, checkout: Checkout) -> Job:
        self.engine.sites.switch_live(
            project.id, commit, lane=claim.lane.key, fence=claim.fence, descends=checkout.descends
        )
        job = self.engine.attempts.journal(claim, job, "published", {"commit": commit}, self.clock.now())
        try:
            self.engine.sites.remove_old(project.id, keep=project.rules.retention.releases)
        except (WebOrdinaryError, OSError):
            # The change is live; nothing that comes after may make it look otherwise.
            _log.exception("cleaning up after %s broke", job.id)
        return job

    def _published(self, job: Job, project: Project) -> Ending:
        """Tell the end from the journal alone: whoever settles a job after a crash has nothing else."""
        summary = job.journal.get("summary", "")
        facts = {"summary": summary, "address": self.address_of(project), **pictures_of(job.journal)}
        facts |= {name: job.journal[name] for name in ("changes", *LEFT) if name in job.journal}
        outcome = Outcome(job.journal.get("outcome", Outcome.PUBLISHED.value))
        words = job.journal.get("tell_as", "published")
        ends = end_of(job)
        schedules = (ends,) if ends is not None else ()
        if ends is not None:
            facts["ends"] = ends.at.isoformat()
        return Ending(State.DONE, outcome, summary=summary, words=words, facts=facts, schedules=schedules)


def _why_ask(project: Project, found: Examination, wish: Wish) -> Ask | None:
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
