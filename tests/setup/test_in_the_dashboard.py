"""The same walk as pages: what is typed is checked, shown and only then done, and a secret is in no page."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import Face, csrf_in
from tests.setup.ground import DOMAIN, program_in
from webordinary.config import load_config
from webordinary.dashboard.viewer import Role
from webordinary.engines.installation import Installation

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.testclient import TestClient

SECRET = "key-0123456789abcdef0123456789abcdef"


@pytest.fixture
def face(tmp_path: Path) -> Face:
    program = program_in(tmp_path)
    program.run("init", "--domain", DOMAIN, "--agency", "agency@example.net")
    return Face(Installation.open(load_config(tmp_path / "webordinary.toml", {})))


def sends(browser: TestClient, page: str, step: str, go: str, **typed: str) -> tuple[int, str]:
    """Send the form of a page, with what its hidden fields hold."""
    hidden = dict(re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)"', page))
    data = {**{key: html.unescape(value) for key, value in hidden.items()}, "csrf": csrf_in(page), "go": go, **typed}
    answer = browser.post(f"/setup/{step}", data=data)
    return answer.status_code, answer.text


def test_a_step_is_asked_shown_and_done_and_its_secret_is_in_no_page(face: Face, tmp_path: Path) -> None:
    browser = face.signed_in()
    assert "Domain or mailbox" in browser.get("/setup").text
    path = tmp_path / "webordinary.toml"
    before = path.read_text()
    page = browser.get("/setup/mail").text

    # The way leads to more questions, and a wrong answer comes back with what is wrong with it.
    code, page = sends(browser, page, "mail", "next", way="hook", domain=DOMAIN, agency="agency@example.net")
    assert "Which provider?" in page
    typed = {"way": "hook", "domain": DOMAIN, "agency": "agency@example.net", "provider": "mailgun"}
    code, page = sends(browser, page, "mail", "next", **typed)
    assert 'type="password"' in page
    typed |= {"key": SECRET, "listen": "127.0.0.1:0", "url": "nowhere"}
    code, page = sends(browser, page, "mail", "next", **typed)
    assert (code, "It must be an address" in html.unescape(page)) == (409, True)

    code, page = sends(browser, page, "mail", "next", **{**typed, "url": "https://edit.example/hook/"})
    assert "+[hook]" in page
    assert "mailgun-key: a secret" in page
    assert (path.read_text(), SECRET in page) == (before, False)

    code, done = sends(browser, page, "mail", "do")
    assert (code, SECRET in done) == (200, False)
    assert "This step is <strong>done</strong>" in done
    assert (tmp_path / "data" / "secrets" / "mailgun-key").read_text() == SECRET
    assert "[hook]" in path.read_text()
    assert ">done<" in browser.get("/setup").text

    # What somebody else has written meanwhile is looked at once more, and nothing of it is lost.
    budget = sends(
        browser, browser.get("/setup/budget").text, "budget", "next", usd="1", usd_a_day="2", usd_a_month=""
    )[1]
    path.write_text(path.read_text() + "# theirs\n")
    code, again = sends(browser, budget, "budget", "do")
    assert (code, "Somebody else has changed the file" in again) == (409, True)
    assert sends(browser, again, "budget", "do")[0] == 200
    assert "# theirs" in path.read_text()
    assert "usd = 1.0" in path.read_text()


def test_only_the_agency_sets_up(face: Face) -> None:
    for role in (Role.OPERATOR, Role.READER):
        browser = face.signed_in(role)
        assert browser.get("/setup").status_code == 403
        assert browser.get("/setup/mail").status_code == 403
        assert "/setup" not in browser.get("/projects").text
    assert face.signed_in().get("/setup/nothing").status_code == 404
