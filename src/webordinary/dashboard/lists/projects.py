"""The projects that somebody may see, for the choices of a filter and the limits in its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dashboard.viewer import Role

if TYPE_CHECKING:
    from webordinary.dashboard.lists.filters import ListFilter
    from webordinary.dashboard.visit import PageVisit
    from webordinary.routing.project import Project


@dataclass(frozen=True, slots=True)
class SeenProjects:
    """Projects by their ids, and the names of their groups."""

    by_id: dict[str, Project]

    @classmethod
    def of(cls, visit: PageVisit) -> SeenProjects:
        found = visit.engine.projects.all()
        return cls({each.id: each for each in found if visit.viewer.sees(each.id)})

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(sorted({each.group for each in self.by_id.values() if each.group}))

    def chosen(self, asked: ListFilter) -> frozenset[str] | None:
        """Return which projects a filter leaves; None when it leaves all, also those that are configured no more."""
        project, group = asked.of("project"), asked.of("group")
        if not project and not group:
            return None
        named = {project} if project else set(self.by_id)
        return frozenset(each for each in named if not group or self._is_in(each, group))

    def open_to(self, visit: PageVisit, within: frozenset[str] | None) -> tuple[str, ...] | None:
        """Return the projects that a store is asked for: a client's own, and of them those of the filter."""
        if visit.viewer.role is Role.CLIENT:
            return tuple(each for each in visit.viewer.projects if within is None or each in within)
        return None if within is None else tuple(within)

    def _is_in(self, project: str, group: str) -> bool:
        found = self.by_id.get(project)
        return found is not None and found.group == group
