"""A real browser renews its pages without a reload, and its badge tells the truth."""

from __future__ import annotations

import os
import signal
import socket
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.browser import open_browser
from tests.dashboard.face import Face
from tests.rigs.embedded import EmbeddedRig
from webordinary.audit.entry import Entry, EventType
from webordinary.child.companion import Companion
from webordinary.dashboard.live import news
from webordinary.dashboard.live.reader import TrailReader
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.errors import TryAgain
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

    from webordinary.engines.installation import Installation

pytestmark = [pytest.mark.programs, pytest.mark.thorough]

PATIENCE = 30_000
AMY = Viewer("amy", Role.AGENCY)
# What a browser says of a tab that nobody looks at.
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    rig = EmbeddedRig(tmp_path_factory.mktemp("browser"))
    told = Story(rig)
    told.begin(workers=0)
    yield told
    rig.close()


@pytest.fixture
def here(story: Story) -> Installation:
    assert isinstance(story.rig, EmbeddedRig)
    return story.rig.here


@pytest.fixture
def tab(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


def open_now(face: Face, tab: BrowserContext, address: str) -> Page:
    """Open the page of this moment as somebody who has signed in, and mark it so that a reload would be noticed."""
    tab.add_cookies([{"name": face.house.cookie, "value": face.house.sessions.begin(AMY), "url": address}])
    page = tab.new_page()
    page.goto(f"{address}/now")
    page.evaluate("window.isTheSame = true")
    return page


def note(here: Installation, worker: str) -> None:
    here.engine.claims.wait_for_work(worker, here.clock.now())
    here.engine.trail.record(Entry(EventType.WORKER_STARTED, here.clock.now().wall_at, worker=worker))


def cannot_look(_: TrailReader) -> None:
    raise TryAgain("the database is busy")


def says(page: Page, words: str) -> None:
    expect(page.locator("#live")).to_have_text(words, timeout=PATIENCE)


def shows(page: Page, words: str) -> None:
    expect(page.locator("#now")).to_contain_text(words, timeout=PATIENCE)


def test_a_told_story_appears_step_by_step_without_a_reload(
    story: Story, here: Installation, tab: BrowserContext
) -> None:
    face = Face(here)
    wrong: list[str] = []
    with face.served() as address:
        page = open_now(face, tab, address)
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        says(page, "Live")
        story.writes(SCOTT, "We open at nine now", subject="Hours <img src=x onerror=alert(1)>")
        shows(page, "Nobody has taken it for")
        shows(page, "Hours <img src=x onerror=alert(1)>")
        claimed = here.engine.claims.claim("w-3", here.clock.now())
        assert claimed is not None
        shows(page, "w-3 owns it under fence")
        assert claimed.job is not None
        here.engine.attempts.journal(claimed.claim, claimed.job, "agent started", {}, here.clock.now())
        shows(page, "the agent begins to edit")
        here.engine.claims.give_back(claimed.claim, here.clock.now())
        shows(page, "Nobody has taken it for")
        assert page.evaluate("window.isTheSame") is True
        assert wrong == []


def test_what_needs_somebody_and_the_lists_appear_too(story: Story, here: Installation, tab: BrowserContext) -> None:
    face = Face(here)
    with face.served() as address:
        now = open_now(face, tab, address)
        says(now, "Live")
        pages = {path: tab.new_page() for path in ("/", "/jobs", "/trail")}
        for path, page in pages.items():
            page.goto(f"{address}{path}")
            says(page, "Live")
        story.writes(SCOTT, "We have cake", subject="Cake for everybody")
        expect(pages["/jobs"].locator("#list")).to_contain_text("Cake for everybody", timeout=PATIENCE)
        expect(pages["/trail"].locator("#list")).to_contain_text("waits for its turn in amelia#scott", timeout=PATIENCE)
        here.engine.lanes.pause("amelia", "three builds failed", here.clock.now())
        expect(pages["/"].locator("#needs")).to_contain_text("three builds failed", timeout=PATIENCE)


def test_the_server_dies_and_comes_back_and_the_page_catches_up(here: Installation, tab: BrowserContext) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        with dashboard_process(here, listening):
            page = open_now(Face(here), tab, f"http://127.0.0.1:{listening.getsockname()[1]}")
            says(page, "Live")
        expect(page.locator("#live")).not_to_have_text("Live", timeout=PATIENCE)
        note(here, "w-meanwhile")
        with dashboard_process(here, listening):
            says(page, "Live")
            shows(page, "w-meanwhile")
            note(here, "w-later")
            shows(page, "w-later")
            assert page.evaluate("window.isTheSame") is True


@contextmanager
def dashboard_process(here: Installation, listening: socket.socket) -> Iterator[None]:
    """Run the dashboard as a process of its own, and kill it at the end."""
    program = [sys.executable, "-m", "webordinary.dashboard.process", str(here.config.path), ""]
    number = listening.fileno()
    process = Companion([*program, str(os.getpid()), str(number)], os.environ, keeps=(number,))
    try:
        yield
    finally:
        process.signal(signal.SIGKILL)
        process.bury()


def test_without_a_place_at_the_stream_the_page_polls(
    here: Installation, tab: BrowserContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    face = Face(here)
    with face.served() as address:
        monkeypatch.setattr(news, "MOST_STREAMS", 0)
        page = open_now(face, tab, address)
        says(page, "Polling every 10 s")
        note(here, "w-polled")
        shows(page, "w-polled")
        monkeypatch.setattr(news, "MOST_STREAMS", 10)
        says(page, "Live")


def test_a_reader_that_cannot_read_is_behind_and_says_by_how_much(
    here: Installation, tab: BrowserContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    face = Face(here)
    monkeypatch.setattr(news, "BEAT_SECONDS", 0.5)
    with face.served() as address:
        page = open_now(face, tab, address)
        says(page, "Live")
        monkeypatch.setattr(TrailReader, "look", cannot_look)
        expect(page.locator("#live")).to_have_attribute("data-state", "behind", timeout=PATIENCE)
        expect(page.locator("#live")).to_contain_text("Behind by")
        monkeypatch.undo()
        says(page, "Live")


def test_a_tab_that_nobody_looks_at_holds_no_stream_and_catches_up(here: Installation, tab: BrowserContext) -> None:
    face = Face(here)
    with face.served() as address:
        page = open_now(face, tab, address)
        says(page, "Live")
        page.evaluate(HIDE, True)  # noqa: FBT003 - what the function is given
        says(page, "Paused")
        gone = tab.new_page()
        gone.goto(f"{address}/static/style.css")
        while face.house.live.viewers:
            gone.reload()
        note(here, "w-hidden")
        page.evaluate(HIDE, False)  # noqa: FBT003 - what the function is given
        says(page, "Live")
        shows(page, "w-hidden")


def test_focus_and_what_was_opened_stay_when_a_part_is_renewed(here: Installation, tab: BrowserContext) -> None:
    face = Face(here)
    with face.served() as address:
        page = open_now(face, tab, address)
        says(page, "Live")
        here.engine.lanes.pause("amelia", "moving house", here.clock.now())
        note(here, "w-one")
        shows(page, "w-one")
        page.locator("#now a[href='/projects/amelia']").focus()
        note(here, "w-two")
        shows(page, "w-two")
        assert page.evaluate("document.activeElement.getAttribute('href')") == "/projects/amelia"


def test_who_signs_out_elsewhere_is_told(
    here: Installation, tab: BrowserContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "BEAT_SECONDS", 0.5)
    face = Face(here)
    with face.served() as address:
        page = open_now(face, tab, address)
        says(page, "Live")
        face.house.sessions.end_all("amy")
        says(page, "Signed out: reload")


def test_without_scripts_everything_is_there_with_a_link_that_reloads(here: Installation, browser: Browser) -> None:
    face = Face(here)
    context = browser.new_context(java_script_enabled=False)
    with face.served() as address:
        tab = context
        tab.add_cookies([{"name": face.house.cookie, "value": face.house.sessions.begin(AMY), "url": address}])
        page = tab.new_page()
        page.goto(f"{address}/now")
        expect(page.locator("#live")).to_be_hidden()
        note(here, "w-plain")
        page.get_by_role("link", name="Reload").click()
        shows(page, "w-plain")
    context.close()
