"""Who may log in at the mail listener: addresses with hashed passwords in a file, read again when it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.doors.passwords import NOBODY, Hashed, PasswordFile
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from pathlib import Path


class Users:
    """The users of one file."""

    def __init__(self, path: Path) -> None:
        self._file = PasswordFile(path, "smtp.users", "webordinary password ADDRESS", Hashed.read)

    def log_in(self, name: str, password: str) -> str | None:
        """Return the address of who this is, or None; how long it takes does not tell whether the name exists."""
        known, user = self._file.look(), fold_address(name)
        is_right = known.get(user, NOBODY).matches(password)
        return user if is_right and user in known else None

    def look(self) -> int:
        """Read the file if it has changed, and say how many users it has, or which line is wrong."""
        return len(self._file.look())
