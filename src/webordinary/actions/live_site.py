"""What is done to a live site: a published change taken back, a release gone back to, a rewritten branch accepted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.actions.done import Done
from webordinary.actions.known import QUEUES, require_job, require_project
from webordinary.audit.entry import Entry, EventType
from webordinary.errors import Refused, TryAgain
from webordinary.intake import roll_back
from webordinary.intake.new_job import new_job_id
from webordinary.jobs.about import revert_of
from webordinary.jobs.job import Kind, NewJob, Outcome, Request
from webordinary.workspace.history import BranchState, accept, state_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.engines.installation import Installation
    from webordinary.routing.project import Project
    from webordinary.site.sites import Release
    from webordinary.workspace.mirror import Mirror

_SHORTEST = 4
_LIVE = frozenset({Outcome.PUBLISHED, Outcome.UNDONE})


def undo(here: Installation, job: str, by: str) -> Done:
    """Take back what a job has published, as an undo by mail does; nobody is answered."""
    found = require_job(here, job)
    if found.outcome not in _LIVE or not found.commit:
        raise Refused(f"{job} has brought nothing live that could be taken back.")
    undone = new_job_id()
    asked = NewJob(
        id=undone,
        lane=found.lane,
        thread=found.thread,
        dedup_key=f"undo:{found.commit}:{undone}",
        kind=Kind.VERB,
        subject=f"Undo of {found.subject or job}, asked for by {by}",
        request=Request("", by=by),
        received_at=here.clock.now().wall_at,
        about=revert_of(found.commit),
    )
    here.engine.lanes.accept(asked, here.clock.now(), ready=QUEUES)
    return Done(f"What {job} has published is taken back by {undone}.", undone)


def rollback(here: Installation, project: str, by: str, release: str) -> Done:
    """Bring a site back to a release, as a new change on top of what is live."""
    found = require_project(here, project)
    wanted = meant_release(here, found, release)
    job = roll_back(found, wanted.commit, by, here.clock)
    here.engine.lanes.accept(job, here.clock.now(), ready=QUEUES)
    return Done(f"{project} goes back to {wanted.commit[:12]} with {job.id}.", job.id)


def meant_release(here: Installation, project: Project, named: str) -> Release:
    """Return the one kept release whose commit begins like that."""
    kept, live = here.engine.sites.releases(project.id), here.engine.sites.live(project.id)
    found = _beginning(kept, named)
    if len(found) != 1:
        many = "More than one release begins with" if found else "There is no release"
        raise Refused(f"{many} {named}; `webordinary rollback {project.id}` lists those that are kept.")
    if found[0].commit == live:
        raise Refused(f"{named} is what visitors of {project.id} see now.")
    return found[0]


def _beginning(kept: Sequence[Release], named: str) -> list[Release]:
    return [each for each in kept if len(named) >= _SHORTEST and each.commit.startswith(named.lower())]


@dataclass(frozen=True, slots=True)
class BranchView:
    """A project's live branch beside what visitors see."""

    project: Project
    mirror: Mirror
    seen: str | None
    live: str | None
    state: BranchState
    paused: str | None

    @property
    def is_on_hold(self) -> bool:
        from webordinary.worker.change.from_git import FROM_GIT  # noqa: PLC0415 - heavy, and --help should be quick

        return self.paused is not None and self.paused.startswith(FROM_GIT)


def look_at_branch(here: Installation, project: Project) -> BranchView:
    """Fetch the repository, and see how its live branch stands to the pointer."""
    from webordinary.workspace.access import Access  # noqa: PLC0415 - heavy
    from webordinary.workspace.checkout import Workspace  # noqa: PLC0415 - heavy

    access = Access(project.repository, project.git, here.engine.secrets)
    mirror = Workspace(here.config.data / "workspace").mirror_of(project.id, access, project.branch)
    seen = here.engine.sites.live(project.id)
    state = state_of(mirror, seen)
    paused = next((each.reason for each in here.engine.overview.paused() if each.project == project.id), None)
    return BranchView(project, mirror, seen, mirror.branch_at_remote(project.branch), state, paused)


def accept_history(here: Installation, project: str, by: str) -> Done:
    """Make a live branch that was rewritten the live one, and publish it."""
    view = look_at_branch(here, require_project(here, project))
    refuse_what_is_no_rewrite(view)
    job = accept_and_publish(here, view, by)
    return Done(f"The rewritten branch of {project} is accepted and goes live with {job}.", job)


def accept_and_publish(here: Installation, view: BranchView, by: str) -> str:
    """Accept the branch as it is, let the project go on, and return the job that publishes it first."""
    from webordinary.worker.chores.git_watch import QUEUE, publish_pushed  # noqa: PLC0415 - heavy

    live, seen, project = view.live or "", view.seen or "", view.project
    if view.state is BranchState.REWRITTEN:
        if not accept(view.mirror, live, seen, by):
            raise TryAgain("Somebody else has decided about the same history in this moment; look at it again.")
        facts = {"project": project.id, "by": by, "accepted": live, "replaced": seen}
        here.engine.trail.record(Entry(EventType.HISTORY_ACCEPTED, here.clock.now().wall_at, facts=facts))
    job = publish_pushed(project, live, f"accepted:{live}:{seen}:{here.clock.now().seconds}", here.clock)
    here.engine.lanes.accept(job, here.clock.now(), ready=QUEUE)
    if view.is_on_hold:
        here.engine.lanes.resume(project.id, by, here.clock.now())
    return job.id


def refuse_what_is_no_rewrite(view: BranchView) -> None:
    """Refuse to accept a branch that was not rewritten."""
    project, branch = view.project, view.project.branch
    if not project.editors:
        raise Refused(f"{project.id} has no editor, in whose lane it could be done; add one first.")
    if view.state is BranchState.GONE:
        raise Refused(f"There is no branch {branch} in {project.shown_repository}; push it, or correct `branch`.")
    if view.state is BranchState.UNSEEN:
        raise Refused(f"Nothing of {project.id} is published from here, so every history of {branch} is fine.")
    if view.state is not BranchState.REWRITTEN and not view.is_on_hold:
        raise Refused(f"{branch} of {project.id} goes on from what visitors see; there is nothing to accept.")
