"""The dashboard's process: uvicorn on a socket that is open already, until SIGTERM or until its parent is gone."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.config import find_config
from webordinary.config.live import LiveConfig, read_or_copy
from webordinary.dashboard.allowed import Allowed
from webordinary.dashboard.house import House
from webordinary.dashboard.pages.openid import BACK
from webordinary.dashboard.people import DashboardUsers
from webordinary.dashboard.server import DashboardServer, allow_many_viewers
from webordinary.dashboard.sessions import Sessions
from webordinary.engines.installation import Installation, log_as_configured
from webordinary.errors import WebOrdinaryError
from webordinary.oauth.openid import OpenidClient, OpenidProvider

if TYPE_CHECKING:
    import uvicorn

    from webordinary.config import Config
    from webordinary.config.dashboard import Dashboard
_TELL_EVERY = timedelta(seconds=30)


def sessions_of(here: Installation) -> Sessions:
    """Return who has signed in, for the dashboard itself and for the command that makes links."""
    asked, live = here.config.dashboard, LiveConfig(here.config)
    return Sessions(
        here.config.data / "dashboard",
        here.clock,
        DashboardUsers(asked.users) if asked.users else None,
        Allowed(lambda: live.config.dashboard.openid) if asked.openid.issuer else None,
        asked.session,
        asked.idle,
    )


def provider_of(asked: Dashboard) -> OpenidProvider | None:
    """Return where people sign in with OpenID Connect; None if that is not asked for."""
    openid = asked.openid
    if openid.issuer is None or openid.client_id is None or asked.url is None:
        return None
    client = OpenidClient(
        issuer=str(openid.issuer),
        client_id=str(openid.client_id),
        read_client_secret=lambda: openid.secret,
        redirect=asked.url.rstrip("/") + BACK,
        scopes=openid.scopes,
        algorithms=openid.algorithms,
        skew=openid.skew,
    )
    return OpenidProvider(client)


def house_of(here: Installation) -> House:
    """Return what every page is made from."""
    return House(here, sessions_of(here), provider_of(here.config.dashboard))


def run(config: Config, listening: socket.socket, parent: int | None = None) -> None:
    """Answer browsers on this socket until SIGTERM; or until the parent is gone."""
    log_as_configured(config)
    allow_many_viewers()
    here = Installation.open(config)
    if config.webhooks and not config.traits.is_one_machine:
        # There the chores are done by functions without a disk; each look costs a request.
        here.webhooks().keep_looking(_TELL_EVERY)
    asyncio.run(_serve(DashboardServer(house_of(here)), listening, parent))


async def _serve(server: uvicorn.Server, listening: socket.socket, parent: int | None) -> None:
    if parent is not None:
        _end_with(parent, server)
    await server.serve(sockets=[listening])


def _end_with(parent: int, server: uvicorn.Server) -> None:
    def end() -> None:
        server.should_exit = True

    try:
        pidfd = os.pidfd_open(parent)
    except ProcessLookupError:
        end()
        return
    if os.getppid() != parent:
        end()
        return
    asyncio.get_running_loop().add_reader(pidfd, end)


def main() -> int:
    """Run `python -m webordinary.dashboard.process CONFIG COPY PARENT FILENO`."""
    path, copy, parent, number = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    try:
        config = read_or_copy(path, copy, os.environ) if copy.name else find_config(path, os.environ)
        run(config, socket.socket(fileno=number), parent)
    except WebOrdinaryError as error:
        sys.stderr.write(f"The dashboard: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
