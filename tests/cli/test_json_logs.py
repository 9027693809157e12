"""The log of everything that `serve` starts: lines of JSON that say who did what, and never anybody's words."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_dashboard import ask, link_from, sign_in
from tests.dashboard.face import csrf_in
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.cli.program import Program

SCOTT = "scott@example.org"


@pytest.mark.thorough
def test_every_process_of_serve_logs_json_and_says_who_did_what(bakery: Program) -> None:
    path = bakery.folder / "webordinary.toml"
    path.write_text(f'{path.read_text(encoding="utf-8")}\n[logs]\nformat = "json"\n', encoding="utf-8")
    mail = write_mail(sender=SCOTT, to="amelia@edit.localhost", text="Hello,\nwe open at nine now.", subject="Secret")
    with bakery.start("serve") as server:
        server.line_with('"listening"')
        bakery.run("deliver", "-", "--as", SCOTT, stdin=mail)
        server.line_with("answered")
        link = link_from(bakery)
        cookie = sign_in(link)
        page = ask(link, "GET", "/", cookie=cookie)[1]
        assert ask(link, "POST", "/sign-out", {"csrf": csrf_in(page)}, cookie)[0] == 303
        acted = server.line_with('"/sign-out"')
        assert server.end(signal.SIGTERM) == 0
    told = json.loads(acted)
    assert (told["event"], told["route"], told["status"], told["role"]) == (
        "somebody acted",
        "/sign-out",
        303,
        "agency",
    )
    assert told["by"]
    lines = [json.loads(line) for line in server.lines if line]
    assert all({"level", "event"} <= line.keys() for line in lines)
    assert {"mail received", "job done", "answered", "somebody acted"} <= {line["event"] for line in lines}
    for word in ("nine", "Secret", SCOTT, link.partition("link=")[2]):
        assert word not in server.said
