"""Housekeeping on a worker's machine: old files, previews, branches and loose objects, beside the work."""

from __future__ import annotations

import logging
import random
import threading
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from webordinary.errors import WebOrdinaryError
from webordinary.routing.project import is_local
from webordinary.worker.change.scratch import open_scratch
from webordinary.workspace.access import Access
from webordinary.workspace.git import Git
from webordinary.workspace.lock import take_lock
from webordinary.workspace.upkeep import Ages, MirrorUpkeep, pack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.retention import Lifetimes
    from webordinary.routing.project import Project

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Housekeeping:
    """A thread of its own, because git and many files take long; of all workers of a machine one does it at a time."""

    engine: Engine
    clock: Clock
    kept_for: Lifetimes
    data: Path
    prunes_remotes: bool = True
    # Where many machines share the work, each tends what it has worked on, and nobody reads all projects.
    is_one_of_many: bool = False
    every: timedelta = timedelta(hours=1)
    _closed: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        threading.Thread(target=self._live, name="housekeeping", daemon=True).start()

    def close(self) -> None:
        """Begin nothing more; what git still does then, it ends by itself."""
        self._closed.set()

    def tidy_up(self) -> None:
        """Do everything once, unless another worker of this machine does."""
        lock = take_lock(self.data / "housekeeping.lock", patience=timedelta(0))
        if lock is None:
            return
        with lock:
            self._attempt("files", self._remove_files)
            for project in self._tended():
                self._attempt("previews", partial(self._remove_previews, project))
                self._attempt("branches", partial(self._tidy_repository, project))

    def _live(self) -> None:
        # Not at the start, when there is other work; and not at the same moment in every worker.
        while not self._closed.wait(self.every.total_seconds() * random.uniform(0.5, 1.0)):  # noqa: S311 - to spread workers
            self.tidy_up()

    def _attempt(self, what: str, step: Callable[[], None]) -> None:
        if self._closed.is_set():
            return
        try:
            step()
        except (WebOrdinaryError, OSError) as problem:
            _log.warning("tidying up %s did not work and is tried again later: %s", what, problem)

    def _tended(self) -> Iterable[Project]:
        if not self.is_one_of_many:
            return self.engine.projects.all()
        mirrors = (self.data / "workspace" / "projects").glob("*/mirror.git")
        found = (self.engine.projects.find(mirror.parent.name) for mirror in mirrors)
        return [project for project in found if project is not None]

    def _remove_files(self) -> None:
        now = self.clock.now().wall_at
        kept = [project.rules.retention.raw_mail for project in self._tended()]
        if kept:
            self.engine.inbox.forget_before(now - max(kept))
        open_scratch(self.data / "scratch", now)

    def _remove_previews(self, project: Project) -> None:
        before, sites = self.clock.now().wall_at - self.kept_for.previews, self.engine.sites
        old = [each.thread for each in sites.previews(project.id) if each.shown_at < before]
        if old:
            needed = self._needed(project)
            for thread in old:
                if thread not in needed:
                    sites.remove_preview(project.id, thread)

    def _tidy_repository(self, project: Project) -> None:
        now = self.clock.now().wall_at
        access = Access(project.repository, project.git, self.engine.secrets)
        upkeep = MirrorUpkeep(self.data / "workspace", project.id, access, project.branch)
        if upkeep.is_there:
            ages = Ages(now - self.kept_for.jobs, now - project.rules.retention.interruptions)
            upkeep.prune_branches(ages, lambda: self._needed(project), at_remote=self.prunes_remotes)
            upkeep.pack()
        for repository in self._own_repositories(project):
            pack(Git(repository, repository=repository))

    def _own_repositories(self, project: Project) -> Iterator[Path]:
        """Return the project's repository if it lives in our own folder: nobody else looks after it."""
        own = self.data / "repositories" / f"{project.id}.git"
        if is_local(project.repository) and (own / "HEAD").is_file():
            yield own

    def _needed(self, project: Project) -> set[str]:
        """Return the conversations and branches of a project in which something waits or runs."""
        engine = self.engine
        plans = engine.schedules.all(project=project.id)
        names = {name for plan in plans for name in (plan.name, plan.thread)}
        waiting = engine.proposals.all_open(project=project.id)
        names |= {proposal.thread for proposal in waiting}
        jobs = [job for proposal in waiting if (job := engine.overview.job(proposal.id)) is not None]
        jobs.extend(job for lane in self._busy_lanes(project) for job in engine.overview.live(lane))
        branches = {job.journal.branch.removeprefix("thread-") for job in jobs}
        return names | branches | {name for job in jobs for name in (job.thread, job.id)}

    def _busy_lanes(self, project: Project) -> Iterator[str]:
        """Return the lanes of a project in which something waits or runs; names of lanes begin with their project."""
        prefix = after = f"{project.id}#"
        while found := self.engine.overview.lanes(self.clock.now(), after=after):
            for lane in found:
                if not lane.lane.startswith(prefix):
                    return
                if lane.pending:
                    yield lane.lane
            after = found[-1].lane
