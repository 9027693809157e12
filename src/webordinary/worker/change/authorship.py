"""What a commit says about a job: what was asked, and by whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.jobs.about import Errand, read_about
from webordinary.routing.project import Editor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webordinary.jobs.job import Job
    from webordinary.routing.project import Project


@dataclass(frozen=True, slots=True)
class Authorship:
    """The words and the author of a commit."""

    message: str
    name: str
    address: str
    trailers: Mapping[str, str]


def authorship(job: Job, project: Project, asked: Job | None = None) -> Authorship:
    """Say what was asked; with an `ok` that is what somebody had asked for before."""
    asked = asked or job
    address = asked.request.reply_to
    editor = (address and project.editor_by_address(address)) or project.editor(asked.lane.user)
    author = editor or Editor(asked.lane.user, "")
    about = read_about(job.about)
    if about is not None and about.errand is Errand.ROLLBACK:
        # It only waits in an editor's lane; who asked for it stands in the words.
        author = Editor("webordinary", "")
    message = f"{asked.subject or 'Change by mail'}\n\n{asked.request.text.strip()}"
    trailers = {"Job": job.id, "Thread": job.thread}
    return Authorship(message, author.user, project.address_in_commits(author), trailers)
