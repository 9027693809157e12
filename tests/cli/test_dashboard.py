from __future__ import annotations

import re
import signal
from http.client import HTTPConnection
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from webordinary.testing.story import wait_for

if TYPE_CHECKING:
    from tests.cli.program import Program

_LINK = re.compile(r"http://\S+/sign-in\?link=\S+")
_MODULE = "webordinary.dashboard.process"


def ask(
    link: str, method: str, path: str, form: dict[str, str] | None = None, cookie: str = ""
) -> tuple[int, str, str]:
    """Ask as a browser does, and return the status, the page and the cookie that was set."""
    parts = urlsplit(link)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin", "Cookie": cookie}
    connection.request(method, path, urlencode(form or {}), headers)
    answer = connection.getresponse()
    page = answer.read().decode()
    connection.close()
    return answer.status, page, (answer.getheader("Set-Cookie") or "").partition(";")[0]


def link_from(bakery: Program) -> str:
    found = _LINK.search(bakery.run("dashboard", "--no-browser"))
    assert found is not None
    return found[0]


def sign_in(link: str) -> str:
    status, _, cookie = ask(link, "POST", "/sign-in", {"link": link.partition("link=")[2]})
    assert status == 303
    return cookie


def dashboards(bakery: Program) -> list[str]:
    return [line for line in bakery.processes() if _MODULE in line]


def test_serve_keeps_a_dashboard_that_a_link_opens(bakery: Program) -> None:
    with bakery.start("serve") as server:
        server.line_with("The dashboard is on http://127.0.0.1:")
        link = link_from(bakery)
        cookie = sign_in(link)
        assert "Nothing needs you" in ask(link, "GET", "/", cookie=cookie)[1]

        bakery.kill(_MODULE)
        wait_for(lambda: dashboards(bakery) == [] or None, "the death of the dashboard", str)
        assert "Nothing needs you" in ask(link, "GET", "/", cookie=cookie)[1]

        assert server.end(signal.SIGTERM) == 0
        assert dashboards(bakery) == []


def test_nobody_looks_so_nothing_runs(bakery: Program) -> None:
    with bakery.start("serve") as server:
        server.line_with("is ready")
        assert dashboards(bakery) == []
        server.end()


def test_without_serve_the_command_serves_the_dashboard_itself(bakery: Program) -> None:
    with bakery.start("dashboard", "--no-browser") as alone:
        link = alone.line_with("/sign-in?link=").strip()
        assert "Nothing needs you" in ask(link, "GET", "/", cookie=sign_in(link))[1]
        assert alone.end(signal.SIGINT) in {0, 130}
