"""Whether somebody may still do what their mail asked for: answered anew when its job starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.errors import Refused
from webordinary.jobs.about import Errand, read_about
from webordinary.jobs.job import State
from webordinary.jobs.schedules import Phase
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from webordinary.engine import Engine
    from webordinary.jobs.job import Job
    from webordinary.routing.project import Project


def still_allowed(engine: Engine, agency: str | None, job: Job) -> Project:
    """Return the project of the job; Refused when whoever asked for it was removed since the mail came."""
    project = engine.projects.find(job.lane.project)
    if project is None:
        raise Refused(f"the project {job.lane.project} is no longer configured")
    if job.state != State.COMMITTING and not _may(engine, agency, job, project):
        # What may be live already is settled first, whoever has left since.
        raise Refused(f"{job.request.reply_to or job.lane.user} may no longer edit {project.id}")
    return project


def _may(engine: Engine, agency: str | None, job: Job, project: Project) -> bool:
    address, about = job.request.reply_to, read_about(job.about)
    if about is not None and about.name.endswith(f".{Phase.REVERT}"):
        # What was meant for a while ends, whoever has left since.
        return True
    if address is None:
        return project.editor(job.lane.user) is not None
    if about is None or about.errand != Errand.APPROVE:
        return project.editor_by_address(address) is not None
    proposal = engine.proposals.find(job.thread)
    if proposal is not None and proposal.for_agency:
        return agency is not None and fold_address(address) == fold_address(agency)
    # Who approves need not edit; the agency always may.
    return project.may_approve(address, agency)
