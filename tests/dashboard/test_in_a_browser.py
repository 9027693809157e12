"""Every page in a real browser: nothing runs, nothing is reported, everybody can use it; new routes come along."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types

from tests.browser.browser import open_browser
from tests.dashboard.browsing import DESK, PHONE, PICTURES, Window, pages_of, window
from tests.dashboard.face import Face
from tests.dashboard.hostile import NASTY, SENDER_NAME, hostile_sites, tell_hostile_story
from tests.rigs.embedded import EmbeddedRig
from webordinary.dashboard.viewer import Role
from webordinary.testing.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

# What stands in a frame is a mail, which nobody of us has written.
_ASKED = {"resultTypes": ["violations"], "iframes": False}
_MOVING = "[...document.querySelectorAll('*')].filter(each => getComputedStyle(each).animationName != 'none').length"
pytestmark = pytest.mark.thorough


@dataclass
class Stage:
    """A told story, its dashboard and a browser."""

    face: Face
    address: str
    browser: Browser
    known: tuple[dict[str, str], ...]

    def pages(self, opened: Window) -> list[str]:
        return pages_of(self.face, opened, *self.known)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("browser")
    rig = EmbeddedRig(folder)
    story = Story(rig)
    try:
        story.begin(*hostile_sites(), workers=1)
        jobs = tell_hostile_story(story)
        face = Face(rig.here)
        with face.served() as address, open_browser() as browser:
            mails = [mail.id for mail in rig.here.engine.overview.mails(limit=50)]
            known = [{"job": job.id, "mail": mail, "id": mail} for job, mail in zip(jobs, mails, strict=False)]
            named = {
                "project": "amelia",
                "user": "scott",
                "person": "scott@example.org",
                "address": "scott@example.org",
            }
            yield Stage(face, address, browser, tuple(named | each for each in known[:2]))
    finally:
        rig.close()


def test_each_place_that_a_stranger_reaches_holds_an_attack(stage: Stage) -> None:
    """What the next test looks for is there to be found: as words, in every place that others fill."""
    first, second = stage.known
    bakery, shop, strange = f"/jobs/{first['job']}", f"/jobs/{second['job']}", f"/mail/{first['mail']}"
    places = {
        "subject": (shop, "h1", NASTY),
        "body": (shop, "#request .letter", NASTY),
        # What could lead a program astray is taken out of it when the mail comes.
        "file name": (bakery, ".files", "onerror"),
        "sender name": (strange, "main", SENDER_NAME),
        "diff": (shop, "#change .diff", NASTY),
        "build log": (shop, "#log pre", NASTY),
        "what the agent said": (shop, "#talk .talk", NASTY),
        "transcript": (f"{shop}/transcript", ".talk", NASTY),
        "project name": ("/projects", "main", NASTY),
    }
    missing = []
    with window(stage.browser, stage.face, stage.address) as opened:
        for place, (path, part, words) in places.items():
            opened.open(path)
            if not any(words in text for text in opened.page.locator(part).all_text_contents()):
                missing.append(place)

    assert missing == []
    assert opened.trouble == []


def test_no_word_of_a_stranger_ever_runs_and_no_report_comes(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), window(stage.browser, stage.face, stage.address) as opened:
        pages = stage.pages(opened)
        assert len(pages) > 3
        for path in pages:
            opened.open(path)
            opened.page.mouse.move(200, 200)
            # Whatever is folded is opened too.
            opened.page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        for path in pages_of(stage.face, opened, *stage.known, of_strangers=True):
            opened.open(path)

    assert opened.trouble == []
    assert [each.getMessage() for each in caplog.records if "did not run" in each.getMessage()] == []


def test_what_does_run_would_be_seen(stage: Stage) -> None:
    """The listening itself is tried: a page that believes a mail is caught, and the policy reports it."""
    heard = Heard()
    reports = logging.getLogger("webordinary.dashboard.reports")
    reports.addHandler(heard)
    try:
        with window(stage.browser, stage.face, stage.address) as opened:
            opened.open("/sign-in")
            opened.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=ran(1)>')")
            assert heard.something.wait(30)
    finally:
        reports.removeHandler(heard)

    assert any("Content Security Policy" in each for each in opened.trouble)
    assert "script-src-attr stopped inline" in heard.said


class Heard(logging.Handler):
    """Waits for a line of the log."""

    def __init__(self) -> None:
        super().__init__()
        self.something, self.said = threading.Event(), ""

    def emit(self, record: logging.LogRecord) -> None:
        self.said = record.getMessage()
        self.something.set()


@pytest.mark.parametrize(("scheme", "width"), [("light", "desk"), ("dark", "phone")])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(stage: Stage, scheme: str, width: str) -> None:
    size = PHONE if width == "phone" else DESK
    found, wide = {}, []
    PICTURES.mkdir(parents=True, exist_ok=True)
    with window(stage.browser, stage.face, stage.address, viewport=size, color_scheme=scheme) as opened:
        for path in stage.pages(opened):
            opened.open(path)
            name = path.strip("/").replace("/", "-") or "needs-you"
            opened.page.screenshot(path=PICTURES / f"{name[:60]}-{scheme}-{width}.png", full_page=True)
            if opened.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                wide.append(path)
            violations = Axe().run(opened.page, options=_ASKED).response["violations"]
            if violations:
                found[path] = [(each["id"], each["nodes"][0]["html"][:150]) for each in violations]

    assert (found, wide) == ({}, [])


def test_the_keyboard_comes_everywhere_and_the_focus_is_seen(stage: Stage) -> None:
    with window(stage.browser, stage.face, stage.address, reduced_motion="reduce") as opened:
        for path in stage.pages(opened):
            opened.open(path)
            opened.page.keyboard.press("Tab")
            first = opened.page.evaluate("document.activeElement.getAttribute('href')")
            assert first == "#content", f"{path}: the first key leads to {first}"
            unseen = _walk(opened)
            assert unseen == [], path
            assert opened.page.evaluate(_MOVING) == 0, path


def _walk(opened: Window) -> list[str]:
    """Press Tab until the page is through; return what had the focus and did not show it."""
    seen_by = """() => {
        const here = document.activeElement, style = getComputedStyle(here);
        const box = here.getBoundingClientRect();
        if (here === document.body) return 'over';
        const shown = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 && box.width > 0;
        return shown ? 'shown' : here.outerHTML.slice(0, 120);
    }"""
    unseen = []
    for _ in range(60):
        opened.page.keyboard.press("Tab")
        said = opened.page.evaluate(seen_by)
        if said == "over":
            break
        if said != "shown":
            unseen.append(said)
    return unseen


def test_every_page_is_there_without_a_script(stage: Stage) -> None:
    with window(stage.browser, stage.face, stage.address, java_script_enabled=False) as opened:
        for path in stage.pages(opened):
            opened.open(path)
            assert opened.page.locator("h1").count() == 1, path
            assert opened.page.locator("main").inner_text().strip(), path
            assert opened.page.locator("form button").count() >= 1, path


def test_each_role_sees_pages_without_trouble(stage: Stage) -> None:
    for role in Role:
        with window(stage.browser, stage.face, stage.address, role) as opened:
            for path in stage.pages(opened):
                assert opened.open(path) < 500, path
        assert opened.trouble == [], role
