"""The line on which one question goes out: cut when the run is over, and then nothing more is sent on it."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from webordinary.errors import Refused

if TYPE_CHECKING:
    import http.client


class ModelConnection:
    """Holds the connection of a question, so that another thread can end it in the middle of a word."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._is_cut = False
        # From here on somebody may have read the question, and wants to be paid for it.
        self.is_sent = False

    def open(self, connection: http.client.HTTPConnection) -> None:
        """Connect, and say that the question goes out now; Refused when the run has ended meanwhile."""
        connection.connect()
        with self._lock:
            if self._is_cut:
                connection.close()
                raise Refused("the run is over")
            # The socket itself: a connection forgets it as soon as the answer has begun.
            self._socket = connection.sock
            self.is_sent = True

    def cut(self) -> None:
        with self._lock:
            self._is_cut = True
            if self._socket is not None:
                # Whoever reads from it or writes to it hears of it at once.
                with suppress(OSError):
                    self._socket.shutdown(socket.SHUT_RDWR)
