"""The dashboard before there is a configuration: the walk, for this machine and for whoever has the link."""

from __future__ import annotations

import html
import io
import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from tests.cli.test_dashboard import ask, sign_in
from tests.dashboard.face import HOST, csrf_in
from tests.setup.ground import AGENCY, DOMAIN, program_in
from tests.setup.test_in_the_dashboard import sends
from webordinary.dashboard.app import make_app
from webordinary.dashboard.first_start import first_house
from webordinary.dashboard.forms import upload
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.dashboard.house import House

MAIL = {"way": "hook", "domain": DOMAIN, "agency": AGENCY, "provider": "cloudflare"}
HOOK = {"listen": "127.0.0.1:0", "url": "https://edit.example/hook/"}


@pytest.fixture
def house(tmp_path: Path) -> House:
    return first_house(tmp_path / "here" / "webordinary.toml", tmp_path / "scratch", {})


def visitor(house: House) -> TestClient:
    browser = TestClient(
        make_app(house), base_url=HOST, headers={"sec-fetch-site": "same-origin"}, follow_redirects=False
    )
    browser.cookies.clear()
    return browser


def let_in(house: House) -> TestClient:
    browser = visitor(house)
    link = house.sessions.new_link(Viewer("amy", Role.AGENCY))
    assert browser.post("/sign-in", data={"link": link}).status_code == 303
    # Once.
    assert visitor(house).post("/sign-in", data={"link": link}).status_code == 403
    return browser


def test_a_browser_writes_the_first_configuration(house: House, tmp_path: Path) -> None:
    browser = let_in(house)
    assert browser.get("/").headers["location"] == "/setup"
    overview = browser.get("/setup").text
    assert "/projects" not in overview
    page = browser.get("/setup/mail").text
    page = sends(browser, page, "mail", "next", **MAIL)[1]
    code, page = sends(browser, page, "mail", "next", **MAIL, **HOOK)
    assert (code, "+domain = &#34;edit.bakery.example&#34;" in page) == (200, True)
    assert [each.name for each in (tmp_path / "here").iterdir()] == [".webordinary-setup.json"]

    code, page = sends(browser, page, "mail", "do")
    assert (code, "This step is <strong>done</strong>" in page) == (200, True)
    assert DOMAIN in (tmp_path / "here" / "webordinary.toml").read_text()
    assert "edit.bakery.example" in browser.get("/setup/mail").text
    # What the walk itself needed lies elsewhere, and goes with it.
    assert sorted(each.name for each in (tmp_path / "here").iterdir()) == [
        ".webordinary-setup.json",
        "data",
        "webordinary.toml",
    ]


def test_nobody_else_sees_anything(house: House) -> None:
    stranger = visitor(house)
    for path in ("/", "/setup", "/setup/mail", "/setup/site"):
        assert stranger.get(path).headers["location"].startswith("/sign-in")
    for path in ("/jobs", "/projects", "/api/v1/projects", "/metrics", "/now", "/people"):
        assert stranger.get(path).status_code == 404
    assert stranger.post("/setup/mail", data={**MAIL, "go": "do"}).headers["location"].startswith("/sign-in")
    browser = let_in(house)
    for host in ("evil.example", "127.0.0.1.evil.example", "edit.example.com"):
        assert browser.get("/setup", headers={"host": host}).status_code == 421
    good = csrf_in(browser.get("/setup/mail").text)
    for token, site in ((good, "cross-site"), (good, "same-site"), ("0" * 64, "same-origin")):
        form, headers = {**MAIL, "csrf": token, "go": "later"}, {"sec-fetch-site": site}
        assert browser.post("/setup/mail", data=form, headers=headers).status_code == 403
    assert "open" in browser.get("/setup/mail").text


def test_it_is_for_this_machine_alone(tmp_path: Path) -> None:
    for place in ("0.0.0.0:0", "[::]:0", "192.0.2.1:0"):
        with pytest.raises(Misconfigured, match="for this machine alone"):
            first_house(tmp_path / "webordinary.toml", tmp_path / "scratch", {"WEBORDINARY_DASHBOARD_LISTEN": place})


def test_the_command_prints_the_link_and_leaves_nothing(tmp_path: Path) -> None:
    with program_in(tmp_path).start("dashboard", "--no-browser") as server:
        link = server.line_with("/sign-in?link=").strip()
        cookie = sign_in(link.partition("&")[0])
        assert "From nothing to the first answered mail" in ask(link, "GET", "/setup", cookie=cookie)[1]
        assert server.end() in {0, 130}
        assert "Traceback" not in server.said
    assert list(tmp_path.iterdir()) == []


def packed(**files: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{name}.html", content)
    return made.getvalue()


def test_a_zip_is_sent_from_the_browser_and_gone_when_it_is_brought_in(tmp_path: Path) -> None:
    house = first_house(tmp_path / "webordinary.toml", tmp_path / "scratch", {})
    program_in(tmp_path).run("init", "--domain", DOMAIN)
    browser = let_in(house)
    page = sends(browser, browser.get("/setup/site").text, "site", "next", kind="zip")[1]
    assert 'enctype="multipart/form-data"' in page
    form = {"csrf": csrf_in(page), "kind": "zip", "place": "", "go": "next"}
    shown = browser.post("/setup/site", data=form, files={"file": ("../../x.zip", packed(index="<h1>Rolls</h1>"))})
    place = tmp_path / "data" / "uploads" / "site-place.zip"
    assert str(place) in html.unescape(shown.text)
    assert (place.is_file(), place.stat().st_mode & 0o777) == (True, 0o600)
    assert "This step is <strong>done</strong>" in sends(browser, shown.text, "site", "do")[1]

    page = browser.get("/setup/project").text
    typed = {"id": "amelia", "name": "", "build": "", "output": ".", "branch": "", "url": ""}
    page = sends(browser, page, "project", "next", **typed)[1]
    assert f"removes {place}" in html.unescape(page)
    assert "This step is <strong>done</strong>" in sends(browser, page, "project", "do")[1]
    assert not list(place.parent.iterdir())


def test_what_is_sent_has_limits_and_is_taken_only_from_the_agency(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload, "LARGEST_FILE", 1000)
    browser = let_in(house)
    token = csrf_in(browser.get("/setup/site").text)
    form = {"csrf": token, "kind": "zip", "place": "", "go": "next"}
    large = browser.post("/setup/site", data=form, files={"file": ("x.zip", b"x" * 1001)})
    assert (large.status_code, "larger than" in large.text) == (413, True)
    forged = browser.post("/setup/site", data={**form, "csrf": "no"}, files={"file": ("x.zip", b"x")})
    assert forged.status_code == 403
    assert browser.post("/setup/mail", data=form, files={"file": ("x.zip", b"x")}).status_code == 409
    stranger = visitor(house).post("/setup/site", data=form, files={"file": ("x.zip", b"x" * 2000)})
    assert stranger.headers["location"].startswith("/sign-in")
    no_zip = browser.post("/setup/site", data=form, files={"file": ("x.zip", b"no zip")})
    assert "is no ZIP" in sends(browser, no_zip.text, "site", "do")[1]
    left = [str(each) for each in tmp_path.rglob("*sent-*")]
    assert left == []
    assert re.findall(r"site-place\.zip$", "\n".join(str(each) for each in tmp_path.rglob("*.zip")))
