"""Every button does what the command line does, for those who may, and says so once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.dashboard.face import csrf_in
from webordinary.actions.table import ACTIONS
from webordinary.audit.entry import EventType
from webordinary.config import project_block, with_project
from webordinary.dashboard.pages.sign_in import inside
from webordinary.dashboard.templates import environment
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.dashboard.visit import PageVisit
from webordinary.jobs.job import State
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from httpx2 import Response
    from starlette.testclient import TestClient

    from tests.dashboard.face import Face

LANE = "amelia#scott"


def press(browser: TestClient, action: str, target: str, **more: str) -> Response:
    token = csrf_in(browser.get(f"/do/{action}", params={"target": target}).text)
    return browser.post(f"/do/{action}", data={"csrf": token, "target": target, "next": "/", **more})


def test_a_pressed_button_does_it_says_so_once_and_stands_in_the_trail(face: Face, story: Story) -> None:
    job = story.job_of(story.writes(SCOTT, "We open at nine now"))
    browser = face.signed_in(Role.OPERATOR, name="olga")
    answer = press(browser, "stop", job.id)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    found = face.house.here.engine.overview.job(job.id)
    assert found is not None
    assert found.state is State.STOPPED
    front = f"/do/redrive?target={job.id}"
    assert f"{job.id} is stopped" in browser.get(front).text
    assert f"{job.id} is stopped" not in browser.get(front).text
    entries = face.house.here.engine.trail.newest(limit=20, job=job.id)
    acted = next(entry for entry in entries if entry.what is EventType.ACTED)
    assert acted.facts == {"action": "stop", "about": "job", "target": job.id, "by": "olga"}


def test_what_is_refused_is_told_and_leaves_no_trace(face: Face) -> None:
    browser = face.signed_in(Role.AGENCY)
    assert press(browser, "resume", "amelia").status_code == 409
    assert press(browser, "pause", "amelia", reason="moving").status_code == 303
    again = press(browser, "pause", "amelia", reason="moving")
    assert again.status_code == 409
    assert "is paused already" in again.text
    assert press(browser, "resume", "amelia").status_code == 303
    acted = [entry for entry in face.house.here.engine.trail.newest(limit=20) if entry.what is EventType.ACTED]
    assert [entry.facts["action"] for entry in acted] == ["pause", "resume"]


def test_a_reader_presses_nothing_and_a_client_only_decides_about_their_own(face: Face, story: Story) -> None:
    job = story.job_of(story.writes(SCOTT, "We open at nine now"))
    reader, owner = face.signed_in(Role.READER), face.signed_in(Role.CLIENT, "amelia")
    other = face.signed_in(Role.CLIENT, "flora")
    for name, action in ACTIONS.items():
        target = {"job": job.id, "lane": LANE, "project": "amelia"}.get(action.about, "x")
        for browser in (reader, other):
            answer = browser.get(f"/do/{name}", params={"target": target})
            assert answer.status_code in {403, 404}, name
            token = csrf_in(browser.get("/").text)
            sent = browser.post(f"/do/{name}", data={"csrf": token, "target": target})
            assert sent.status_code in {403, 404}, name
        assert (owner.get(f"/do/{name}", params={"target": target}).status_code == 200) == action.for_clients
    assert other.get("/do/approve", params={"target": job.id}).text.count("There is no job") == 1
    found = face.house.here.engine.overview.job(job.id)
    assert found is not None
    assert found.state is State.QUEUED


@pytest.mark.parametrize(
    ("given", "leads"),
    [
        ("/jobs/job-1?page=2", "/jobs/job-1?page=2"),
        ("//evil.example/x", "/"),
        ("https://evil.example/x", "/"),
        ("/\\evil.example", "/"),
        ("/a\r\nset-cookie: x", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
        (None, "/"),
    ],
)
def test_a_button_leads_nowhere_else(given: str | None, leads: str) -> None:
    assert inside(given) == leads


def test_a_page_draws_the_buttons_that_this_viewer_may_press(face: Face, story: Story) -> None:
    job = story.job_of(story.writes(SCOTT, "We open at nine now"))

    def drawn(role: Role) -> str:
        visit = PageVisit(face.house, Viewer("amy", role, ("amelia",)), "/jobs/x", "s", "c")
        template = '{% import "buttons.html" as buttons %}{{ buttons.draw(visit, job) }}'
        return environment().from_string(template).render(visit=visit, job=job)

    assert f"/do/stop?target={job.id}" in drawn(Role.OPERATOR)
    assert drawn(Role.READER).strip() == ""
    assert drawn(Role.CLIENT).strip() == ""


def test_money_and_words_are_read_with_care(face: Face) -> None:
    browser = face.signed_in(Role.AGENCY)
    assert "is no number" in press(browser, "allow", "amelia", usd="much").text
    assert press(browser, "allow", "amelia", usd="nan").status_code == 409
    assert press(browser, "ask", "amelia", user="scott", words=" ").status_code == 409
    assert press(browser, "ask", "amelia", user="scott", words="We open at nine now").status_code == 303
    assert [job.request.by for job in face.house.here.engine.overview.jobs()] == ["amy"]


def test_what_the_file_says_now_counts_for_what_is_asked(face: Face) -> None:
    browser, here = face.signed_in(), face.house.here
    path, token = here.config.path, csrf_in(browser.get("/").text)
    before = path.read_text()

    def does(action: str, target: str, **said: str) -> int:
        return browser.post(f"/do/{action}", data={"csrf": token, "target": target, **said}).status_code

    block = project_block(id="new", repository=str(path.parent / "amelia.git"), editors=[("anna", "anna@example.org")])
    path.write_text(with_project(before, block))
    assert does("ask", "new", user="anna", words="We open at nine") == 303
    assert does("pause", "new") == 303
    path.write_text(before.replace('user = "scott"', 'user = "sam"'))
    assert does("ask", "amelia", user="scott", words="We open at nine") == 404
    assert does("ask", "amelia", user="sam", words="We open at nine") == 303
