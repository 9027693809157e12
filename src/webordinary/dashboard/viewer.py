"""Who looks at the dashboard, and what they may see and do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What somebody may do; each role may do all that the ones before it may."""

    CLIENT = "client"
    READER = "reader"
    OPERATOR = "operator"
    AGENCY = "agency"

    def includes(self, other: Role) -> bool:
        return _ORDER.index(self) >= _ORDER.index(other)


_ORDER = tuple(Role)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who has signed in; a client sees only their own projects, everybody else all of them."""

    name: str
    role: Role
    projects: tuple[str, ...] = ()

    def sees(self, project: str | None) -> bool:
        return self.role is not Role.CLIENT or project in self.projects
