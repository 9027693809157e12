"""Attacks on the door itself: forms of other pages, frames, odd requests, slow and many clients, an old certificate."""

from __future__ import annotations

import json
import socket
import ssl
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace as with_keys

from tests.dashboard.face import Face, csrf_in
from tests.doors.certificates import write_certificate
from tests.serving import listening
from webordinary.dashboard import app as application
from webordinary.dashboard import impatient
from webordinary.dashboard.api import app as programs
from webordinary.dashboard.reports import Reports, told_in
from webordinary.dashboard.sessions import csrf_of
from webordinary.testing.clock import ManualClock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def say(address: str, words: bytes) -> bytes:
    """Say these bytes and return everything that comes back."""
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as line:
        line.sendall(words)
        return b"".join(iter(lambda: line.recv(65536), b""))


OUTSIDE = (
    *("/static/../guard.py", "/static/%2e%2e/guard.py", "/static/..%2fguard.py", "/static/%2e%2e%2f%2e%2e%2fapp.py"),
    *("/static//etc/passwd", "/static/..\\guard.py", "/static/%00", "/static/style.css/../../app.py", "/static/"),
    *("//static/../app.py", "/static/....//app.py"),
)


def test_no_path_leads_out_of_the_static_files(face: Face) -> None:
    with face.served() as address:
        for path in OUTSIDE:
            answer = say(address, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            assert answer.startswith((b"HTTP/1.1 404", b"HTTP/1.1 400")), (path, answer[:200])
            assert b"import" not in answer, path


SMUGGLED = b"GET /static/style.css HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
POST = b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
GET = b"GET /sign-in HTTP/1.1\r\n"
ODD = (
    POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    POST + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
    POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    GET + b"Host: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    GET + b"\r\n",
    GET + b"Host: 127.0.0.1\r\nX: a\x00b\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
)


def test_what_two_servers_could_read_differently_is_refused(face: Face) -> None:
    with face.served() as address:
        for words in ODD:
            answer = say(address, words + SMUGGLED)
            assert not answer or answer.startswith(b"HTTP/1.1 4"), (words, answer[:200])
            assert b"HTTP/1.1 2" not in answer, words


def test_a_form_that_is_too_large_or_has_too_many_words_is_not_read(face: Face) -> None:
    browser = face.visitor()
    assert browser.post("/sign-in", content=b"a" * 2_000_000).status_code == 413
    assert browser.post("/sign-in", content=b"&".join([b"a=1"] * 6000)).status_code == 413
    assert browser.post("/csp-report", content=b"a" * 100_000).status_code == 413


def test_who_sends_a_form_too_slowly_is_not_waited_for(face: Face, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "_SECONDS_FOR_A_FORM", 0.1)
    with face.served() as address, socket.create_connection(_place(address), timeout=30) as line:
        line.sendall(b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\na=")
        assert line.recv(1000).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("call", [b"POST /api/v1/jobs", b"GET /api/v1/me"])
def test_who_sends_a_call_too_slowly_is_not_waited_for(
    face: Face, monkeypatch: pytest.MonkeyPatch, call: bytes
) -> None:
    monkeypatch.setattr(programs, "_SECONDS_FOR_A_BODY", 0.1)
    with face.served() as address, socket.create_connection(_place(address), timeout=5) as line:
        line.sendall(call + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
        assert line.recv(1000).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize(
    "path",
    [
        "/trail?after=99999999999999999999",
        f"/trail?after={'9' * 5000}",
        f"/trail.csv?after={'9' * 5000}",
        f"/search?q=a&after={'9' * 5000}",
        "/do/pause?target=amelia&next=http://[",
    ],
)
def test_no_address_breaks_a_page(face: Face, path: str) -> None:
    assert face.signed_in().get(path).status_code == 200


def test_what_is_done_is_told_also_if_the_way_back_is_nonsense(face: Face) -> None:
    browser = face.signed_in()
    form = {"csrf": csrf_in(browser.get("/").text), "target": "amelia", "next": "http://[", "reason": "a test"}
    assert browser.post("/do/pause", data=form).status_code == 303
    form["rule.max_files"] = "9" * 1500
    assert browser.post("/projects/amelia/change", data=form).status_code == 409


def test_who_never_ends_the_headers_is_hung_up_on(face: Face, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impatient, "HEADER_SECONDS", 0.2)
    with face.served() as address, ExitStack() as open_now:
        # Two hundred at a time; each has a fifth of a second.
        slow = [open_now.enter_context(socket.create_connection(_place(address), timeout=30)) for _ in range(200)]
        for line in slow:
            line.sendall(b"GET /sign-in HTTP/1.1\r\nHost: 127")
        for line in slow:
            assert _hangs_up(line)
        monkeypatch.setattr(impatient, "HEADER_SECONDS", 20.0)
        assert say(address, SMUGGLED).startswith(b"HTTP/1.1 200")


def _hangs_up(line: socket.socket) -> bool:
    try:
        return line.recv(100) == b""
    except ConnectionResetError:
        return True


def _place(address: str) -> tuple[str, int]:
    host, _, port = address.removeprefix("http://").partition(":")
    return host, int(port)


def test_no_other_page_may_show_ours_in_a_frame_or_read_it(face: Face) -> None:
    for path in ("/", "/sign-in", "/nowhere", "/static/style.css"):
        headers = face.signed_in().get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers
        assert headers["cross-origin-resource-policy"] == "same-origin"


ELSEWHERE = (
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "none"},
    {"sec-fetch-site": "", "origin": "http://127.0.0.1"},
    {"origin": "http://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:8080"},
    {"origin": "http://127.0.0.1.evil.example"},
)


def test_a_form_from_elsewhere_does_nothing_whatever_it_knows(face: Face) -> None:
    browser = face.signed_in()
    token = csrf_of(browser.cookies[face.house.cookie])
    browser.headers.pop("sec-fetch-site")
    for headers in ELSEWHERE:
        assert browser.post("/sign-out", data={"csrf": token}, headers=headers).status_code == 403, headers
        assert browser.get("/").status_code == 200


def test_reports_of_browsers_are_few_and_short(caplog: pytest.LogCaptureFixture, face: Face) -> None:
    browser = face.visitor()
    told = {"effective-directive": "script-src", "blocked-uri": "inline\r\n", "document-uri": "http://h/a?link=s3cret"}
    report = {"csp-report": told}
    for _ in range(50):
        assert browser.post("/csp-report", json=report).status_code == 204
    lines = [each.getMessage() for each in caplog.records if "did not run" in each.getMessage()]
    assert len(lines) == 20
    assert lines[0].endswith("script-src stopped inline on h/a")
    for odd in (b"", b"[]", b"[1]", b"{", b'{"csp-report": 1}', b"[" * 10_000, b'{"body": {}}'):
        assert browser.post("/csp-report", content=odd).status_code == 204
    assert told_in(b'{"csp-report": {"blocked-uri": "http://["}}') == "None stopped ? on None"
    assert Reports(ManualClock())


def test_a_report_about_the_page_behind_a_link_does_not_tell_the_link() -> None:
    token = "cfvqwk3f" * 6
    for page in (
        f"https://d.example/ok/{token}",
        f"https://d.example/ok/{token}/pictures/1",
        f"https://d.example//ok/{token}",
    ):
        told = told_in(json.dumps({"csp-report": {"document-uri": page, "blocked-uri": page}}).encode())
        assert token[:12] not in told


def test_a_renewed_certificate_counts_for_the_next_connection(face: Face, tmp_path: Path) -> None:
    certificate, key = write_certificate(tmp_path)
    asked = with_keys(face.house.here.config.dashboard, certificate=certificate, key=key)
    secure = Face(replace(face.house.here, config=replace(face.house.here.config, dashboard=asked)))
    with secure.served() as address:
        first = _shown(address)
        write_certificate(tmp_path)
        assert _shown(address) != first
        with socket.create_connection(_place(address), timeout=30) as plain:
            plain.sendall(SMUGGLED)
            assert not plain.recv(100).startswith(b"HTTP")


def _shown(address: str) -> bytes | None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(_place(address), timeout=30) as raw, context.wrap_socket(raw) as line:
        line.sendall(b"GET /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        said = b"".join(iter(lambda: line.recv(65536), b""))
        assert said.startswith(b"HTTP/1.1 200"), said[:300]
        assert b"__host-" not in said.lower()
        return line.getpeercert(binary_form=True)


class _Elsewhere(BaseHTTPRequestHandler):
    page = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the library has it
        """Say nothing."""


@contextmanager
def evil_page(words: str) -> Iterator[str]:
    """Serve a page at another origin of the same machine, which browsers send the same cookies to."""
    handler = type("Page", (_Elsewhere,), {"page": words.encode()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    with listening(server):
        yield f"http://127.0.0.1:{server.server_port}/"


@pytest.mark.thorough
def test_a_page_at_another_port_cannot_act_look_or_frame_in_a_real_browser(face: Face) -> None:
    from tests.browser.browser import open_browser  # noqa: PLC0415 - only where there is one
    from tests.dashboard.browsing import window  # noqa: PLC0415 - the same

    with face.served() as address, open_browser() as browser, window(browser, face, address) as opened:
        (cookie,) = opened.context.cookies()
        token = csrf_of(cookie["value"])
        form = f'<form method=post action="{address}/sign-out-everywhere"><input name=csrf value={token}></form>'
        frame = f'<iframe src="{address}/"></iframe>'
        with evil_page(form + frame) as evil:
            opened.page.goto(evil)
            read = f"fetch('{address}/', {{credentials: 'include'}}).then(a => a.text()).catch(() => 'kept away')"
            assert opened.page.evaluate(read) == "kept away"
            sent = f"fetch('{address}/sign-out-everywhere', {{method: 'POST', credentials: 'include', mode: 'no-cors', headers: {{'content-type': 'application/x-www-form-urlencoded'}}, body: 'csrf={token}'}}).catch(() => 0).then(() => 'tried')"  # noqa: E501 - one word of another page
            assert opened.page.evaluate(sent) == "tried"
            shown = [each for each in opened.page.frames if each.url.startswith(address)]
            assert [each for each in shown if each.locator("h1").count()] == []
            with opened.page.expect_navigation():
                opened.page.evaluate("document.forms[0].submit()")
            assert "did not come from here" in opened.page.content()
        assert opened.open("/") == 200
        assert opened.page.url == f"{address}/"
