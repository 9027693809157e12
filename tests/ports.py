"""Ports for servers that cannot choose one themselves, chosen so that nobody else takes them first."""

from __future__ import annotations

import random
import socket
from contextlib import suppress

# Below those that the kernel gives to others.
_CHOICE = range(20_000, 32_000)
_reserved: list[socket.socket] = []


def free_port() -> int:
    """Return a port that is free, and that no other test of this machine is given while this process lives."""
    for port in random.sample(_CHOICE, 500):
        mark = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with suppress(OSError):
            # Nobody uses its other half, so it can say that this one is taken.
            mark.bind(("127.0.0.1", port))
            socket.create_server(("127.0.0.1", port)).close()
            _reserved.append(mark)
            return port
        mark.close()
    raise AssertionError("there is no free port")
