"""The pages that every page leads to, for who may open them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dashboard.viewer import Role

if TYPE_CHECKING:
    from webordinary.dashboard.viewer import Viewer


@dataclass(frozen=True, slots=True)
class NavigationLink:
    """One link of the navigation."""

    path: str
    name: str
    role: Role = Role.CLIENT

    def is_current(self, path: str) -> bool:
        return path == self.path or (self.path != "/" and path.startswith(f"{self.path}/"))


NAVIGATION = (
    NavigationLink("/", "Needs you"),
    NavigationLink("/now", "Now", Role.READER),
    NavigationLink("/jobs", "Jobs"),
    NavigationLink("/mail", "Mail"),
    NavigationLink("/answers", "Answers", Role.OPERATOR),
    NavigationLink("/projects", "Projects"),
    NavigationLink("/calendar", "Calendar"),
    NavigationLink("/people", "People", Role.READER),
    NavigationLink("/trail", "Trail", Role.READER),
    NavigationLink("/search", "Search"),
)


_AT_FIRST = (NavigationLink("/setup", "Setup", Role.AGENCY),)


def links_for(viewer: Viewer, *, is_first: bool = False) -> list[NavigationLink]:
    """Return where this viewer may go; before there is a configuration only into the walk."""
    if is_first:
        return [each for each in _AT_FIRST if viewer.role.includes(each.role)]
    return [each for each in NAVIGATION if viewer.role.includes(each.role)]
