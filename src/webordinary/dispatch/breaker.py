"""The breaker of a project: several failures in a row pause it, and its lanes are as paused as it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.dispatch.waking import wake

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webordinary.clock import Moment
    from webordinary.dispatch.line import Line
    from webordinary.dispatch.store import Store, Transaction
    from webordinary.jobs.job import Ending


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """What is known of a project's health."""

    project: str
    failures: int = 0
    paused: str | None = None
    paused_at: float = 0


def pause(write: Transaction, project: ProjectRow, reason: str) -> bool:
    """Let nothing of the project start any more; False when it was paused already."""
    if project.paused is not None:
        return False
    after = replace(project, paused=reason, paused_at=write.now.seconds)
    _put(write, after, project)
    facts = {"project": project.project}
    write.effects.entries.append(Entry(EventType.PROJECT_PAUSED, write.now.wall_at, text=reason, facts=facts))
    return True


def resume(write: Transaction, project: ProjectRow, by: str) -> bool:
    """Let the project's jobs start again, with its failures forgotten; False when it was not paused."""
    if project.paused is None:
        return False
    _put(write, ProjectRow(project.project), project)
    facts = {"project": project.project, "by": by}
    entry = Entry(EventType.PROJECT_RESUMED, write.now.wall_at, text=project.project, facts=facts)
    write.effects.entries.append(entry)
    return True


def count_failure(write: Transaction, line: Line, ending: Ending) -> bool:
    """Count an ending that blames the project, and pause a project whose jobs keep failing; True when it did."""
    project = write.project(line.row.project)
    counted = replace(project, failures=project.failures + 1)
    if counted.failures < line.limits.breaker or project.paused is not None:
        write.put_project(counted, project)
        return False
    reason = f"{counted.failures} jobs in a row failed, last: {ending.error}"
    paused = replace(counted, paused=reason, paused_at=write.now.seconds)
    # Its own lane at once, whatever the store lets follow when.
    follow(line, paused)
    _put(write, paused, project)
    facts = {"project": project.project}
    write.effects.entries.append(Entry(EventType.PROJECT_PAUSED, write.now.wall_at, text=reason, facts=facts))
    return True


def _put(write: Transaction, after: ProjectRow, seen: ProjectRow) -> None:
    write.put_project(after, seen)
    for lane in write.lanes_that_follow(after.project):
        follow(write.line(lane), after)


def follow(line: Line, project: ProjectRow) -> bool:
    """Let a lane be as paused as its project is; False when it was."""
    row = line.row
    if row.paused == project.paused:
        return False
    if project.paused is not None:
        # Since when is remembered, because patience stands still.
        row.paused_at = project.paused_at if row.paused_at is None else row.paused_at
        row.paused = project.paused
        line.recompute()
        return True
    row.patience_shift += line.now.seconds - (row.paused_at or line.now.seconds)
    row.paused = row.paused_at = None
    row.rung_at = 0
    # Those who wait fail by time again: the sweep finds out when.
    line.watch(line.now.seconds)
    line.recompute()
    wake(line)
    return True


def follow_afterwards(store: Store, project: str, now: Moment) -> None:
    """Let the project's lanes follow that could not do so in the transaction that changed it."""
    follow_all(store, store.lanes_behind(project), now)


def follow_all(store: Store, lanes: Iterable[str], now: Moment) -> None:
    """Bring lanes into line with their project's own row, one by one; doing it twice is harmless."""
    for lane in lanes:
        store.change(lambda write, lane=lane: _follow_alone(write, lane), now)  # type: ignore[misc]  # the types of a lambda's defaults are not inferred


def _follow_alone(write: Transaction, lane: str) -> None:
    line = write.line(lane)
    project = write.project(line.row.project)
    if follow(line, project):
        write.hold_project(project)
    else:
        write.forget(line)
