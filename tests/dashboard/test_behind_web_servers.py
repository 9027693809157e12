"""Our page about the dashboard, word by word: behind Debian's nginx and Caddy the pages are live too."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face
from tests.dashboard.listening import Listener, session
from tests.doors.certificates import write_certificate
from tests.howto import blocks
from tests.ports import free_port
from tests.programs import need
from tests.remotes.front_server import running, set_up_caddy, set_up_nginx
from tests.rigs.embedded import EmbeddedRig
from webordinary.audit.entry import Entry, EventType
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.testing.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.programs, pytest.mark.thorough]

PAGE, HEADING, NAME = "dashboard.md", "For others than this machine", "dashboard.example.com"
AMY = Viewer("amy", Role.AGENCY)


def nginx(recipe: str, folder: Path, port: int) -> list[str]:
    certificate, key = write_certificate(folder, NAME)
    kept = f"/etc/letsencrypt/live/{NAME}"
    recipe = recipe.replace(f"{kept}/fullchain.pem", str(certificate)).replace(f"{kept}/privkey.pem", str(key))
    recipe = recipe.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    return set_up_nginx(recipe, folder, "gzip on;\n    gzip_types *;")


def caddy(recipe: str, folder: Path, port: int) -> list[str]:
    certificate, key = write_certificate(folder, NAME)
    # Here nobody can ask an authority.
    recipe = recipe.replace(f"{NAME} {{", f"{NAME} {{\n\ttls {certificate} {key}", 1)
    options = f"admin off\nhttps_port {port}\ndefault_bind 127.0.0.1\nauto_https disable_redirects"
    return set_up_caddy(recipe, folder, options)


SERVERS = {"nginx": ("nginx", nginx), "caddy": ("caddyfile", caddy)}


class SecureListener(Listener):
    """A page that listens by TLS, at the name of the dashboard."""

    def __init__(self, port: int, trusted: Path, cookie: str, after: object) -> None:
        self._port, self._trusted = port, trusted
        super().__init__(f"https://{NAME}", cookie, after)

    def connect(self, host: str) -> http.client.HTTPConnection:
        context = ssl.create_default_context(cafile=str(self._trusted))
        connection = http.client.HTTPConnection(host)
        plain = socket.create_connection(("127.0.0.1", self._port), timeout=30)
        connection.sock = context.wrap_socket(plain, server_hostname=host)
        return connection


@pytest.fixture(params=SERVERS)
def front(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Face, int]]:
    """A dashboard behind a web server that was set up as the page says, and the port of that one."""
    need(request.param)
    kind, make = SERVERS[request.param]
    (recipe,) = blocks(PAGE, HEADING, kind)
    story = Story(rig := EmbeddedRig(tmp_path))
    (tmp_path / "people").write_text("")
    (asked,) = [block for block in blocks(PAGE, HEADING, "toml") if "proxies" in block]
    lines = asked.replace("[dashboard]\n", "").replace("dashboard-users", "people")
    story.begin(settings={"dashboard": lines}, workers=0)
    face, port = Face(rig.here), free_port()
    with face.served() as address:
        behind = re.sub(r"127\.0\.0\.1:8090", address.removeprefix("http://"), recipe)
        with running(make(behind, tmp_path, port), tmp_path, port):
            yield face, port
    rig.close()


def test_each_event_comes_through_at_once_and_one_by_one(front: tuple[Face, int], tmp_path: Path) -> None:
    face, port = front
    trail, clock = face.house.here.engine.trail, face.house.here.clock
    cookie = session(face, AMY)
    (certificate,) = [path for path in tmp_path.glob("*.pem") if "PRIVATE" not in path.read_text()]
    with SecureListener(port, certificate, cookie, face.house.live.number()) as page:
        assert page.status == 200
        assert page.next().what == "beat"
        for number in range(3):
            # Nothing else happens until this small piece has come through.
            trail.record(Entry(EventType.STEP, clock.now().wall_at, job=f"job-{number}"))
            assert f"job:job-{number}" in page.hear("changed").names
