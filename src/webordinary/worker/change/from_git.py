"""What came from git: a developer's push goes live as a release of its own, before the next change by mail.

Nothing goes live on a branch that does not go on from what visitors see: the project is on hold until its agency has
accepted the new history, or somebody has pushed a branch that does.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.errors import JobFailed, LostOwnership, OnHold, WebOrdinaryError
from webordinary.jobs.journal import Journal, Step
from webordinary.reply.outbox import Letter
from webordinary.site.receipt.excerpt import one_line
from webordinary.workspace.mirror import BranchGone

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.engine import Engine
    from webordinary.routing.project import Project
    from webordinary.worker.change.candidate import Candidates
    from webordinary.worker.run import Run

# What a pause for the sake of the repository begins with: it ends by itself when the branch has moved.
FROM_GIT = "From git: "
_SHORT = 12
_LONGEST_REASON = 300


def was_rewritten(project: Project, live: str, seen: str) -> OnHold:
    """Say what is wrong with a branch that does not go on from what visitors see."""
    return OnHold(
        f"{FROM_GIT}the branch {project.branch} was rewritten: {live[:_SHORT]} does not go on from {seen[:_SHORT]},"
        f" which visitors see. `webordinary project accept-history {project.id}` shows what it changes and makes it the"
        f" live one; or push a branch that goes on from {seen[:_SHORT]}, and it goes on by itself."
    )


def is_gone(project: Project) -> OnHold:
    """Say what is wrong without a live branch."""
    return OnHold(
        f"{FROM_GIT}there is no branch {project.branch} any more in {project.shown_repository}: push it again, and it"
        f" goes on by itself; or correct `branch` of {project.id} in the configuration and say"
        f" `webordinary resume {project.id}`."
    )


def _cannot_go_live(project: Project, live: str, why: Exception) -> OnHold:
    details = getattr(why, "details", "").strip().splitlines()
    said = one_line(f"{why} ({details[-1]})" if details else str(why))[:_LONGEST_REASON]
    return OnHold(
        f"{FROM_GIT}what was pushed to {project.branch} ({live[:_SHORT]}) cannot go live: {said}. No mail is to blame;"
        " push what mends it, and it goes on by itself."
    )


@dataclass(frozen=True, slots=True)
class FromGit:
    """Brings the pointer to where the live branch is, if that goes on from it."""

    engine: Engine
    candidates: Candidates
    wait_for_slot: Callable[[Run], None]
    address_of: Callable[[Project], str]
    agency: str | None = None

    def catch_up(self, run: Run) -> None:
        """Publish what was pushed since the last release; OnHold when it may not go live."""
        self._finish_telling(run)
        if self._seen(run) is None:
            return
        self.wait_for_slot(run)
        # Another lane may have been faster, and somebody may have pushed while we waited.
        live, seen = run.checkout.look_at_live(), self._seen(run)
        if seen is None:
            return
        if not run.checkout.follows(live, seen):
            raise was_rewritten(run.project, live, seen)
        self._publish(run, live, seen)

    def catch_up_early(self, run: Run) -> None:
        """Do the same before the work begins, in which nobody else has to wait for the project's slot."""
        self._finish_telling(run)
        # Not every job publishes: a place that does not answer is in the way of those that do.
        if _seen_if_known(self.engine, run.project.id) in {None, run.checkout.live_commit()}:
            return
        try:
            self.catch_up(run)
        except BranchGone:
            raise is_gone(run.project) from None
        finally:
            with suppress(LostOwnership):
                self.engine.attempts.leave_publish_slot(run.claim, run.job, run.now)

    def _seen(self, run: Run) -> str | None:
        """Return what visitors see if it is not the live branch; None also where the host keeps the releases itself."""
        seen = self.engine.sites.live(run.project.id)
        return None if seen == run.checkout.live_commit() else seen

    def _publish(self, run: Run, live: str, seen: str) -> None:
        """Build, record and switch: the attempt after a crash finds in the journal what is to be told."""
        project, claim, checkout = run.project, run.claim, run.checkout
        try:
            with self.candidates.pushed(run, seen) as (built, found):
                self.engine.sites.add_release(project.id, live, built)
                told = found.told().get("changes", "")
        except JobFailed as why:
            raise _cannot_go_live(project, live, why) from why
        came = "\n".join(checkout.moved_since(seen).came)
        run.journal(
            Step.CAME_FROM_GIT,
            Journal.git_commit(live),
            Journal.git_before(seen),
            Journal.git_changes(told),
            Journal.git_commits(came),
        )
        self.engine.sites.switch_live(
            project.id, live, lane=claim.lane.key, fence=claim.fence, descends=checkout.follows
        )
        self._finish_telling(run)

    def _finish_telling(self, run: Run) -> None:
        """Tell the agency what went live, once, however often a worker dies on the way."""
        journal = run.job.journal
        commit = journal.git_commit
        if not commit or journal.git_released == commit or self.engine.sites.live(run.project.id) != commit:
            return
        if self.agency is not None:
            facts = {
                "site": run.project.name,
                "project": run.project.id,
                "commits": journal.git_commits,
                "address": self.address_of(run.project),
            }
            changes = {"changes": journal.git_changes} if journal.git_changes else {}
            letter = Letter(f"from-git.{run.project.id}.{commit}", "from_git", self.agency, "from_git", facts | changes)
            self.engine.outbox.add(letter, run.now)
        run.journal(Step.RELEASED_FROM_GIT, Journal.git_released(commit))


def _seen_if_known(engine: Engine, project: str) -> str | None:
    """Return what visitors see; None where that cannot be asked now, or nothing was published yet."""
    try:
        return engine.sites.live(project)
    except WebOrdinaryError:
        return None
