"""Our page about web servers, word by word: Debian's nginx and Caddy show sites and previews with TLS."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.doors.certificates import write_certificate
from tests.howto import blocks
from tests.ports import free_port
from tests.programs import need
from tests.remotes.front_server import running, set_up_caddy, set_up_nginx
from webordinary.site.targets.folder import FolderSites
from webordinary.site.web.server import SiteServer, folder_for_host

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.programs, pytest.mark.thorough]

PAGE = "web-servers.md"
SITE, PREVIEW = "www.amelia.example", "c0ffee--amelia.preview.example.com"


@dataclass
class Web:
    """The site behind a web server, as the public sees it."""

    sites: FolderSites
    behind: SiteServer
    folder: Path
    plain: int
    secure: int

    def publish(self, commit: str, text: str) -> None:
        built = self.folder / commit
        built.mkdir()
        (built / "index.html").write_text(f"<p>{text}</p>")
        self.sites.add_release("amelia", commit, built)
        self.sites.switch_live(
            "amelia", commit, lane="amelia#scott", fence=1, descends=lambda newer, older: newer > older
        )

    def ask(self, name: str, path: str = "/") -> tuple[int, str, http.client.HTTPMessage]:
        """Ask by TLS for a page of a host, whose certificate has to be right."""
        trusted = ssl.create_default_context(cafile=str(self.folder / "authorities.pem"))
        with socket.create_connection(("127.0.0.1", self.secure), timeout=30) as plain:
            connection = http.client.HTTPConnection(name)
            connection.sock = trusted.wrap_socket(plain, server_hostname=name)
            return _answer(connection, name, path)

    def ask_plainly(self, name: str) -> tuple[int, str, http.client.HTTPMessage]:
        return _answer(http.client.HTTPConnection("127.0.0.1", self.plain, timeout=30), name, "/")


def _answer(connection: http.client.HTTPConnection, name: str, path: str) -> tuple[int, str, http.client.HTTPMessage]:
    connection.request("GET", path, headers={"Host": name})
    answer = connection.getresponse()
    said = answer.status, answer.read().decode(), answer.headers
    connection.close()
    return said


def certificates(folder: Path) -> dict[str, tuple[Path, Path]]:
    """Make a certificate for the site and one for all previews, which the visitor of the test trusts."""
    made = {}
    for name in (SITE, "*.preview.example.com"):
        place = folder / name.replace("*", "star")
        place.mkdir()
        made[name] = write_certificate(place, name)
    (folder / "authorities.pem").write_bytes(b"".join(certificate.read_bytes() for certificate, _ in made.values()))
    return made


def nginx(recipe: str, folder: Path, web: Web) -> list[str]:
    made = certificates(folder)
    for name, (certificate, key) in made.items():
        kept = f"/etc/letsencrypt/live/{name.removeprefix('*.')}"
        recipe = recipe.replace(f"{kept}/fullchain.pem", str(certificate)).replace(f"{kept}/privkey.pem", str(key))
    recipe = recipe.replace("listen 80;", f"listen 127.0.0.1:{web.plain};")
    recipe = recipe.replace("listen 443 ssl", f"listen 127.0.0.1:{web.secure} ssl")
    return set_up_nginx(recipe, folder)


def caddy(recipe: str, folder: Path, web: Web) -> list[str]:
    made = certificates(folder)
    certificate, key = made["*.preview.example.com"]
    recipe = re.sub(r"tls \S+ \S+", f"tls {certificate} {key}", recipe)
    # Here nobody can ask an authority.
    recipe = recipe.replace(f"{SITE} {{", f"{SITE} {{\n\ttls {made[SITE][0]} {made[SITE][1]}", 1)
    options = f"admin off\nhttp_port {web.plain}\nhttps_port {web.secure}\ndefault_bind 127.0.0.1"
    return set_up_caddy(recipe, folder, options)


SERVERS = {"nginx": nginx, "caddy": caddy}


@pytest.fixture(params=SERVERS)
def web(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Web]:
    """A site and a preview of it behind a web server that was set up as the page says."""
    need(request.param)
    (recipe,) = blocks(PAGE, {"nginx": "nginx", "caddy": "Caddy"}[request.param], request.param)
    targets = {"amelia": tmp_path / "www"}
    sites = FolderSites(previews=tmp_path / "previews", targets=targets)
    behind = SiteServer(("127.0.0.1", 0), lambda host: folder_for_host(host, tmp_path / "previews", targets))
    behind.start()
    web = Web(sites, behind, tmp_path, free_port(), free_port())
    recipe = recipe.replace("127.0.0.1:8080", f"127.0.0.1:{behind.address[1]}").replace(
        "/srv/www/amelia", str(targets["amelia"])
    )
    web.publish("aaaaaaa", "We open at eight.")
    with running(SERVERS[request.param](recipe, tmp_path, web), tmp_path, web.secure):
        yield web
    behind.close()


def test_the_live_site_is_shown_with_tls_also_after_a_switch_and_while_we_are_stopped(web: Web) -> None:
    status, page, _ = web.ask(SITE)
    assert (status, page) == (200, "<p>We open at eight.</p>")
    web.publish("bbbbbbb", "We open at nine.")
    assert web.ask(SITE)[1] == "<p>We open at nine.</p>"
    assert web.ask(SITE, "/nothing.html")[0] == 404
    web.behind.close()
    assert web.ask(SITE)[:2] == (200, "<p>We open at nine.</p>")


def test_who_comes_without_tls_is_sent_to_it(web: Web) -> None:
    for name in (SITE, PREVIEW):
        status, _, headers = web.ask_plainly(name)
        assert status in {301, 308}
        assert str(headers["Location"]).startswith(f"https://{name}")


def test_a_preview_is_shown_with_one_certificate_for_all_and_hidden_from_search_engines(web: Web) -> None:
    built = web.folder / "built"
    built.mkdir()
    (built / "index.html").write_text("<p>Not yet live.</p>")
    web.sites.show_preview("amelia", "c0ffee", built)
    status, page, headers = web.ask(PREVIEW)
    assert (status, page[:20], headers["X-Robots-Tag"]) == (200, "<p>Not yet live.</p>", "noindex")
    assert web.ask("dead--amelia.preview.example.com")[0] == 404
