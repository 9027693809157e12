from __future__ import annotations

import http.client
import os
import re
import socket
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from webordinary.errors import Misconfigured
from webordinary.site.targets.folder import FolderSites
from webordinary.site.web.preview import mark_preview
from webordinary.site.web.server import SiteServer, folder_for_host

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message
    from pathlib import Path


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Message
    body: bytes


class Web:
    """Two projects behind a real server, and a browser."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.previews = folder / "previews"
        self.targets = {"amelia": folder / "amelia", "bertha": folder / "bertha"}
        self.sites = FolderSites(self.previews, self.targets)
        self.server = SiteServer(("127.0.0.1", 0), lambda host: folder_for_host(host, self.previews, self.targets))

    def build(self, files: dict[str, str]) -> Path:
        built = self.folder / f"built-{os.urandom(6).hex()}"
        for name, text in files.items():
            (built / name).parent.mkdir(parents=True, exist_ok=True)
            (built / name).write_text(text)
        return built

    def publish(self, commit: str, files: dict[str, str], *, project: str = "amelia") -> None:
        self.sites.add_release(project, commit, self.build(files))
        self.sites.switch_live(project, commit, lane="l", fence=1, descends=lambda new, old: new > old)

    def ask(self, path: str, host: str = "amelia.localhost", *, method: str = "GET", **headers: str) -> Answer:
        connection = http.client.HTTPConnection(*self.server.address, timeout=30)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, headers={"Host": host, **sent})
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    web = Web(tmp_path)
    web.server.start()
    yield web
    web.server.close()


PAGES = {"index.html": "<h1>Hello</h1>", "about/index.html": "<h1>About</h1>", "style.css": "h1 {}"}


def test_a_host_shows_its_project(web: Web) -> None:
    web.publish("c1", {"index.html": "Amelia"})
    web.publish("c1", {"index.html": "Bertha"}, project="bertha")
    port = web.server.address[1]
    assert web.ask("/").body == b"Amelia"
    assert web.ask("/", f"bertha.localhost:{port}").body == b"Bertha"
    assert web.ask("/", "BERTHA.sites.example.com.").body == b"Bertha"


def test_a_thread_in_front_of_the_project_shows_the_preview(web: Web) -> None:
    web.publish("c1", {"index.html": "live"})
    web.sites.show_preview("amelia", "0f1e2d", web.build({"index.html": "draft"}))
    assert web.ask("/").body == b"live"
    assert web.ask("/", "0f1e2d.amelia.localhost:8080").body == mark_preview(b"draft")


def test_a_preview_says_that_it_is_one_and_what_goes_live_does_not(web: Web) -> None:
    page = "<!doctype html><html><head><title>Bakery</title></head><body><p>Bread</p></body></html>"
    pages = {"index.html": page, "style.css": "p {}", "404.html": "<title>Lost</title>"}
    web.publish("c1", pages)
    web.sites.show_preview("amelia", "0f1e2d", web.build(pages))
    host = "0f1e2d.amelia.localhost"
    shown, live = web.ask("/", host), web.ask("/")
    assert live.body == page.encode()
    assert "<title>Preview &middot; Bakery</title>" in shown.body.decode()
    assert re.search(rb"<p>Bread</p><div [^>]+>Preview &middot; Vorschau [^<]+</div></body></html>$", shown.body)
    assert web.ask("/style.css", host).body == b"p {}"
    assert b"Vorschau" in web.ask("/nowhere", host).body
    assert shown.headers["ETag"] != live.headers["ETag"]
    part = web.ask("/", host, Range="bytes=0-14")
    assert (part.status, part.body) == (206, b"<!doctype html>")
    assert web.ask("/", host, If_None_Match=shown.headers["ETag"]).status == 304


@pytest.mark.parametrize(
    ("page", "marked"),
    [
        (b"", b"^<div "),
        (b"<p>no body", b"^<p>no body<div "),
        (b"<BODY>x</BODY >\n", b"^<BODY>x<div .*</div></BODY >\n$"),
        (b"\xff\xfe<\x00p\x00", b"^\xff\xfe<\x00p\x00$"),
    ],
)
def test_every_page_of_a_preview_can_be_marked(page: bytes, marked: bytes) -> None:
    assert re.search(marked, mark_preview(page))


def test_only_previews_are_hidden_from_search_engines_and_linked_sites(web: Web) -> None:
    web.publish("c1", PAGES)
    web.sites.show_preview("amelia", "0f1e2d", web.build(PAGES))
    live, preview = web.ask("/"), web.ask("/", "0f1e2d.amelia.localhost")
    assert (live.headers["X-Robots-Tag"], preview.headers["X-Robots-Tag"]) == (None, "noindex")
    assert preview.headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(
    "host", ["nobody.localhost", "localhost", "", "..amelia.localhost", "ffff.amelia.localhost", "[::1]:80"]
)
def test_a_host_that_nobody_knows_is_told_so(web: Web, host: str) -> None:
    web.publish("c1", PAGES)
    answer = web.ask("/", host)
    assert answer.status == 404
    assert f"There is no site called {host or 'nothing'} here.".encode() in answer.body


def test_the_name_of_an_unknown_host_is_not_read_as_a_page(web: Web) -> None:
    assert b"<script>" not in web.ask("/", "<script>").body


def test_a_site_that_was_never_published_says_so(web: Web) -> None:
    answer = web.ask("/")
    assert (answer.status, b"Nothing has been published here yet." in answer.body) == (404, True)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.html", "text/html; charset=utf-8"),
        ("a.css", "text/css; charset=utf-8"),
        ("a.js", "text/javascript; charset=utf-8"),
        ("a.svg", "image/svg+xml"),
        ("a.JPG", "image/jpeg"),
        ("a.webp", "image/webp"),
        ("a.avif", "image/avif"),
        ("a.woff2", "font/woff2"),
        ("a.json", "application/json"),
        ("a.xml", "application/xml; charset=utf-8"),
        ("a.txt", "text/plain; charset=utf-8"),
        ("a.pdf", "application/pdf"),
        ("a.unknown", "application/octet-stream"),
        ("a", "application/octet-stream"),
    ],
)
def test_every_file_comes_with_its_type(web: Web, name: str, expected: str) -> None:
    web.publish("c1", {name: "x"})
    assert web.ask(f"/{name}").headers["Content-Type"] == expected


def test_a_folder_without_a_slash_leads_to_the_folder(web: Web) -> None:
    web.publish("c1", PAGES)
    answer = web.ask("/about?from=mail")
    assert (answer.status, answer.headers["Location"]) == (301, "/about/?from=mail")
    assert web.ask("/about/").body == b"<h1>About</h1>"


def test_no_redirect_leads_to_another_site(web: Web) -> None:
    web.publish("c1", {"evil.example/index.html": ""})
    assert web.ask("//evil.example").headers["Location"] == "/evil.example/"
    assert web.ask("/%2fevil.example").headers["Location"] == "/evil.example/"


def test_names_may_have_any_letters(web: Web) -> None:
    web.publish("c1", {"über uns.html": "Wir"})
    assert web.ask("/%C3%BCber%20uns.html?a=b").body == b"Wir"


def test_a_head_request_gets_the_same_headers_and_no_body(web: Web) -> None:
    web.publish("c1", PAGES)
    full, head = web.ask("/"), web.ask("/", method="HEAD")
    assert (head.status, head.body) == (200, b"")
    assert [head.headers[name] for name in ("Content-Length", "ETag", "Content-Type")] == [
        full.headers[name] for name in ("Content-Length", "ETag", "Content-Type")
    ]


def test_an_empty_file_is_an_answer_too(web: Web) -> None:
    web.publish("c1", {"empty.txt": ""})
    answer = web.ask("/empty.txt")
    assert (answer.status, answer.body, answer.headers["Content-Length"]) == (200, b"", "0")


def test_what_a_browser_has_already_is_not_sent_again(web: Web) -> None:
    web.publish("c1", PAGES)
    first = web.ask("/style.css")
    tag, changed = first.headers["ETag"], first.headers["Last-Modified"]
    assert first.headers["Cache-Control"] == "no-cache"
    assert web.ask("/style.css", If_None_Match=f'"x", W/{tag}').status == 304
    assert web.ask("/style.css", If_None_Match="*").status == 304
    assert web.ask("/style.css", If_Modified_Since=changed).status == 304
    assert web.ask("/style.css", If_None_Match='"x"', If_Modified_Since=changed).status == 200


@pytest.mark.parametrize(
    ("asked", "status", "body", "told"),
    [
        ("bytes=2-4", 206, b"234", "bytes 2-4/10"),
        ("bytes=7-", 206, b"789", "bytes 7-9/10"),
        ("bytes=-2", 206, b"89", "bytes 8-9/10"),
        ("bytes=5-99", 206, b"56789", "bytes 5-9/10"),
        ("bytes=-99", 206, b"0123456789", "bytes 0-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
        ("bytes=-0", 416, b"", "bytes */10"),
        ("bytes=4-2", 200, b"0123456789", None),
        ("bytes=0-1,4-5", 200, b"0123456789", None),
        ("bytes=-", 200, b"0123456789", None),
        ("lines=1-2", 200, b"0123456789", None),
    ],
)
def test_a_part_of_a_file_can_be_asked_for(web: Web, asked: str, status: int, body: bytes, told: str | None) -> None:
    web.publish("c1", {"film.mp4": "0123456789"})
    answer = web.ask("/film.mp4", Range=asked)
    assert (answer.status, answer.body, answer.headers["Content-Range"]) == (status, body, told)
    assert (answer.headers["Accept-Ranges"], answer.headers["Content-Length"]) == ("bytes", str(len(body)))


def test_a_part_of_another_version_is_not_mixed_into_the_first_half_of_this_one(web: Web) -> None:
    web.publish("c1", {"film.mp4": "0123456789"})
    tag = web.ask("/film.mp4").headers["ETag"]
    assert web.ask("/film.mp4", Range="bytes=5-", If_Range=tag).status == 206
    web.publish("c2", {"film.mp4": "abcdefghij"})
    answer = web.ask("/film.mp4", Range="bytes=5-", If_Range=tag)
    assert (answer.status, answer.body) == (200, b"abcdefghij")


def test_a_change_of_one_letter_is_seen_at_once_even_if_size_and_time_are_the_same(web: Web) -> None:
    tags = []
    for commit, text in (("c1", "open at 8"), ("c2", "open at 9")):
        web.publish(commit, {"index.html": text})
        os.utime(web.targets["amelia"] / "live" / "index.html", (0, 0))
        tags.append(web.ask("/").headers["ETag"])
    answer = web.ask("/", If_None_Match=tags[0])
    assert (answer.status, answer.body) == (200, b"open at 9")


def test_what_did_not_change_is_not_sent_again_after_a_publish(web: Web) -> None:
    web.publish("c1", {"style.css": "h1 {}", "index.html": "open at 8"})
    tags = {path: web.ask(path).headers["ETag"] for path in ("/style.css", "/")}
    web.publish("c2", {"style.css": "h1 {}", "index.html": "open at 9"})
    assert [web.ask(path, If_None_Match=tag).status for path, tag in tags.items()] == [304, 200]


def test_a_page_that_does_not_exist_is_not_found(web: Web) -> None:
    web.publish("c1", PAGES)
    answer = web.ask("/nothing.html")
    assert (answer.status, b"There is no such page." in answer.body) == (404, True)


def test_the_site_can_have_a_page_for_what_is_not_found(web: Web) -> None:
    web.publish("c1", {**PAGES, "404.html": "Lost?"})
    answer = web.ask("/nothing", If_None_Match="*")
    assert (answer.status, answer.body) == (404, b"Lost?")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/about/../../secret.txt",
        "//../secret.txt",
        "/out.txt",
        "/out/secret.txt",
        "/index.html/",
        "/index.html%00.txt",
        "/%ff",
        "/" + "x" * 300,
        "/x" * 4000,
        "nothing",
        "/pipe",
    ],
)
def test_nothing_outside_of_the_release_is_shown(web: Web, path: str) -> None:
    web.publish("c1", PAGES)
    release = web.targets["amelia"] / "releases" / "c1"
    (release.parent / "secret.txt").write_text("secret")
    (release / "out.txt").symlink_to("../secret.txt")
    (release / "out").symlink_to("..")
    os.mkfifo(release / "pipe")
    answer = web.ask(path)
    assert (answer.status, b"secret" in answer.body) == (404, False)


def test_a_link_inside_the_release_is_followed(web: Web) -> None:
    built = web.build(PAGES)
    (built / "home.html").symlink_to("index.html")
    web.sites.show_preview("amelia", "0f1e2d", built)
    assert web.ask("/home.html", "0f1e2d.amelia.localhost").body == mark_preview(b"<h1>Hello</h1>")


def test_a_page_that_was_open_before_the_switch_still_finds_its_pictures_but_no_old_pages(web: Web) -> None:
    web.publish("c1", {"index.html": "1", "old.1a2b.css": "h1 {}", "old.html": "old"})
    web.publish("c2", {"index.html": "2"})
    assert web.ask("/old.1a2b.css").body == b"h1 {}"
    assert web.ask("/old.html").status == 404


def test_a_release_that_never_was_live_is_not_shown(web: Web) -> None:
    web.publish("c1", {"index.html": "1"})
    web.sites.add_release("amelia", "c2", web.build({"draft.css": "h1 {}"}))
    web.publish("c3", {"index.html": "3"})
    assert web.ask("/draft.css").status == 404


def test_after_an_hour_nothing_of_the_release_before_is_shown(web: Web) -> None:
    web.publish("c1", {"index.html": "1", "old.css": "h1 {}"})
    web.publish("c2", {"index.html": "2"})
    os.utime(web.targets["amelia"] / ".webordinary" / "earlier" / "c1", (0, 0), follow_symlinks=False)
    assert web.ask("/old.css").status == 404


def test_every_answer_is_whole_while_releases_and_previews_change(web: Web) -> None:
    texts = {str(number) * 50_000 for number in range(10)}
    over = threading.Event()

    def change() -> None:
        for round_ in range(30):
            text = str(round_ % 10) * 50_000
            web.publish(f"c{round_:03}", {"index.html": text})
            web.sites.remove_old("amelia", keep=1)
            web.sites.show_preview("amelia", "0f1e2d", web.build({"index.html": text}))
        over.set()

    web.publish("c", {"index.html": "0" * 50_000})
    web.sites.show_preview("amelia", "0f1e2d", web.build({"index.html": "0" * 50_000}))
    writer = threading.Thread(target=change)
    writer.start()
    seen = set()
    while not over.is_set():
        seen.add(web.ask("/").body.decode())
        seen.add(web.ask("/", "0f1e2d.amelia.localhost").body.decode())
    writer.join()
    assert seen <= texts | {mark_preview(text.encode()).decode() for text in texts}


def test_a_plain_folder_is_shown_too(web: Web) -> None:
    folder = web.build(PAGES)
    server = SiteServer(("127.0.0.1", 0), lambda _: folder)
    server.start()
    connection = http.client.HTTPConnection(*server.address, timeout=30)
    connection.request("GET", "/")
    assert connection.getresponse().read() == b"<h1>Hello</h1>"
    connection.close()
    server.close()


def test_one_connection_serves_many_requests(web: Web) -> None:
    web.publish("c1", PAGES)
    connection = http.client.HTTPConnection(*web.server.address, timeout=30)
    for path, status in (("/", 200), ("/nothing", 404), ("/about", 301), ("/style.css", 200)):
        connection.request("GET", path, headers={"Host": "amelia.localhost"})
        response = connection.getresponse()
        response.read()
        assert response.status == status
    connection.close()


def test_a_body_that_nobody_reads_is_not_taken_for_a_request(web: Web) -> None:
    web.publish("c1", PAGES)
    with socket.create_connection(web.server.address, timeout=30) as visitor:
        hidden = b"GET /style.css HTTP/1.1\r\nHost: amelia.localhost\r\n\r\n"
        head = b"GET / HTTP/1.1\r\nHost: amelia.localhost\r\nContent-Length: %d\r\n\r\n" % len(hidden)
        visitor.sendall(head + hidden)
        with visitor.makefile("rb") as answer:
            assert answer.read().count(b"HTTP/1.1 200") == 1


def test_closing_does_not_wait_for_browsers_that_keep_their_connection(web: Web) -> None:
    web.publish("c1", PAGES)
    of_others = set(threading.enumerate())
    with socket.create_connection(web.server.address, timeout=30) as visitor:
        visitor.sendall(b"GET / HTTP/1.1\r\nHost: amelia.localhost\r\n\r\n")
        assert visitor.recv(12) == b"HTTP/1.1 200"
        web.server.close()
        assert set(threading.enumerate()) - of_others == set()


def test_a_visitor_who_leaves_disturbs_nobody(web: Web, capfd: pytest.CaptureFixture[str]) -> None:
    web.publish("c1", {"large.bin": "x" * 5_000_000, **PAGES})
    for _ in range(3):
        visitor = socket.create_connection(web.server.address, timeout=30)
        visitor.sendall(b"GET /large.bin HTTP/1.1\r\nHost: amelia.localhost\r\n\r\n")
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        visitor.close()
    assert web.ask("/").status == 200
    web.server.close()
    assert capfd.readouterr().err == ""


def test_a_port_in_use_names_the_setting(web: Web) -> None:
    other = SiteServer(web.server.address, lambda _: None)
    with pytest.raises(Misconfigured, match=r"set preview\.listen to a free port"):
        other.start()
    other.close()


def test_the_address_is_known_before_and_after_the_start(web: Web) -> None:
    assert web.server.address[1] > 0
    assert SiteServer(("127.0.0.1", 80), lambda _: None).address == ("127.0.0.1", 80)
