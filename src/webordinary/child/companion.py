"""A companion: a long-living process of our own, watched by its pidfd, with our terminal as its own."""

from __future__ import annotations

import os
import signal
import subprocess  # noqa: S404 - the one package that may
from contextlib import suppress
from typing import TYPE_CHECKING

from webordinary.child.family import _read_entry as read_entry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Companion:
    """Started beside us; `fileno` becomes readable the moment it is dead."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str]) -> None:
        # A session of its own: Ctrl-C in the terminal reaches only us, and we drain it in order.
        self._process = subprocess.Popen(list(argv), env=dict(env), stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603 - our own program
        self.pid = self._process.pid
        self._pidfd = os.pidfd_open(self.pid)

    def fileno(self) -> int:
        return self._pidfd

    def signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, number)

    def bury(self) -> int:
        """Reap the dead process and return how it ended; waits when it still lives."""
        code = self._process.wait()
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1
        return code


def process_mark(pid: int) -> str:
    """Name a process so that it is known again even when its number was given to another one."""
    entry = read_entry(pid)
    return f"{pid}:{entry.started}" if entry else f"{pid}:0"


def is_alive(mark: str) -> bool:
    """Tell whether the process with this mark still lives."""
    pid, _, started = mark.partition(":")
    entry = read_entry(int(pid)) if pid.isdecimal() else None
    return entry is not None and entry.state not in "ZX" and str(entry.started) == started
