"""Projects that are known from the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.routing.project import Project


class ConfiguredProjects:
    """Those that tests and benchmarks bring along; an installation follows its file (`config/live.py`)."""

    def __init__(self, projects: Sequence[Project]) -> None:
        self._projects = tuple(projects)

    def all(self) -> Sequence[Project]:
        return self._projects

    def find(self, project: str) -> Project | None:
        return next((known for known in self._projects if known.id == project), None)

    def find_by_address(self, address: str) -> Sequence[Project]:
        return [known for known in self.all() if known.editor_by_address(address)]

    def unwelcomed(self) -> Sequence[Project]:
        return self.all()

    def note_welcomed(self, project: str) -> None:
        """Nothing is noted: the outbox knows who was welcomed."""
