"""uvicorn as the dashboard runs it: at its end every stream hears so, and nobody is waited for."""

from __future__ import annotations

import resource
from typing import TYPE_CHECKING

import uvicorn

from webordinary.dashboard.app import make_app

if TYPE_CHECKING:
    import socket

    from webordinary.dashboard.house import House

STOP_SECONDS = 2
# A stream and a request of each viewer, and what else is open.
_FILES = 4096


class DashboardServer(uvicorn.Server):
    """Answers browsers until `should_exit`."""

    def __init__(self, house: House) -> None:
        settings = uvicorn.Config(
            make_app(house), log_level="warning", access_log=False, lifespan="off", server_header=False,
            proxy_headers=False, timeout_graceful_shutdown=STOP_SECONDS,
        )  # fmt: skip
        super().__init__(settings)
        self._house = house

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams first: the server waits for every answer that is not complete."""
        self._house.live.close()
        await super().shutdown(sockets)


def allow_many_viewers() -> None:
    """Let this process have as many connections as there may be streams, as far as the machine lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
