"""uvicorn as the dashboard runs it: at its end every stream hears so, and nobody is waited for."""

from __future__ import annotations

import resource
from typing import TYPE_CHECKING

import uvicorn

from webordinary.dashboard.app import make_app
from webordinary.dashboard.impatient import ImpatientProtocol
from webordinary.doors.certificate import Certificate

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable
    from pathlib import Path

    from starlette.types import ASGIApp

    from webordinary.config.dashboard import Dashboard
    from webordinary.dashboard.house import House

STOP_SECONDS = 2
# A stream and a request of each viewer, and what else is open.
_FILES = 4096
# More than all viewers that are measured, and few enough for the open files of a process.
_MOST_CONNECTIONS = 2000


class DashboardServer(uvicorn.Server):
    """Answers browsers until `should_exit`."""

    def __init__(self, house: House) -> None:
        super().__init__(settings_of(make_app(house), house.here.config.dashboard))
        self._house = house

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams first: the server waits for every answer that is not complete."""
        self._house.live.close()
        await super().shutdown(sockets)


def settings_of(app: ASGIApp, asked: Dashboard) -> uvicorn.Config:
    """Return how browsers are answered: HTTP/1.1 only, by TLS where there is a certificate."""
    contexts = _contexts(asked.certificate, asked.key) if asked.certificate and asked.key else None
    return uvicorn.Config(
        app, log_level="warning", access_log=False, lifespan="off", server_header=False, http=ImpatientProtocol,
        ws="none", proxy_headers=False, limit_concurrency=_MOST_CONNECTIONS, backlog=128,
        timeout_graceful_shutdown=STOP_SECONDS, ssl_context_factory=contexts,
    )  # fmt: skip


def _contexts(certificate: Path, key: Path) -> Callable[..., ssl.SSLContext]:
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
