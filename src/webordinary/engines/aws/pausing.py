"""Paused projects: the project's own record is the truth, and each lane carries a copy that follows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webordinary.audit.entry import Entry, What
from webordinary.engines.aws.items import item_of, plain_of
from webordinary.engines.aws.records import PROJECT
from webordinary.engines.aws.write import condition_of

if TYPE_CHECKING:
    from webordinary.clock import Moment
    from webordinary.engines.aws.line import Line
    from webordinary.engines.aws.store import Store
    from webordinary.engines.aws.write import Write
    from webordinary.jobs.job import Ending


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """What is known of a project's health."""

    project: str
    failures: int = 0
    paused: str | None = None
    paused_at: float = 0


def read_project(store: Store, project: str) -> ProjectRow:
    item = store.item(store.names.records, {"kind": PROJECT, "id": project})
    return project_from(plain_of(item)) if item else ProjectRow(project)


def project_from(row: dict[str, Any]) -> ProjectRow:
    return ProjectRow(row["id"], row.get("failures", 0), row.get("paused"), row.get("pausedAt", 0))


def require_unchanged(write: Write, project: ProjectRow) -> None:
    """Let the transaction happen only while the project is as paused as it was when it was read."""
    request = {"TableName": write.store.names.records, "Key": item_of({"kind": PROJECT, "id": project.project})}
    condition = "attribute_not_exists(#paused)" if project.paused is None else "attribute_exists(#paused)"
    write.add("ConditionCheck", {**request, **condition_of(condition, {})})


def pause_project(write: Write, project: ProjectRow, reason: str, failures: int) -> None:
    """Record that nothing of the project starts any more; its lanes follow."""
    now = write.now
    row = item_of(
        {
            "kind": PROJECT,
            "id": project.project,
            "failures": failures,
            "paused": reason,
            "pausedAt": now.seconds,
        }
    )
    write.put(write.store.names.records, row, "attribute_not_exists(#paused)")
    facts = {"project": project.project}
    write.told.entries.append(Entry(What.PROJECT_PAUSED, now.wall_at, text=reason, facts=facts))


def resume_project(write: Write, project: ProjectRow, by: str) -> None:
    """Record that the project's jobs may start again, with its failures forgotten."""
    row = item_of({"kind": PROJECT, "id": project.project, "failures": 0})
    write.put(write.store.names.records, row, "#pausedAt = :pausedAt", {"pausedAt": project.paused_at})
    facts = {"project": project.project, "by": by}
    write.told.entries.append(Entry(What.PROJECT_RESUMED, write.now.wall_at, text=project.project, facts=facts))


def forgive_failures(write: Write, project: str) -> None:
    """Start to count anew: a worker has carried out a job of the project."""
    write.add("Update", _set_failures(write.store.names.records, project, 0))


def count_failure(write: Write, line: Line, ending: Ending) -> bool:
    """Count an ending that blames the project, and pause a project whose jobs keep failing; True when it did.

    A transaction may touch the project's record once, so it counts one failure at most.
    """
    table, name = write.store.names.records, line.row.project
    project = read_project(write.store, name)
    failures = project.failures + 1
    if failures < write.store.limits.breaker or project.paused is not None:
        seen = "#failures = :seen" if project.failures else "(attribute_not_exists(#failures) OR #failures = :seen)"
        write.add("Update", _set_failures(table, name, failures, seen, project.failures))
        return False
    reason = f"{failures} jobs in a row failed, last: {ending.error}"
    pause_project(write, project, reason, failures)
    pause_line(line, reason, write.now.seconds)
    return True


def _set_failures(table: str, project: str, failures: int, condition: str = "", seen: int = 0) -> dict[str, Any]:
    made = condition_of(condition, {"seen": seen})
    values = {**made.pop("ExpressionAttributeValues", {}), **item_of({":failures": failures})}
    names = {**made.pop("ExpressionAttributeNames", {}), "#failures": "failures"}
    return {
        "TableName": table,
        "Key": item_of({"kind": PROJECT, "id": project}),
        "UpdateExpression": "SET #failures = :failures",
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": values,
        **made,
    }


def follow_project(store: Store, project: str, now: Moment) -> None:
    """Bring every lane of a project into line with the project's own record; doing it twice is harmless."""
    for row in list(store.lanes()):
        if row.project == project:
            follow(store, row.lane, now)


def follow(store: Store, lane: str, now: Moment) -> None:
    """Let one lane be as paused as its project is."""

    def decide(write: Write) -> None:
        line = write.line(lane)
        project = read_project(write.store, line.row.project)
        if line.row.paused == project.paused:
            write.forget(line)
            return
        require_unchanged(write, project)
        if project.paused is not None:
            pause_line(line, project.paused, project.paused_at)
        else:
            _unpause_line(line, write)

    store.change(decide, now)


def pause_line(line: Line, reason: str, at: float) -> None:
    """Let nothing of the lane start; since when is remembered, because patience stands still."""
    row = line.row
    row.paused, row.paused_at = reason, at if row.paused_at is None else row.paused_at


def _unpause_line(line: Line, write: Write) -> None:
    """Let the lane's jobs start again, the patience of those that wait prolonged by the pause."""
    row = line.row
    row.patience_shift += write.now.seconds - (row.paused_at or write.now.seconds)
    row.paused = row.paused_at = None
    row.rung_at = 0
    line.ring(write.store.limits, write.now)
