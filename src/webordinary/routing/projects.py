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

    def find_by_address(self, address: str) -> Sequence[Project]:
        """Return the projects that somebody with this address edits, without a look at all the others."""

    def unwelcomed(self) -> Sequence[Project]:
        """Return the projects in which somebody may be new: all of them where a look at all costs little."""

    def note_welcomed(self, project: str) -> None:
        """Remember that everybody in it has been welcomed, where that is not looked up again."""
