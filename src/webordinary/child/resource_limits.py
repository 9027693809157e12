"""Resource limits of a process tree: memory, processes and disk of a child and all that it starts, counted together."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.child.family import FamilyWatch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# A look goes through all processes of the machine, so that it has its share of the time and no more.
_LOOK_EVERY, _AT_LEAST_EVERY, _SHARE = 0.1, 0.5, 0.01
_PAGE = os.sysconf("SC_PAGE_SIZE")
_GIBIBYTE = 1024**3


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """The most that a family may have: memory, processes, and room on the disk of its folder."""

    folder: Path
    memory: int = 4 * _GIBIBYTE
    processes: int = 400
    disk: int = 10 * _GIBIBYTE
    # Left for everybody else: the answer that says what went wrong has to be written too.
    disk_left: int = _GIBIBYTE


class LimitWatch:
    """Polls how much memory, disk and how many processes a family uses, and calls `enough` when a limit is exceeded."""

    def __init__(self, identity: str, resource_limits: ResourceLimits, enough: Callable[[], None]) -> None:
        self.problem = ""
        self._family = FamilyWatch(identity)
        self._limits = resource_limits
        self._enough = enough
        self._disk_at_first = _disk_left(resource_limits.folder)
        self._shared_at_first = _shared_memory()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="resource-limits", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._over.set()

    def _watch(self) -> None:
        pause = _LOOK_EVERY
        while not self._over.wait(pause):
            began = time.thread_time()
            self.problem = self._look()
            if self.problem:
                self._enough()
                return
            pause = min(max(_LOOK_EVERY, (time.thread_time() - began) / _SHARE), _AT_LEAST_EVERY)

    def _look(self) -> str:
        family = self._family.find()
        if len(family) > self._limits.processes:
            return f"it started more than {self._limits.processes} processes"
        # Nobody can tell whose shared memory and whose files in memory these are; others rarely take so much meanwhile.
        shared = _shared_memory() - self._shared_at_first
        if max(sum(_memory_of(entry.pid) for entry in family), shared) > self._limits.memory:
            return f"it needed more than {self._limits.memory // 1024**2} MB of memory"
        # A disk that was as full before it began is not its fault.
        reserve = min(self._limits.disk_left, self._disk_at_first // 2)
        if _disk_left(self._limits.folder, if_gone=self._disk_at_first) < max(
            reserve, self._disk_at_first - self._limits.disk
        ):
            return "it filled the disk"
        return ""


def _memory_of(pid: int) -> int:
    """Return what belongs to this process alone: pages that it shares would be counted once for each member."""
    try:
        file = os.open(f"/proc/{pid}/statm", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return 0
    try:
        fields = os.read(file, 256).split()
    except OSError:
        return 0
    finally:
        os.close(file)
    return max(0, int(fields[1]) - int(fields[2])) * _PAGE


def _shared_memory() -> int:
    """Return how much memory of the machine is shared, or holds files, whether anybody has it open or not."""
    with open("/proc/meminfo", "rb") as file:  # noqa: PTH123 - ten times a second
        for line in file:
            if line.startswith(b"Shmem:"):
                return int(line.split()[1]) * 1024
    return 0


def _disk_left(folder: Path, if_gone: int = 0) -> int:
    try:
        found = os.statvfs(folder)
    except FileNotFoundError:
        # The owner of the folder may clean up before the last look.
        return if_gone
    return found.f_bavail * found.f_frsize
