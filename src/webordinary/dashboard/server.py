"""uvicorn as the dashboard runs it: at its end every stream hears so, and nobody is waited for."""

from __future__ import annotations

import resource
import socket
from typing import TYPE_CHECKING

import uvicorn

if TYPE_CHECKING:
    from webordinary.dashboard.house import House

STOP_SECONDS = 2
# A stream and a request of each viewer; and the database, the pages and whatever else is open.
_FILES, _OTHER_FILES = 4096, 124


class DashboardServer(uvicorn.Server):
    """Answers browsers until `should_exit`."""

    def __init__(self, house: House, settings: uvicorn.Config) -> None:
        super().__init__(settings)
        self._house = house

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Send each piece at once: asyncio does so only where a socket was made with the protocol's name."""
        for each in sockets or ():
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await super().serve(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams first: the server waits for every answer that is not complete."""
        self._house.live.close()
        await super().shutdown(sockets)


def most_connections() -> int:
    """Let this process have as many connections as there may be streams, as far as the machine lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    wanted = _FILES if hard == unlimited else min(_FILES, hard)
    if soft != unlimited and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted - _OTHER_FILES
