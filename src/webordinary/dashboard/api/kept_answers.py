"""Answers that are kept under the key of a call, so that who lost one asks again and does nothing twice."""

from __future__ import annotations

import fcntl
import hashlib
import os
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

_KEPT_SECONDS = 3 * 24 * 3600


class KeptAnswer(msgspec.Struct, frozen=True):
    """What was answered, and the mark of what was asked."""

    asked: str
    status: int
    body: bytes


@dataclass(frozen=True, slots=True)
class KeptAnswers:
    """One file for each key; who holds its lock is the only one that answers under it."""

    folder: Path

    @contextmanager
    def under(self, token: str, key: str) -> Iterator[KeySlot]:
        """Wait until nobody else answers under this key."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._sweep()
        name = hashlib.sha256(f"{token}\0{key}".encode()).hexdigest()
        handle = os.open(self.folder / name, os.O_RDWR | os.O_CREAT, 0o600)
        with os.fdopen(handle, "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield KeySlot(file)

    def _sweep(self) -> None:
        for path in self.folder.iterdir():
            with suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime > _KEPT_SECONDS:
                    path.unlink()


@dataclass(frozen=True, slots=True)
class KeySlot:
    """The place of one key."""

    file: BinaryIO

    def kept(self) -> KeptAnswer | None:
        try:
            return msgspec.msgpack.decode(self.file.read(), type=KeptAnswer)
        except msgspec.DecodeError:
            # Nobody answered yet, or died while it was written down.
            return None

    def keep(self, answer: KeptAnswer) -> None:
        self.file.seek(0)
        self.file.truncate()
        self.file.write(msgspec.msgpack.encode(answer))
        self.file.flush()


def mark_of(method: str, path: str, body: bytes) -> str:
    """Return the mark of what was asked."""
    return hashlib.sha256(b"\0".join((method.encode(), path.encode(), body))).hexdigest()
