"""A line to a server on loopback that is cut after so many bytes, as lines to web hosts are."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ALL = 1 << 40


@contextmanager
def cut_line(port: int, after: int) -> Iterator[int]:
    """Give the port of a line that carries so many bytes to the server, and then nothing more in either direction."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        carrying = threading.Thread(target=_carry, args=(listening, port, after), daemon=True)
        carrying.start()
        yield int(listening.getsockname()[1])
        # Wakes whoever still waits for a caller.
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        carrying.join()


def carry(listening: socket.socket, port: int) -> None:
    """Carry everything between whoever calls and the server, until nobody listens any more."""
    _carry(listening, port, _ALL)


def _carry(listening: socket.socket, port: int, left: int) -> None:
    with suppress(OSError):
        while True:
            caller, _ = listening.accept()
            with caller, socket.create_connection(("127.0.0.1", port)) as server:
                back = threading.Thread(target=_copy, args=(server, caller, _ALL), daemon=True)
                back.start()
                left -= _copy(caller, server, left)
                for each in (caller, server):
                    with suppress(OSError):
                        each.shutdown(socket.SHUT_RDWR)
                back.join()


def _copy(source: socket.socket, into: socket.socket, limit: int) -> int:
    copied = 0
    with suppress(OSError):
        while copied < limit and (data := source.recv(min(65536, limit - copied))):
            into.sendall(data)
            copied += len(data)
    with suppress(OSError):
        into.shutdown(socket.SHUT_WR)
    return copied
