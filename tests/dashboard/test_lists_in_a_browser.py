"""Lists, actions on many rows and the forms in a real browser; the pictures of them lie in `build/dashboard`."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types

from tests.browser.browser import open_browser
from tests.dashboard.browsing import visited
from tests.dashboard.face import Face
from tests.programs import need
from tests.rigs.embedded import EmbeddedRig, make_repository
from webordinary.jobs.job import State
from webordinary.jobs.schedules import Phase, Schedule
from webordinary.reply.bounces import Bounce
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import BAKERY, FLOWERS, SCOTT, TOM, Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

pytestmark = pytest.mark.thorough
PICTURES = Path(__file__).parents[2] / "build" / "dashboard"
EVIL = "<img src=x onerror=alert(1)>"
# What was typed wrong is answered with 409, which browsers note.
REFUSED = ("favicon", "409")
PAGES = {
    "mail": "/mail",
    "jobs": "/jobs?state=queued",
    "trail": "/trail",
    "people": "/people",
    "projects": "/projects",
    "project": "/projects/flora",
    "calendar": "/calendar",
    "add-project": "/add-project",
    "change-project": "/projects/flora/change",
    "nothing": "/jobs?q=nothing+of+this+kind",
}


class Told:
    """A few mails, a plan, an address that is cut off and a pause, under names that try to run."""

    address = ""

    def __init__(self, rig: EmbeddedRig) -> None:
        self.rig, self.story = rig, Story(rig)
        evil = SiteSetup("flora", FLOWERS.editors, rules=f'name = "{EVIL}"\ngroup = "{EVIL}"')
        self.story.begin(BAKERY, evil, workers=0)
        for number in range(5):
            self.story.writes(TOM, f"{EVIL} {number}", site="flora", subject=f"{EVIL} {number}")
        self.story.writes(SCOTT, "Who is that", subject=EVIL, verified=False)
        here = rig.here
        now, job = here.clock.now(), rig.jobs()[0]
        for days in (5, 4, 2):
            at = now.wall_at - timedelta(days=days)
            here.engine.bounces.record(Bounce(f"l{days}", TOM.address, is_for_good=True, reason=EVIL, bounced_at=at))
        at = now.wall_at + timedelta(days=2)
        here.engine.schedules.add(Schedule("p.publish", job.thread, job.lane, Phase.PUBLISH, at, "c", job.id), now)
        here.engine.lanes.pause("flora", EVIL, now)
        self.face = Face(here)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    need("chromium")
    rig = EmbeddedRig(tmp_path_factory.mktemp("told"))
    try:
        told = Told(rig)
        with told.face.served() as told.address:
            yield told
    finally:
        rig.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("width", "dark"), [(1200, False), (360, True)])
def test_each_list_fits_reads_well_and_runs_nothing(
    told: Told, browser: Browser, name: str, width: int, *, dark: bool
) -> None:
    with visited(told, browser, PAGES[name], width, dark=dark, heard=REFUSED) as page:
        assert page.title() != "Sign in · WebOrdinary"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("main img").count() == 0
        found = Axe().run(page).response["violations"]
        assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found] == []
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"{name}-{width}.png", full_page=True)


def test_many_are_stopped_with_a_look_a_confirmation_and_progress(told: Told, browser: Browser) -> None:
    with visited(told, browser, "/jobs?q=onerror&project=flora", heard=REFUSED) as page:
        page.get_by_role("button", name="Stop: queued jobs").click()
        assert page.locator("h1").inner_text() == "Stop: 5 things"
        assert page.locator("ol.hit li").count() == 5
        assert {job.state for job in told.rig.jobs()} == {State.QUEUED}
        page.get_by_role("button", name="Stop: all 5").click()
        # It comes without a reload of the page.
        page.get_by_role("heading", name="It is over").wait_for()
        assert "5 of 5 are done" in page.locator("#progress").inner_text()
    assert {job.state for job in told.rig.jobs()} == {State.STOPPED}


def test_the_same_works_without_scripts(told: Told, browser: Browser) -> None:
    with visited(told, browser, "/projects?state=running", 360, scripts=False, heard=REFUSED) as page:
        page.get_by_role("button", name="Pause…").click()
        page.get_by_label("Why").fill("moving the server")
        page.get_by_role("button", name="Pause: all 1").click()
        told.story.waits_until(lambda: page.reload() is not None and "It is over" in page.content())
        page.goto(f"{told.address}/projects")
        assert "moving the server (amy)" in page.content()


def test_a_project_comes_by_the_form_alone(told: Told, browser: Browser) -> None:
    repository = make_repository(told.rig.folder, "harbour")
    with visited(told, browser, "/projects", scripts=False, heard=REFUSED) as page:
        page.get_by_role("link", name="Add a project").click()
        page.get_by_label("Short name").fill("amelia")
        page.get_by_role("button", name="Check and go on").click()
        assert "There is a project amelia already" in page.get_by_role("alert").inner_text()
        page.get_by_label("Short name").fill("harbour")
        page.get_by_label("Git repository").fill(str(repository))
        page.get_by_role("button", name="Check and go on").click()
        assert "its branch main is at" in page.content()
        page.get_by_role("button", name="Check and go on").click()
        page.get_by_label("Public address").fill("https://harbour.example/")
        page.get_by_role("button", name="Check and go on").click()
        page.get_by_label("Short name of the first editor").fill("scott")
        page.get_by_label("Their mail address").fill(SCOTT.address)
        page.get_by_role("button", name="Show the change").click()
        assert '+id = "harbour"' in page.locator(".diff").inner_text()
        page.get_by_role("button", name="Back to the form").click()
        assert page.get_by_label("Public address").input_value() == "https://harbour.example/"
        page.get_by_role("button", name="Check and go on").click()
        page.get_by_role("button", name="Show the change").click()
        page.get_by_role("button", name="Add the project").click()
        assert page.url == f"{told.address}/projects/harbour"
        assert "harbour is added" in page.get_by_role("status").inner_text()
    assert told.rig.here.engine.projects.find("harbour") is not None


def test_a_rule_is_changed_and_the_change_is_seen_before(told: Told, browser: Browser) -> None:
    with visited(told, browser, "/projects/amelia", heard=REFUSED) as page:
        page.get_by_role("link", name="Change rules and editors").click()
        page.get_by_label("A change goes live").select_option("approve")
        page.get_by_label("Files that may change").fill("content/*\npages/*.html")
        page.get_by_label("Take maria off").check()
        page.get_by_role("button", name="Show the change").click()
        shown = page.locator(".diff").inner_text()
        assert '+publish = "approve"' in shown
        assert '+allowed_paths = ["content/*", "pages/*.html"]' in shown
        assert '-user = "maria"' in shown
        page.screenshot(path=PICTURES / "change-look.png", full_page=True)
        assert Axe().run(page).response["violations"] == []
        page.get_by_role("button", name="Write it into the file").click()
        assert "takes it over at once" in page.get_by_role("status").inner_text()
        assert "maria@example.org" not in page.locator("main").inner_text()


def test_a_plan_is_cancelled_from_the_calendar(told: Told, browser: Browser) -> None:
    with visited(told, browser, "/calendar", heard=REFUSED) as page:
        page.get_by_role("link", name="Cancel the plan").click()
        page.locator("main").get_by_role("button").first.click()
        page.goto(f"{told.address}/calendar")
        assert "Nothing is planned" in page.content()
