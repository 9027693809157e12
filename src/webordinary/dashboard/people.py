"""Who may sign in with a password: addresses with a hash, a role and projects in a file."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.config.roles import Role
from webordinary.dashboard.viewer import Viewer
from webordinary.doors.passwords import NOBODY, Hashed, PasswordFile
from webordinary.errors import TryAgain
from webordinary.routing.lane import is_id
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from pathlib import Path

LONGEST_PASSWORD = 1000
_AT_ONCE = 2
_SECONDS_TO_WAIT = 2.0
# Each hash takes a tenth of a second and 32 megabytes: a crowd of guessers must not take all of them.
_HASHING = threading.BoundedSemaphore(_AT_ONCE)


@dataclass(frozen=True, slots=True)
class DashboardUser:
    """One line of the file."""

    password: Hashed = field(repr=False)
    role: Role
    projects: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> DashboardUser:
        """Read what `str` wrote."""
        hashed, role, *rest = text.split(":")
        projects = tuple(filter(None, (each.strip() for each in ",".join(rest).split(","))))
        if not all(map(is_id, projects)) or bool(projects) != (Role(role.strip()) is Role.CLIENT):
            raise ValueError("a client has projects, and nobody else has")
        return cls(Hashed.read(hashed.strip()), Role(role.strip()), projects)

    @property
    def mark(self) -> str:
        """Return what another password would change, and what tells nothing about this one."""
        return hashlib.sha256(str(self.password).encode()).hexdigest()

    def __str__(self) -> str:
        return ":".join(filter(None, (str(self.password), self.role.value, ",".join(self.projects))))


class DashboardUsers:
    """The people of one file."""

    def __init__(self, path: Path) -> None:
        maker = "webordinary password ADDRESS --role ROLE"
        self._file = PasswordFile(path, "dashboard.users", maker, DashboardUser.read)

    def check(self, name: str, password: str) -> tuple[Viewer, str] | None:
        """Return who this is and their mark, or None; neither words nor time tell whether the name exists."""
        known, folded = self._file.look(), fold_address(name)
        person = known.get(folded)
        if not _HASHING.acquire(timeout=_SECONDS_TO_WAIT):
            raise TryAgain("Too many people sign in at this moment; try again.")
        try:
            is_right = (person.password if person else NOBODY).matches(password[:LONGEST_PASSWORD])
        finally:
            _HASHING.release()
        return (self._viewer(folded, person), person.mark) if person and is_right else None

    def find(self, name: str, mark: str) -> Viewer | None:
        """Return who this is by now; None if they were removed, or have another password."""
        person = self._file.look().get(name)
        return self._viewer(name, person) if person and person.mark == mark else None

    def look(self) -> int:
        """Say how many people the file has, or which line is wrong."""
        return len(self._file.look())

    def viewers(self) -> list[Viewer]:
        """Return everybody who may sign in with a password."""
        return [self._viewer(name, person) for name, person in sorted(self._file.look().items())]

    @staticmethod
    def _viewer(name: str, person: DashboardUser) -> Viewer:
        return Viewer(name, person.role, person.projects)
