"""How long the build of a change took, and that it failed: told in the trail, which the figures are made of."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.errors import BuildFailed
from webordinary.jobs.journal import Journal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webordinary.jobs.journal import Noted
    from webordinary.worker.run import Run


def timed(run: Run, build: Callable[[], Path]) -> tuple[Path, Noted]:
    """Build, and return where the site lies and how long it took; what fails is told without anybody's words."""
    began = run.now
    try:
        built = build()
    except BuildFailed:
        job = run.job
        entry = Entry(
            EventType.BUILD_FAILED, run.now.wall_at, job.lane.key, job.thread, job.id, job.mail, run.claim.worker,
            facts=dict([_since(run, began.boot)]),
        )  # fmt: skip
        run.engine.trail.record(entry)
        raise
    return built, _since(run, began.boot)


def _since(run: Run, boot: float) -> Noted:
    return Journal.build_took(timedelta(seconds=run.now.boot - boot))
