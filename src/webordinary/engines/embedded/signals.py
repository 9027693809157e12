"""Wake-ups as Unix datagrams: sent after the commit, heard in a tenth of a millisecond, allowed to be lost."""

from __future__ import annotations

import hashlib
import select
import socket
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import timedelta
    from pathlib import Path

    from webordinary.interrupts.signals import WakeupListener
    from webordinary.routing.lane import Lane


class Wakeups(Protocol):
    """The wake-ups of all workers of one machine, each known by the worker's name."""

    def listen(self, worker: str) -> WakeupListener: ...

    def wake(self, workers: Iterable[str]) -> None:
        """Ring the first of them that is there; quick, never waits and never fails."""


class DatagramListener:
    """Where one worker hears its wake-ups; several before it looks count as one."""

    def __init__(self, address: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        self._address = address
        self._socket.bind(address)
        self._socket.setblocking(False)  # noqa: FBT003 - the library's own signature

    def fileno(self) -> int:
        return self._socket.fileno()

    def attend(self, lane: Lane | None, *, working: bool = False) -> None:
        """A sender knows the worker by its name, and one kind of wake-up serves everything."""

    def wait(self, at_most: timedelta) -> bool:
        readable, _, _ = select.select([self._socket], [], [], max(at_most.total_seconds(), 0))
        if not readable:
            return False
        self._empty()
        return True

    def wake(self) -> None:
        with suppress(OSError):
            self._socket.sendto(b"!", self._address)

    def close(self) -> None:
        self._socket.close()

    def _empty(self) -> None:
        try:
            while True:
                self._socket.recv(16)
        except BlockingIOError:
            return


class DatagramSignals:
    """Wakeups at abstract socket names, which need no file, no clean-up and are never too long."""

    def __init__(self, data: Path) -> None:
        self._place = hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:16]
        self._sender: socket.socket | None = None

    def listen(self, worker: str) -> DatagramListener:
        return DatagramListener(self._address(worker))

    def wake(self, workers: Iterable[str]) -> None:
        """Ring the first of them that is there; the others are only asked when it is gone."""
        wanted = tuple(workers)
        if not wanted:
            return
        # What the wake-up tells of is committed: an error here would make the caller believe that it is not.
        with suppress(OSError):
            sender = self._open_sender()
            for worker in wanted:
                if self._rang(sender, worker):
                    return

    def _open_sender(self) -> socket.socket:
        """Return the one socket that sends for this process; making one takes longer than waking."""
        if self._sender is None:
            self._sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._sender.setblocking(False)  # noqa: FBT003 - the library's own signature
            weakref.finalize(self, self._sender.close)
        return self._sender

    def _rang(self, sender: socket.socket, worker: str) -> bool:
        try:
            sender.sendto(b"!", self._address(worker))
        except BlockingIOError:
            # It has wake-ups enough that it has not heard yet: it will look.
            return True
        except OSError:
            return False
        return True

    def _address(self, worker: str) -> str:
        return f"\0webordinary/{self._place}/{worker}"
