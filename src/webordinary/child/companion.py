"""A companion: a long-living process of our own, watched by its pidfd, with our terminal as its own."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from webordinary.child.table import read_entry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Companion:
    """Started beside us; `fileno` becomes readable the moment it is dead."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], keeps: Sequence[int] = ()) -> None:
        # A session of its own: Ctrl-C in the terminal reaches only us, and we drain it in order.
        self._process = subprocess.Popen(  # noqa: S603 - our own program, an argument list
            list(argv), env=dict(env), stdin=subprocess.DEVNULL, start_new_session=True, pass_fds=tuple(keeps)
        )
        self.pid = self._process.pid
        try:
            self._pidfd = os.pidfd_open(self.pid)
        except OSError:
            # Whom we cannot watch must not run.
            self._process.kill()
            self._process.wait()
            raise

    def fileno(self) -> int:
        return self._pidfd

    def is_stopped(self) -> bool:
        entry = read_entry(self.pid)
        return entry is not None and entry.is_stopped

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
