"""Kernel file locks: they end with the last process that holds them, whatever way that process ends."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from webordinary.child import holders_of, identity, is_alive, is_stopped, kill_group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import timedelta
    from pathlib import Path

_LOOK_AGAIN = 0.02


class Lock:
    """A lock that is held; a child that inherits the descriptor goes on holding it after we let go."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def close(self) -> None:
        # Closed and never unlocked: unlocking would also take it from the children that share it.
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def take_lock(path: Path, *, patience: timedelta, when_busy: Callable[[], None] | None = None) -> Lock | None:
    """Lock the file, which is made if needed and never removed; None when others hold it for too long.

    What a dead or stopped owner left behind is ended: it would hold the lock for ever.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = Lock(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    gives_up_at = time.monotonic() + patience.total_seconds()
    if _try(lock, path):
        return lock
    if when_busy is not None:
        when_busy()
    # The kernel can wait for a lock, but not until a moment.
    while not _try(lock, path):
        if time.monotonic() >= gives_up_at:
            lock.close()
            return None
        _end_what_nobody_owns(path)
        time.sleep(_LOOK_AGAIN)
    return lock


def _end_what_nobody_owns(path: Path) -> None:
    with _guard(path) as is_ours:
        owner = path.read_text(encoding="ascii", errors="replace")
        if not is_ours or not owner or (is_alive(owner) and not is_stopped(owner)):
            # It lives: its next heartbeat tells it that it lost its lane, and it lets go by itself.
            return
        for holder in holders_of(path):
            kill_group(holder)


def _try(lock: Lock, path: Path) -> bool:
    with _guard(path) as is_ours:
        if not is_ours or not try_lock(lock.fileno()):
            return False
        os.ftruncate(lock.fileno(), 0)
        os.pwrite(lock.fileno(), identity(os.getpid()).encode("ascii"), 0)
        return True


@contextmanager
def _guard(path: Path) -> Iterator[bool]:
    """Let nobody judge the holders between the moment of locking and the writing of the new owner's name."""
    guard = os.open(path.with_name(f"{path.name}.guard"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield try_lock(guard)
    finally:
        os.close(guard)


def try_lock(descriptor: int) -> bool:
    """Lock an open file unless another process holds it; False when one does."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
