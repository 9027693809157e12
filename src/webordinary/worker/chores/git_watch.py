"""Watches the repositories: what a developer pushes goes live also when no mail comes, and what it mends goes on."""

from __future__ import annotations

import logging
import secrets
import threading
from typing import TYPE_CHECKING

from webordinary.errors import WebOrdinaryError
from webordinary.interrupts.decide import InterruptRule
from webordinary.jobs.about import push_of
from webordinary.jobs.job import Kind, NewJob, Request
from webordinary.mail.tallies import TallyLimit
from webordinary.routing.lane import Lane
from webordinary.worker.change.from_git import FROM_GIT
from webordinary.workspace.access import Access
from webordinary.workspace.git import branch_at

if TYPE_CHECKING:
    from datetime import timedelta

    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.routing.project import Project

_log = logging.getLogger(__name__)
# It waits for its turn like everybody, and pushes nobody aside.
QUEUE = InterruptRule(on_new_thread="queue")
_SHORT = 12


def publish_pushed(project: Project, commit: str, key: str, clock: Clock) -> NewJob:
    """Return a job that publishes what somebody pushed to the live branch; with the same key it is one job."""
    return NewJob(
        id=f"job-{secrets.token_hex(6)}",
        lane=Lane(project.id, project.editors[0].user),
        thread=secrets.token_hex(6),
        dedup_key=f"git:{project.id}:{key}",
        kind=Kind.VERB,
        subject=f"Publish what was pushed ({commit[:_SHORT]})",
        request=Request(text=""),
        received_at=clock.now().wall_at,
        about=push_of(commit),
    )


class GitWatch:
    """A thread of its own: a remote that does not answer keeps nobody from anything else."""

    def __init__(self, name: str, engine: Engine, clock: Clock, every: timedelta) -> None:
        self._name = name
        self._engine = engine
        self._clock = clock
        self._every = every
        self._closed = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._live, name="git-watch", daemon=True).start()

    def close(self) -> None:
        """Ask no repository any more; one that is just being asked is not waited for."""
        self._closed.set()

    def look(self) -> None:
        """Ask each repository once in a while, whichever worker comes first."""
        for project in self._engine.projects.all():
            try:
                if not self._closed.is_set() and self._is_next(project):
                    self._look_at(project)
            except WebOrdinaryError as problem:
                # The next mail meets it too, and is answered; a doctor says what to do.
                _log.warning("the repository of %s could not be looked at: %s", project.id, problem)

    def _live(self) -> None:
        while not self._closed.wait(self._every.total_seconds()):
            try:
                self.look()
            except Exception:  # noqa: BLE001 - one look that breaks must not be the last one
                _log.exception("looking at the repositories broke")

    def _is_next(self, project: Project) -> bool:
        now = self._clock.now()
        turn = int(now.wall_at.timestamp() / self._every.total_seconds())
        return self._engine.tallies.note(self._name, [TallyLimit(f"git:{project.id}:{turn}", 1)], now) is None

    def _look_at(self, project: Project) -> None:
        seen = self._engine.sites.live(project.id)
        if seen is None or not project.editors:
            return
        live = branch_at(Access(project.repository, project.git, self._engine.secrets), project.branch)
        reason = next((each.reason for each in self._engine.overview.paused() if each.project == project.id), None)
        now = self._clock.now()
        if reason is not None:
            # Whatever was wrong with the branch that it was at, it is at another one now.
            if reason.startswith(FROM_GIT) and live and (live == seen or live[:_SHORT] not in reason):
                self._engine.lanes.resume(project.id, f"a push of {live[:_SHORT]}", now)
        elif live not in {None, seen} and not self._is_busy(project.id):
            hour = f"{now.wall_at:%Y-%m-%dT%H}"
            job = publish_pushed(project, live or "", f"{live}:{hour}", self._clock)
            self._engine.lanes.accept(job, now, ready=QUEUE)

    def _is_busy(self, project: str) -> bool:
        """Tell whether a job waits or runs, which publishes what was pushed before anything else."""
        lanes = self._engine.overview.lanes(self._clock.now())
        return any(lane.pending for lane in lanes if lane.lane.startswith(f"{project}#"))
