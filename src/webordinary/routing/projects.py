"""The projects that this installation serves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.routing.project import Project


class Projects(Protocol):
    """Project configurations; a person who is not in them may not edit."""

    def all(self) -> Sequence[Project]: ...

    def find(self, project: str) -> Project | None: ...
