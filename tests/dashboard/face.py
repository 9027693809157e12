"""A dashboard over a told story: asked without a network, or in a thread for a real browser."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from starlette.testclient import TestClient

from webordinary.dashboard.app import make_app
from webordinary.dashboard.process import house_of
from webordinary.dashboard.server import DashboardServer
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role, Viewer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.engines.installation import Installation

HOST = "http://127.0.0.1"


class Face:
    """The dashboard of one installation."""

    def __init__(self, here: Installation) -> None:
        self.house = house_of(here)
        self.app = make_app(self.house)

    def visitor(self) -> TestClient:
        """Return a browser without a session."""
        return TestClient(self.app, base_url=HOST, headers={"sec-fetch-site": "same-origin"}, follow_redirects=False)

    def signed_in(self, role: Role = Role.AGENCY, *projects: str, name: str = "amy") -> TestClient:
        """Return a browser of somebody who has used a link."""
        browser = self.visitor()
        link = self.house.sessions.new_link(Viewer(name, role, projects))
        assert browser.post("/sign-in", data={"link": link}).status_code == 303
        return browser

    def token(self, role: Role) -> str:
        """Return a new token of the API."""
        return ApiTokens(self.house.sessions.folder, self.house.here.clock).add(role.value, role, (), "amy")

    @contextmanager
    def served(self) -> Iterator[str]:
        """Answer on loopback while the block runs, and say where."""
        with socket.create_server(("127.0.0.1", 0)) as listening:
            server = DashboardServer(self.house)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
            thread.start()
            try:
                yield f"http://127.0.0.1:{listening.getsockname()[1]}"
            finally:
                server.should_exit = True
                thread.join()


def csrf_in(page: str) -> str:
    """Return what the forms of a page have to send back."""
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', page)
    assert found is not None
    return found[1]
