"""Signs of life: a file that a worker's loop renews, so that somebody outside can see whether it still turns."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.child import identity, is_alive

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.clock import Clock, Moment

# A worker that has not shown itself for longer hangs; the loop turns at least every twenty seconds.
STALLED_AFTER = timedelta(seconds=60)
_RENEWED_EVERY = 5.0


@dataclass(frozen=True, slots=True)
class Life:
    """One worker process of this machine, and how long ago its loop last turned."""

    worker: str
    ago: timedelta

    @property
    def has_stalled(self) -> bool:
        return self.ago >= STALLED_AFTER


class SignOfLife:
    """One worker's file: its process, the boot of the machine, and the moment of its last turn."""

    def __init__(self, folder: Path, worker: str, clock: Clock) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / worker
        self._clock = clock
        self._process = identity(os.getpid())
        self._shown = float("-inf")

    def show(self) -> None:
        """Renew it; often is cheap, because most calls do nothing."""
        now = self._clock.now()
        if now.boot - self._shown < _RENEWED_EVERY:
            return
        self._shown = now.boot
        fresh = self._file.with_suffix(".new")
        # A full disk is no reason to stop: the file grows old and says so.
        with suppress(OSError):
            fresh.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(f"{self._process} {now.boot_id} {now.boot!r}", encoding="ascii")
            fresh.replace(self._file)

    def end(self) -> None:
        self._file.unlink(missing_ok=True)


def folder_of_lives(data: Path) -> Path:
    """Return where the workers of this machine show that they live."""
    return data / "alive"


def look_for_life(folder: Path, now: Moment) -> list[Life]:
    """Return the workers whose processes live on this machine; what the dead have left is removed."""
    found = []
    for file in sorted(folder.glob("*")):
        # One that ends while we look has nothing to read.
        with suppress(OSError, ValueError):
            process, boot_id, turned = file.read_text(encoding="ascii").split()
            if boot_id != now.boot_id:
                # Another machine that shares the folder, or this one before it was started anew.
                continue
            if is_alive(process):
                found.append(Life(file.name, timedelta(seconds=now.boot - float(turned))))
            else:
                file.unlink(missing_ok=True)
    return found
