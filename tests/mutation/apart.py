"""A piece of a program in a process of its own: it may hang, eat memory or break everything around it."""

from __future__ import annotations

import os
import resource
import select
import sys
import traceback
from typing import TYPE_CHECKING, NoReturn

from webordinary.child.family import identity, kill_group

if TYPE_CHECKING:
    from collections.abc import Callable

_MEMORY = 4 * 1024**3
BROKEN = 99


def apart(work: Callable[[], int], seconds: float) -> int | None:
    """Fork, work quietly there, and return the exit status; None when it took longer than it may."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        _work_quietly(work)
    recorded = identity(pid)
    ended = _wait(pid, seconds)
    # Also what it has started and left behind.
    kill_group(recorded)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) if ended else None


def _work_quietly(work: Callable[[], int]) -> NoReturn:
    status = BROKEN
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silence, stream)
        status = work()
    except BaseException:  # noqa: BLE001 - whatever it is, this process must not go on as its parent
        traceback.print_exc()
    finally:
        os._exit(status)


def _wait(pid: int, seconds: float) -> bool:
    handle = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(seconds * 1000))
    finally:
        os.close(handle)
