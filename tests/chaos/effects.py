"""The world outside: a live branch and a pointer for each lane, which refuse a fence older than the newest seen."""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that happened outside and cannot be taken back."""

    kind: str
    lane: str
    fence: int
    job: str
    commit: str
    worker: str


class Effects:
    """One append-only file for each lane, locked while it is looked at and written."""

    def __init__(self, folder: Path, *, fenced: bool = True) -> None:
        self._folder = folder
        self._fenced = fenced
        folder.mkdir(parents=True, exist_ok=True)

    def push(self, effect: Effect) -> bool:
        """Do it, unless a newer owner was here before; pushing the same commit again changes nothing."""
        with self._open(effect.lane) as (file, known):
            if self._is_stale(effect, known):
                return False
            if not any(old.commit == effect.commit for old in known):
                _append(file, effect)
            return True

    def advance_fence(self, lane: str, fence: int, worker: str) -> bool:
        """Let no older owner in any more."""
        return self.push(Effect("fence", lane, fence, "", f"fence-{fence}", worker))

    def was_pushed(self, lane: str, commit: str | None) -> bool:
        with self._open(lane) as (_, known):
            return any(old.commit == commit for old in known)

    def all(self) -> list[Effect]:
        """Return every effect of every lane, in the order in which they happened inside their lane."""
        effects = []
        for path in sorted(self._folder.iterdir()):
            effects += [Effect(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
        return effects

    def _is_stale(self, effect: Effect, known: list[Effect]) -> bool:
        return self._fenced and any(old.fence > effect.fence for old in known)

    @contextmanager
    def _open(self, lane: str) -> Iterator[tuple[int, list[Effect]]]:
        path = self._folder / lane.replace("#", "-")
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            lines = path.read_text(encoding="utf-8").splitlines()
            yield file, [Effect(**json.loads(line)) for line in lines]
        finally:
            os.close(file)


def _append(file: int, effect: Effect) -> None:
    os.write(file, (json.dumps(asdict(effect)) + "\n").encode())
