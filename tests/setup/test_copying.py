"""A site on the web becomes a folder, whatever its pages try."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import pytest

from tests.setup.ground import program_in
from webordinary.errors import Refused
from webordinary.setup.copying.copy import CopyLimits, copy_site
from webordinary.setup.copying.links import SiteLinks
from webordinary.setup.copying.places import place_of
from webordinary.setup.copying.reach import WebOrigin, WebReach

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

NOW = datetime(2026, 3, 2, tzinfo=UTC)
HTML, CSS, PNG = "text/html; charset=utf-8", "text/css", "image/png"


class Shown(ThreadingHTTPServer):
    """A web server that shows what the test has put there: a status, a kind and a content, or where to go."""

    daemon_threads = True
    pages: Mapping[str, tuple[int, str, bytes]]
    asked: list[str]


class _Answerer(BaseHTTPRequestHandler):
    server: Shown

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        code, kind, content = self.server.pages.get(self.path, (404, HTML, b"not here"))
        self.send_response(code)
        self.send_header("Location" if 300 <= code < 400 else "Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own name
        """Say nothing."""


@contextmanager
def shown(pages: Mapping[str, tuple[int, str, bytes]]) -> Iterator[Shown]:
    server = Shown(("127.0.0.1", 0), _Answerer)
    server.pages, server.asked = pages, []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def address_of(server: Shown) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}/"


def page(body: str) -> tuple[int, str, bytes]:
    return 200, HTML, f"<!doctype html><title>x</title>{body}".encode()


SITE = {
    "/": page(
        '<a href="about">Über uns</a><link rel=stylesheet href="/s.css?v=3"><a href="https://other.example/">o</a>'
    ),
    "/about": page('<img src="pictures/a.png" srcset="pictures/a.png 1x, pictures/b.png 2x"><a href="/#x">home</a>'),
    "/s.css?v=3": (200, CSS, b"body { background: url('pictures/c.png') }"),
    "/pictures/a.png": (200, PNG, b"a"),
    "/pictures/b.png": (200, PNG, b"b"),
    "/pictures/c.png": (200, PNG, b"c"),
}


def test_a_site_is_copied_with_what_it_shows_and_says_that_it_is_a_copy(tmp_path: Path) -> None:
    with shown(SITE) as server:
        told = program_in(tmp_path).run("project", "copy", address_of(server), "copy", "--loopback")
        refused = program_in(tmp_path).run("project", "copy", address_of(server), "other", code=1)
    assert "2 pages and 4 other files" in told
    assert "belongs to this machine; nothing was fetched" in refused
    copy = tmp_path / "copy"
    names = sorted(str(each.relative_to(copy)) for each in copy.rglob("*") if each.is_file())
    pictures = ["pictures/a.png", "pictures/b.png", "pictures/c.png"]
    assert names == ["WEBORDINARY.md", "about/index.html", "index.html", *pictures, "s.css"]
    assert f"are a copy of {address_of(server)}" in (copy / "WEBORDINARY.md").read_text()
    # From a folder of its own the page still finds its pictures.
    assert (
        'src="/pictures/a.png" srcset="/pictures/a.png 1x, /pictures/b.png 2x"'
        in (copy / "about/index.html").read_text()
    )
    assert 'href="/about">Über uns</a>' in (copy / "index.html").read_text(encoding="utf-8")


def test_what_robots_refuse_what_leads_elsewhere_and_what_never_ends_is_left_out(tmp_path: Path) -> None:
    endless = {f"/n/{number}": page(f'<a href="/n/{number + 1}">on</a>') for number in range(50)}
    links = [
        "/private",
        "/away",
        "/loop",
        "/n/0",
        "/../../etc/passwd",
        "/.git/config",
        "/%2e%2e/x",
        "/q?page=2",
        "/big",
    ]
    pages = {
        **endless,
        "/": page("".join(f'<a href="{each}">x</a>' for each in links)),
        "/robots.txt": (200, "text/plain", b"User-agent: *\nDisallow: /private\n"),
        "/private": page("secret"),
        "/away": (302, "http://169.254.169.254/latest/", b""),
        "/loop": (302, "/loop", b""),
        "/q?page=2": page("question"),
        "/.git/config": (200, "text/plain", b"x"),
        "/big": (200, PNG, b"x" * 5000),
    }
    with shown(pages) as server:
        limits, reach = CopyLimits(pages=10), WebReach(loopback=True, largest=4000)
        copied = copy_site(address_of(server), tmp_path / "copy", limits, reach, NOW)
    assert copied.pages == 10
    assert "/private" not in server.asked
    assert copied.left_out["not allowed by robots.txt"] == 1
    assert copied.left_out["leads to another site"] == 1
    assert copied.left_out["more than the limits allow"] == 1
    names = {str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*") if each.is_file()}
    assert all(name.startswith("copy/") and ".git" not in name for name in names)
    assert "copy/big" not in names


@pytest.mark.parametrize(
    ("pages", "why"),
    [
        ({"/": page("x"), "/robots.txt": (200, "text/plain", b"User-agent: *\nDisallow: /\n")}, "allows? no|not allow"),
        ({"/": (302, "https://elsewhere.example/", b"")}, "which is another site"),
        ({"/": (200, "application/pdf", b"x")}, "shows no page"),
    ],
)
def test_a_site_that_may_not_be_copied_is_refused_and_leaves_nothing(
    tmp_path: Path, pages: dict[str, tuple[int, str, bytes]], why: str
) -> None:
    with shown(pages) as server, pytest.raises(Refused, match=why):
        copy_site(address_of(server), tmp_path / "copy", CopyLimits(), WebReach(loopback=True), NOW)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "address",
    [
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
    ],
)
def test_a_private_machine_is_never_asked(address: str) -> None:
    with pytest.raises(Refused, match="nothing was fetched"):
        WebReach().ask(address)


def test_a_place_is_always_inside() -> None:
    for odd in (
        "/../x.png",
        "/a/%2e%2e/%2e%2e/x.png",
        "/a\\..\\x.png",
        "/.ssh/id",
        "/c:/x",
        "/%00.png",
        "/" + "a" * 300,
    ):
        assert place_of(f"http://x.example{odd}", is_page=False) is None
    assert place_of("http://x.example/a/b", is_page=True) == PurePosixPath("a/b/index.html")
    assert place_of("http://x.example/a.html", is_page=True) == PurePosixPath("a.html")


def test_pages_that_would_be_slow_to_read_are_read_in_linear_time() -> None:
    site = WebOrigin("http", "x.example", 80)
    for hostile in (' href="' * 50_000, " href=" + "a" * 500_000, "<base " * 50_000, "url(" * 100_000):
        SiteLinks(hostile, "http://x.example/", site).of_page()
