from __future__ import annotations

import os
import socket
import subprocess
import sys
import webbrowser
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import csrf_in
from webordinary.child import identity
from webordinary.cli.dashboard import let_in
from webordinary.dashboard.lists.filters import ListFilter
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.serve.dashboard import address_of, surroundings
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from tests.dashboard.face import Face
    from webordinary.testing.story import Story


def test_without_a_session_there_is_only_the_way_in(face: Face) -> None:
    answer = face.visitor().get("/")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=/")


def test_a_link_opens_the_dashboard_once(face: Face) -> None:
    link = face.house.sessions.new_link(Viewer("amy", Role.AGENCY))
    first, second = face.visitor(), face.visitor()
    assert link in first.get(f"/sign-in?link={link}").text
    assert first.post("/sign-in", data={"link": link}).headers["location"] == "/"
    assert "Nothing needs you" in first.get("/").text
    refused = second.post("/sign-in", data={"link": link})
    assert refused.status_code == 403
    assert "was used already" in refused.text


@pytest.mark.parametrize(("screen", "opens"), [({"DISPLAY": ":0"}, 1), ({"WAYLAND_DISPLAY": "wayland-0"}, 1), ({}, 0)])
def test_the_link_is_opened_where_there_is_a_screen(
    face: Face, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], screen: dict[str, str], opens: int
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in screen.items():
        monkeypatch.setenv(name, value)
    let_in(face.house.here, "http://127.0.0.1:8090", browser=True)
    let_in(face.house.here, "http://127.0.0.1:8090", browser=False)
    said = [line for line in capsys.readouterr().out.split() if "sign-in?link=" in line]
    assert len(said) == 2
    assert opened == said[:opens]


def test_a_link_never_leads_elsewhere(face: Face) -> None:
    for elsewhere in ("//evil.example", "https://evil.example/x", "/\\evil.example"):
        link = face.house.sessions.new_link(Viewer("amy", Role.AGENCY))
        answer = face.visitor().post("/sign-in", data={"link": link, "next": elsewhere})
        assert answer.headers["location"] in {"/", "/x"}


def test_who_signs_out_is_out(face: Face) -> None:
    browser = face.signed_in()
    session = browser.cookies[face.house.cookie]
    assert browser.post("/sign-out", data={"csrf": csrf_in(browser.get("/").text)}).status_code == 303
    browser.cookies.set(face.house.cookie, session)
    assert browser.get("/").status_code == 303


def test_a_form_of_another_page_does_nothing(face: Face) -> None:
    browser = face.signed_in()
    token = csrf_in(browser.get("/").text)
    assert browser.post("/sign-out", data={}).status_code == 403
    elsewhere = {"sec-fetch-site": "cross-site"}
    assert browser.post("/sign-out", data={"csrf": token}, headers=elsewhere).status_code == 403
    assert browser.get("/").status_code == 200


def test_every_answer_has_a_strict_policy(face: Face) -> None:
    for path in ("/sign-in", "/", "/nowhere", "/static/style.css"):
        policy = face.signed_in().get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_what_a_mail_says_is_shown_and_never_run(face: Face, story: Story) -> None:
    mail = story.writes(SCOTT, "<script>alert(1)</script>", subject="<img src=x onerror=alert(2)>")
    found = story.job_of(mail)
    page = face.signed_in().get(f"/jobs/{found.id}").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<img" not in page


def test_a_client_sees_only_their_projects(face: Face, story: Story) -> None:
    found = story.job_of(story.writes(SCOTT, "We open at nine now"))
    assert face.signed_in(Role.CLIENT, "amelia").get(f"/jobs/{found.id}").status_code == 200
    assert face.signed_in(Role.CLIENT, "flora").get(f"/jobs/{found.id}").status_code != 200
    assert face.signed_in(Role.CLIENT, "amelia").get("/").status_code == 200


def test_a_link_is_never_for_a_program_that_has_the_port_of_a_dashboard_that_died(face: Face) -> None:
    config = face.house.here.config
    file = config.data / "dashboard" / "address"
    file.parent.mkdir(exist_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as foreign:
        address = f"http://127.0.0.1:{foreign.getsockname()[1]}/"
        file.write_text(f"{address}\n{identity(os.getpid())}\n", encoding="ascii")
        assert address_of(config) == address
        for dead in (f"{address}\n{os.getpid()}:1\n", f"{address}\n", address, "", "\n\n\n"):
            file.write_text(dead, encoding="ascii")
            assert address_of(config) is None


def test_pages_tell_the_time_by_which_their_filters_count_days(face: Face) -> None:
    config = replace(face.house.here.config, timezone="Europe/Berlin")
    made = "from webordinary.dashboard.templates import moment; from datetime import datetime, UTC"
    told = f"{made}; print(moment(datetime(2026, 7, 1, 22, 30, tzinfo=UTC)))"
    shown = subprocess.run(
        [sys.executable, "-c", told], env=surroundings(config), check=True, capture_output=True, text=True
    )
    assert shown.stdout == "02 Jul 2026, 00:30:00\n"
    day = ListFilter.read({"since": "2026-07-02"}, ("since",), config.timezone)
    assert day.is_within(datetime(2026, 7, 1, 22, 30, tzinfo=UTC))
