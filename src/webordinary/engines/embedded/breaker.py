"""The breaker of a project: several failures in a row pause it, wherever its jobs end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, What
from webordinary.engines.embedded.database import changed, one
from webordinary.engines.embedded.rows import storable, write_entry

if TYPE_CHECKING:
    import apsw

    from webordinary.clock import Moment
    from webordinary.jobs.job import Ending, Job
    from webordinary.jobs.limits import Limits


def count_failure(cursor: apsw.Cursor, job: Job, ending: Ending, limits: Limits, now: Moment) -> None:
    """Count an ending that blames the project, and pause a project whose jobs keep failing."""
    project = job.lane.project
    row = one(cursor, "UPDATE projects SET failures = failures + 1 WHERE project = ? RETURNING failures", (project,))
    if row is not None and row[0] >= limits.breaker:
        pause_project(cursor, project, f"{row[0]} jobs in a row failed, last: {ending.error}", now)


def forgive_failures(cursor: apsw.Cursor, project: str) -> None:
    """Start to count anew: a worker has carried out a job of the project."""
    cursor.execute("UPDATE projects SET failures = 0 WHERE project = ? AND failures != 0", (project,))


def pause_project(cursor: apsw.Cursor, project: str, reason: str, now: Moment) -> bool:
    """Let none of the project's lanes be ready; False when it was paused already."""
    cursor.execute("INSERT OR IGNORE INTO projects (project) VALUES (?)", (project,))
    sql = "UPDATE projects SET paused = ?, paused_at = ? WHERE project = ? AND paused IS NULL"
    if not changed(cursor, sql, (storable(reason), now.seconds, project)):
        return False
    cursor.execute("UPDATE lanes SET paused = ?, ready_since = NULL WHERE project = ?", (storable(reason), project))
    write_entry(cursor, Entry(What.PROJECT_PAUSED, now.wall_at, text=reason, facts={"project": project}))
    return True
