"""Who has signed in: one small file for each session and each one-time link, named by the hash of its secret.

The secret itself stands nowhere but in the browser. A link is used up by removing its file, which only one can.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from webordinary.dashboard.viewer import Role, Viewer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webordinary.clock import Clock

LINK_SECONDS = 10 * 60
SESSION_SECONDS = 12 * 60 * 60
_BYTES = 32


class _Kept(msgspec.Struct, frozen=True):
    """What a file says."""

    name: str
    role: Role
    projects: tuple[str, ...]
    until: float

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.name, self.role, self.projects)


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of one installation, in a folder that only we can read."""

    folder: Path
    clock: Clock

    def new_link(self, viewer: Viewer) -> str:
        """Return a secret that lets somebody in once, within the next ten minutes."""
        return self._keep("link", viewer, LINK_SECONDS)

    def redeem(self, secret: str) -> str | None:
        """Return the secret of a new session for that of a link; None if it was used or is too old."""
        path = self._path("link", secret)
        kept = self._read(path)
        if kept is None:
            return None
        try:
            path.unlink()
        except FileNotFoundError:
            return None
        return self.begin(kept.viewer)

    def begin(self, viewer: Viewer) -> str:
        """Return the secret of a new session."""
        self._sweep()
        return self._keep("session", viewer, SESSION_SECONDS)

    def find(self, secret: str | None) -> Viewer | None:
        kept = self._read(self._path("session", secret)) if secret else None
        return kept.viewer if kept else None

    def end(self, secret: str) -> None:
        self._path("session", secret).unlink(missing_ok=True)

    def _keep(self, kind: str, viewer: Viewer, seconds: float) -> str:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        secret = secrets.token_urlsafe(_BYTES)
        kept = _Kept(viewer.name, viewer.role, viewer.projects, self._now() + seconds)
        path = self._path(kind, secret)
        handle = os.open(path.with_suffix(".new"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(kept))
        path.with_suffix(".new").rename(path)
        return secret

    def _path(self, kind: str, secret: str) -> Path:
        return self.folder / f"{kind}-{hashlib.sha256(secret.encode()).hexdigest()}"

    def _read(self, path: Path) -> _Kept | None:
        try:
            kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
        except (FileNotFoundError, msgspec.DecodeError):
            return None
        return kept if kept.until > self._now() else None

    def _now(self) -> float:
        return self.clock.now().wall_at.timestamp()

    def _sweep(self) -> None:
        for path in self._files():
            with suppress(FileNotFoundError):
                if self._read(path) is None and time.time() - path.stat().st_mtime > LINK_SECONDS:
                    path.unlink()

    def _files(self) -> Iterator[Path]:
        yield from self.folder.glob("link-*")
        yield from self.folder.glob("session-*")
        yield from self.folder.glob("said-*")


def csrf_of(secret: str) -> str:
    """Return what a form has to send back: only who knows the session can know it, and it does not tell it."""
    return hmac.new(secret.encode(), b"csrf", hashlib.sha256).hexdigest()
