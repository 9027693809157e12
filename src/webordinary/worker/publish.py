"""Publishing: onto current live, built, checked, and then through the commit point, in the order that cannot lie."""

from __future__ import annotations

import logging
import tempfile
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from webordinary.errors import JobFailed, LostOwnership, PublishFailed, TryAgain, WebOrdinaryError
from webordinary.jobs.job import Ending, Job, Outcome, State
from webordinary.site.build import build_site
from webordinary.workspace.push import PushRefused, PushResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.child import Child
    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim
    from webordinary.routing.project import Project
    from webordinary.worker.heartbeat import Pulse
    from webordinary.workspace.checkout import Checkout, Prepared
    from webordinary.workspace.sandbox import Sandbox

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
    sandbox: Callable[[], Sandbox]
    scratch: Path
    address_of: Callable[[Project], str]
    preview_of: Callable[[Project, str], str]

    def run(self, claim: Claim, job: Job, project: Project, checkout: Checkout, pulse: Pulse) -> Ending:
        self._wait_for_slot(claim, job, pulse)
        for _ in range(_TRIES):
            prepared = self._prepare(claim, job, project, checkout, pulse)
            pulse.check()
            job = self.engine.attempts.pass_commit_point(claim, job, prepared.commit, self.clock.now())
            pulse.pass_commit_point()
            try:
                pushed = self._push(claim, job, prepared, checkout, pulse)
            except PushRefused as refused:
                self.engine.attempts.reopen(claim, job, str(refused), self.clock.now())
                raise
            if pushed:
                return self._switch(claim, job, project, prepared.commit, checkout)
            job = self.engine.attempts.reopen(claim, job, "the live branch has moved", self.clock.now())
            pulse.reopen()
        raise PublishFailed("the live branch kept moving while the change was being published")

    def settle(self, claim: Claim, job: Job, project: Project, checkout: Checkout, pulse: Pulse) -> Ending | None:
        """Find out whether the commit of an owner that is gone is live, and complete it; None when it is not."""
        pulse.pass_commit_point()
        commit = job.commit or ""
        if not self._until_known(lambda: self._is_live(claim, job, checkout), pulse):
            return None
        return self._switch(claim, job, project, commit, checkout)

    def _wait_for_slot(self, claim: Claim, job: Job, pulse: Pulse) -> None:
        while not self.engine.attempts.take_publish_slot(claim, job, self.clock.now()):
            pulse.wait(_SLOT_LOOK)
            pulse.check()

    def _prepare(self, claim: Claim, job: Job, project: Project, checkout: Checkout, pulse: Pulse) -> Prepared:
        """Bring the thread onto current live, build it, and lay the release beside the old one."""
        checkout.merge_live()

        def watch(child: Child) -> None:
            checkout.record_child(child)
            pulse.watch(child)

        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            built = build_site(
                checkout.path,
                project.build,
                project.output,
                deadline=self.limits.deadline,
                sandbox=self.sandbox,
                into=Path(folder) / "site",
                watch=watch,
                keep_open=(checkout.lock,),
            )
            pulse.check()
            self.engine.attempts.journal(claim, job, "built", {}, self.clock.now())
            self.engine.sites.show_preview(project.id, job.thread, built)
            prepared = checkout.squash(
                f"{job.subject or 'Change by mail'}\n\n{job.request.text.strip()}",
                trailers={"Job": job.id, "Thread": job.thread},
                author_name=job.lane.user,
                author_email=f"{job.lane.user}@{project.id}.invalid",
            )
            self.engine.sites.add_release(project.id, prepared.commit, built)
        facts = {"preview": self.preview_of(project, job.thread)}
        self.engine.attempts.journal(claim, job, "previewed", facts, self.clock.now())
        return prepared

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

    def _switch(self, claim: Claim, job: Job, project: Project, commit: str, checkout: Checkout) -> Ending:
        self.engine.sites.switch_live(
            project.id, commit, lane=claim.lane.key, fence=claim.fence, descends=checkout.descends
        )
        self.engine.attempts.journal(claim, job, "published", {"commit": commit}, self.clock.now())
        summary = job.journal.get("summary", "")
        facts = {"summary": summary, "address": self.address_of(project)}
        try:
            facts["changes"] = checkout.describe(commit)
            self.engine.sites.remove_old(project.id, keep=project.rules.retention.releases)
        except (WebOrdinaryError, OSError):
            # The change is live; nothing that comes after may make it look otherwise.
            _log.exception("cleaning up after %s broke", job.id)
        return Ending(State.DONE, Outcome.PUBLISHED, summary=summary, words="published", facts=facts)
