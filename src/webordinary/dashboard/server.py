"""uvicorn as the dashboard runs it: at its end every stream hears so, and nobody is waited for."""

from __future__ import annotations

import resource
import socket
from typing import TYPE_CHECKING

import uvicorn

from webordinary.dashboard.app import make_app
from webordinary.dashboard.impatient import ImpatientProtocol
from webordinary.doors.certificate import Certificate

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable
    from pathlib import Path

    from webordinary.dashboard.house import House

STOP_SECONDS = 2
# A stream and a request of each viewer, and what else is open.
_FILES = 4096
_MOST_CONNECTIONS = 3000


class DashboardServer(uvicorn.Server):
    """Answers browsers until `should_exit`."""

    def __init__(self, house: House) -> None:
        asked = house.here.config.dashboard
        contexts = _contexts(asked.certificate, asked.key) if asked.certificate and asked.key else None
        settings = uvicorn.Config(
            make_app(house), log_config=None, access_log=False, lifespan="off", server_header=False, ws="none",
            http=ImpatientProtocol, proxy_headers=False, limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=STOP_SECONDS, ssl_context_factory=contexts,
        )  # fmt: skip
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


def _contexts(certificate: Path, key: Path) -> Callable[..., ssl.SSLContext]:
    """Return what makes the context for TLS; each connection gets the newest certificate."""
    newest = Certificate(certificate, key, "dashboard.certificate")

    def renew(shaking: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
        shaking.context = newest.context()

    def make(*_: object) -> ssl.SSLContext:
        first = newest.context()
        first.sni_callback = renew
        return first

    return make


def allow_many_viewers() -> None:
    """Let this process have as many connections as there may be streams, as far as the machine lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
