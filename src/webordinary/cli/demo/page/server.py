"""The demo's page while it runs: uvicorn on a port of loopback, in a thread of its own."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import threading
import webbrowser
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn

from webordinary.cli.demo.page.app import make_app
from webordinary.cli.demo.page.house import DemoHouse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.cli.demo.stage import DemoStage

_HOST = "127.0.0.1"
_STOP_SECONDS = 2
_SEEN_BY = ("DISPLAY", "WAYLAND_DISPLAY")


class _Server(uvicorn.Server):
    """Ends every stream before it ends itself: otherwise it would wait for them."""

    def __init__(self, house: DemoHouse) -> None:
        super().__init__(
            uvicorn.Config(
                make_app(house), log_config=None, access_log=False, lifespan="off", server_header=False, ws="none",
                proxy_headers=False, timeout_graceful_shutdown=_STOP_SECONDS,
            )
        )  # fmt: skip
        self._house = house

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._house.live.close()
        await super().shutdown(sockets)


@contextmanager
def shown_page(stage: DemoStage) -> Iterator[str]:
    """Show the page, and yield the address that opens it."""
    house = DemoHouse(stage)
    listening = socket.create_server((_HOST, 0))
    server = _Server(house)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), name="demo page")
    thread.start()
    try:
        yield f"http://{_HOST}:{listening.getsockname()[1]}{house.path}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def open_browser(address: str) -> bool:
    """Open a browser, where somebody could see it; a browser in the terminal would take the terminal away."""
    if not any(os.environ.get(name) for name in _SEEN_BY) or shutil.which("xdg-open") is None:
        return False
    return webbrowser.open(address)
