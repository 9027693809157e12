"""Who looks at the dashboard, and what they may see and do."""

from __future__ import annotations

from dataclasses import dataclass

from webordinary.config.roles import Role

__all__ = ["Role", "Viewer"]


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who has signed in; a client sees only their own projects, everybody else all of them."""

    name: str
    role: Role
    projects: tuple[str, ...] = ()

    def sees(self, project: str | None) -> bool:
        return self.role is not Role.CLIENT or project in self.projects
