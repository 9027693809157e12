"""Who has signed in: one small file for each session and each one-time link, named by the hash of its secret.

The secret itself stands nowhere but in the browser. A link is used up by removing its file, which only one can.
A session says how somebody got in; what they may do is asked anew each time, so that it ends with their right.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from webordinary.dashboard.viewer import Role, Viewer
from webordinary.errors import WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webordinary.clock import Clock
    from webordinary.dashboard.allowed import Allowed, Told
    from webordinary.dashboard.people import DashboardUsers

LINK_SECONDS = 10 * 60
_TOUCH_SECONDS = 60
_BYTES = 32


class EntryWay(StrEnum):
    """How somebody got in."""

    LINK = "link"
    PASSWORD = "password"  # noqa: S105 - the word, and none that opens anything
    OPENID = "openid"


class _Kept(msgspec.Struct, frozen=True):
    """What a file says."""

    name: str
    role: Role
    projects: tuple[str, ...]
    until: float
    way: EntryWay = EntryWay.LINK
    # What proves the right to be here: the mark of a password, or what the provider told.
    proof: str = ""

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.name, self.role, self.projects)


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of one installation, in a folder that only we can read."""

    folder: Path
    clock: Clock
    people: DashboardUsers | None = None
    allowed: Allowed | None = None
    longest: timedelta = timedelta(hours=12)
    idle: timedelta = timedelta(hours=2)

    def new_link(self, viewer: Viewer) -> str:
        """Return a secret that lets somebody in once, within the next ten minutes."""
        return self._keep("link", _Kept(viewer.name, viewer.role, viewer.projects, self._now() + LINK_SECONDS))

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

    def begin(self, viewer: Viewer, way: EntryWay = EntryWay.LINK, proof: str = "") -> str:
        """Return the secret of a new session."""
        self._sweep()
        until = self._now() + self.longest.total_seconds()
        return self._keep("session", _Kept(viewer.name, viewer.role, viewer.projects, until, way, proof))

    def begin_told(self, viewer: Viewer, told: Told) -> str:
        """Return the secret of a new session of somebody whom a provider has told us about."""
        return self.begin(viewer, EntryWay.OPENID, msgspec.json.encode(told).decode())

    def find(self, secret: str | None, *, is_visit: bool = True) -> Viewer | None:
        """Return who this is, with what they may do by now; None if the session is over.

        A visit keeps the session awake; a page that only stays open does not.
        """
        if not secret:
            return None
        path = self._path("session", secret)
        kept = self._read(path)
        if kept is None or not self._is_awake(path, is_visit=is_visit):
            return None
        return self._by_now(kept)

    def way_of(self, secret: str) -> EntryWay | None:
        kept = self._read(self._path("session", secret))
        return kept.way if kept else None

    def end(self, secret: str) -> None:
        self._path("session", secret).unlink(missing_ok=True)

    def count(self) -> int:
        """Return how many are signed in."""
        return sum(self._read(path) is not None for path in self.folder.glob("session-*"))

    def end_all(self, name: str) -> int:
        """End every session and link of somebody, on whichever machine they opened it; return how many there were."""
        ended = 0
        for path in self._files():
            kept = self._read(path)
            if kept is not None and kept.name == name:
                with suppress(FileNotFoundError):
                    path.unlink()
                    ended += 1
        return ended

    def _by_now(self, kept: _Kept) -> Viewer | None:
        match kept.way:
            case EntryWay.LINK:
                return kept.viewer
            case EntryWay.PASSWORD:
                # A file that cannot be read proves nobody's right; the sign-in page says what is wrong with it.
                with suppress(WebOrdinaryError):
                    return self.people.find(kept.name, kept.proof) if self.people else None
                return None
            case EntryWay.OPENID:
                return self.allowed.again(kept.proof) if self.allowed else None

    def _is_awake(self, path: Path, *, is_visit: bool) -> bool:
        """Tell whether somebody was here not long ago, and note a new visit."""
        now = self._now()
        with suppress(FileNotFoundError):
            seen = path.stat().st_mtime
            if now - seen > self.idle.total_seconds():
                path.unlink()
                return False
            if is_visit and now - seen > _TOUCH_SECONDS:
                os.utime(path, (now, now))
            return True
        return False

    def _keep(self, kind: str, kept: _Kept) -> str:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        secret = secrets.token_urlsafe(_BYTES)
        path = self._path(kind, secret)
        handle = os.open(path.with_suffix(".new"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(kept))
        os.utime(path.with_suffix(".new"), (self._now(), self._now()))
        path.with_suffix(".new").rename(path)
        return secret

    def _path(self, kind: str, secret: str) -> Path:
        return self.folder / f"{kind}-{hashlib.sha256(secret.encode(errors='replace')).hexdigest()}"

    def _read(self, path: Path) -> _Kept | None:
        try:
            kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
        except (FileNotFoundError, msgspec.DecodeError):
            return None
        return kept if kept.until > self._now() else None

    def _now(self) -> float:
        return self.clock.now().wall_at.timestamp()

    def _sweep(self) -> None:
        """Remove what is over."""
        for path in self._files():
            with suppress(FileNotFoundError):
                is_asleep = self._now() - path.stat().st_mtime > self.idle.total_seconds()
                if is_asleep or self._read(path) is None:
                    path.unlink()

    def _files(self) -> Iterator[Path]:
        yield from self.folder.glob("link-*")
        yield from self.folder.glob("session-*")
        yield from self.folder.glob("said-*")


def csrf_of(secret: str) -> str:
    """Return what a form has to send back: only who knows the session can know it, and it does not tell it."""
    return hmac.new(secret.encode(), b"csrf", hashlib.sha256).hexdigest()
