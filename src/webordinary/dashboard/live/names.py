"""The names of what can change on a page, and which of them an entry of the trail touches.

A template marks an element with an `id` and `data-live="NAME NAME"`. The names are `now`, `needs`, `jobs`, `mails`,
`projects`, `people` and `trail` for what shows many, and `job:ID`, `mail:ID`, `lane:KEY` and `project:NAME` for one.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from webordinary.dashboard.viewer import Viewer

# What happens many times in each job, and leaves everything as it was that waits for a person or lists what there is.
_TALK = frozenset(
    {
        EventType.STEP,
        EventType.AGENT_SAID,
        EventType.JOB_QUEUED,
        EventType.JOB_STARTED,
        EventType.JOB_RESUMED,
        EventType.JOB_GIVEN_BACK,
        EventType.LANE_CLAIMED,
        EventType.LANE_RELEASED,
        EventType.LANE_GIVEN_BACK,
        EventType.LEASE_LAPSED,
        EventType.COMMIT_POINT,
        EventType.CALLED_BACK,
    }
)
_STEPS = frozenset({EventType.STEP, EventType.AGENT_SAID})
_LISTS = ("needs", "projects", "people")


class Changes:
    """What some entries have changed, by project; what belongs to none is for those who see everything."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        found: dict[str | None, set[str]] = defaultdict(set)
        for entry in entries:
            found[project_of(entry)].update(names_of(entry))
        self._of_project: Mapping[str | None, set[str]] = found

    def for_viewer(self, viewer: Viewer) -> frozenset[str]:
        """Return the names that somebody may hear."""
        seen = (names for project, names in self._of_project.items() if viewer.sees(project))
        return frozenset[str]().union(*seen)


def project_of(entry: Entry) -> str | None:
    """Return the project in which something happened, if it was in one."""
    return entry.lane.partition("#")[0] if entry.lane else entry.facts.get("project")


def names_of(entry: Entry) -> Iterator[str]:
    """Say which parts of pages an entry changes; never with a word that somebody has written."""
    yield "trail"
    for kind, name in (("lane", entry.lane), ("project", project_of(entry)), ("job", entry.job), ("mail", entry.mail)):
        if name:
            yield f"{kind}:{name}"
    if entry.lane or entry.worker:
        yield "now"
    if entry.job and entry.what not in _STEPS:
        yield "jobs"
    if entry.mail and entry.what not in _STEPS:
        yield "mails"
    if entry.what not in _TALK:
        yield from _LISTS
