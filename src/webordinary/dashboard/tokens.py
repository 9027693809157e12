"""The keys of programs: one small file for each token beside the sessions, named by the hash of its secret.

The secret is shown once, when it is made, and stands nowhere. An installation on AWS keeps them where its
dashboard runs: who moves the dashboard makes new tokens.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from webordinary.dashboard.viewer import Role, Viewer
from webordinary.errors import NoSuchThing, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from webordinary.clock import Clock

_BYTES = 32
_PREFIX = "wo_"
_SHOWN = 8
_LONGEST_NAME = 60


class ApiToken(msgspec.Struct, frozen=True):
    """What is known of a token; never its secret."""

    id: str
    name: str
    role: Role
    projects: tuple[str, ...]
    made_at: datetime
    made_by: str

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.name, self.role, self.projects)


@dataclass(frozen=True, slots=True)
class ApiTokens:
    """The tokens of one installation, in a folder that only we can read."""

    folder: Path
    clock: Clock

    def add(self, name: str, role: Role, projects: Sequence[str], by: str) -> str:
        """Return the secret of a new token."""
        if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
            raise Refused(
                f"Give the token a name of at most {_LONGEST_NAME} letters, such as the program that uses it."
            )
        if any(each.name == name for each in self.all()):
            raise Refused(f"There is a token {name} already; remove it first or take another name.")
        if (role is Role.CLIENT) != bool(projects):
            raise Refused("A client's token names its projects, and no other does: say --project for each.")
        secret = f"{_PREFIX}{secrets.token_urlsafe(_BYTES)}"
        mark = _mark(secret)
        token = ApiToken(mark[:_SHOWN], name, role, tuple(projects), self.clock.now().wall_at, by)
        self._write(mark, token)
        return secret

    def find(self, secret: str) -> ApiToken | None:
        """Return what a secret opens; None when nobody made it, or somebody removed it."""
        return _read(self.folder / f"token-{_mark(secret)}") if secret.startswith(_PREFIX) else None

    def all(self) -> list[ApiToken]:
        """Return every token, by their names."""
        return sorted((token for _, token in self._files()), key=lambda token: token.name)

    def remove(self, name: str) -> ApiToken:
        """Let a token open nothing any more, by its name or its id."""
        for path, token in self._files():
            if name in {token.name, token.id}:
                path.unlink(missing_ok=True)
                return token
        raise NoSuchThing(f"There is no token {name}; `webordinary token list` shows them.")

    def _write(self, mark: str, token: ApiToken) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.folder / f"token-{mark}"
        handle = os.open(path.with_suffix(".new"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(token))
        path.with_suffix(".new").rename(path)

    def _files(self) -> Iterator[tuple[Path, ApiToken]]:
        for path in sorted(self.folder.glob("token-*")):
            token = _read(path) if not path.suffix else None
            if token is not None:
                yield path, token


def _mark(secret: str) -> str:
    # It has 256 random bits: a slow hash would add nothing.
    return hashlib.sha256(b"token" + secret.encode("utf-8", "replace")).hexdigest()


def _read(path: Path) -> ApiToken | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=ApiToken)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
