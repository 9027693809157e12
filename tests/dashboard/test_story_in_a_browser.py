"""The pages of a job and of a mail in a real browser; the pictures of them lie in `build/dashboard`."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types

from tests.browser.browser import open_browser
from tests.dashboard.browsing import visited
from tests.dashboard.face import Face
from tests.pictures import opened, photo
from tests.programs import need
from tests.rigs.embedded import EmbeddedRig
from webordinary.audit.entry import Entry, EventType
from webordinary.client import ApiClient
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.testing.rig import SiteSetup
from webordinary.testing.story import SCOTT, Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.thorough
PICTURES = Path(__file__).parents[2] / "build" / "dashboard"
LOG = "<img src=x onerror=alert(1)>"
BAKERY = SiteSetup(
    "amelia",
    ((SCOTT.user, SCOTT.address),),
    build=("sh", "-c", f"echo '{LOG}'; mkdir -p out; cp -r *.html *.css pictures out/"),
    output="out",
)
HTML = """<p style="color: #900; background: url(http://127.0.0.1:9/x)">We open at <b>nine</b> now</p>
<script>document.title = "ran"; parent.document.title = "ran"</script><img src=x onerror="parent.ran = 1">
<a href="javascript:alert(1)" onclick="alert(2)">here</a>
<iframe src="/"></iframe><form action="/sign-out" method="post"><button>x</button></form>"""


class Told:
    """A story that has happened, and its dashboard."""

    address = ""

    def __init__(self, story: Story) -> None:
        story.begin(BAKERY, settings={"pictures": 'deadline = "50 s"'})
        assert isinstance(story.rig, EmbeddedRig)
        self.face = Face(story.rig.here)
        file = ("oven.jpg", "image/jpeg", photo())
        asked = 'Set the heading to "Bread worth the walk"'
        mail = story.writes(SCOTT, asked, subject="A new heading", files=(file,))
        self.job = story.waits_for_job(mail)
        answer = story.waits_for_answer(SCOTT)
        self.undo = story.waits_for_job(story.replies(SCOTT, answer, "undo"))
        story.waits_for_answer(SCOTT, count=2)
        self.held = story.rig.deliver(html_mail(story), as_address=None, to=f"amelia@{story.rig.domain}")


def html_mail(story: Story) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = SCOTT.address, f"amelia@{story.rig.domain}", "Hours <b>now</b>"
    mail["Message-ID"] = "<hours@phone.example.org>"
    mail.set_content("We open at nine now")
    mail.add_alternative(HTML, subtype="html")
    return mail.as_bytes()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    need("chromium")
    rig = EmbeddedRig(tmp_path_factory.mktemp("told"))
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("WEBORDINARY_PICTURES_MODE", raising=False)
        try:
            told = Told(Story(rig))
            with told.face.served() as told.address:
                yield told
        finally:
            rig.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


def kept(page: Page, name: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png", full_page=True)


def test_each_part_of_the_story_is_there_by_day_and_by_night(told: Told, browser: Browser) -> None:
    for dark in (False, True):
        with visited(told, browser, f"/jobs/{told.job.id}", dark=dark) as page:
            for part in ("request", "receipt", "pictures", "change", "talk", "log", "answer", "steps", "thread"):
                assert page.locator(f"#{part}").is_visible(), part
            page.locator("#log summary").click()
            assert "onerror" in page.locator("#log pre").inner_text()
            kept(page, "job-dark" if dark else "job")


def test_a_slider_is_moved_by_the_keyboard(told: Told, browser: Browser) -> None:
    with visited(told, browser, f"/jobs/{told.job.id}") as page:
        figure = page.locator("figure.compare").first
        slider = figure.get_by_role("slider")
        slider.focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        assert slider.input_value() == "65"
        assert figure.evaluate("each => each.style.getPropertyValue('--cut')") == "65%"
        assert "inset(0px 0px 0px 65%)" in figure.locator(".after").evaluate("each => getComputedStyle(each).clipPath")
        page.keyboard.press("Home")
        assert slider.get_attribute("aria-valuetext") == "0 % before, 100 % after"


def test_without_scripts_there_are_two_pictures(told: Told, browser: Browser) -> None:
    with visited(told, browser, f"/jobs/{told.job.id}", scripts=False) as page:
        sides = page.locator("figure.compare").first.locator("img")
        assert sides.count() == 2
        boxes = [sides.nth(number).bounding_box() for number in range(2)]
        left, right = (box for box in boxes if box)
        assert left["x"] + left["width"] <= right["x"]
        assert page.locator("input[type=range]").count() == 0


def test_on_a_phone_nothing_stands_beside_the_page(told: Told, browser: Browser) -> None:
    for path, name in (
        (f"/jobs/{told.job.id}", "job"),
        (f"/mail/{told.held}", "mail"),
        (f"/jobs/{told.undo.id}", "undo"),
    ):
        with visited(told, browser, path, 360) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            kept(page, f"{name}-phone")


def test_the_answer_is_shown_in_a_frame_that_can_do_nothing(told: Told, browser: Browser) -> None:
    with visited(told, browser, f"/jobs/{told.job.id}") as page:
        page.get_by_text("As it looks").click()
        page.locator("iframe.mail").scroll_into_view_if_needed()
        frame = page.frame_locator("iframe.mail")
        frame.get_by_text("Bread worth the walk").first.wait_for()
        assert frame.locator("img").first.evaluate("each => each.naturalWidth > 0")
        assert frame.locator("body").evaluate("() => window.origin") == "null"
        kept(page, "answer")


def test_a_hostile_mail_is_seen_and_does_nothing(told: Told, browser: Browser) -> None:
    with visited(told, browser, f"/mail/{told.held}") as page:
        title = page.title()
        page.get_by_text("As its sender made it look").click()
        page.locator("#text iframe.mail").scroll_into_view_if_needed()
        frame = page.frame_locator("#text iframe.mail")
        frame.get_by_text("nine").wait_for()
        assert frame.locator("script, iframe, form, a[href], img").count() == 0
        assert page.title() == title
        assert page.evaluate("window.ran") is None
        kept(page, "mail")


def test_what_can_be_done_now_is_a_button(told: Told, browser: Browser) -> None:
    with visited(told, browser, f"/mail/{told.held}") as page:
        assert page.get_by_role("group", name=f"What you can do with {told.held}").is_visible()
    with visited(told, browser, f"/jobs/{told.job.id}") as page:
        buttons = page.get_by_role("group", name=f"What you can do with {told.job.id}")
        assert buttons.inner_text().strip()
        assert page.get_by_text("It was taken back by").is_visible()


def test_a_link_that_was_sent_to_a_colleague_leads_there_after_signing_in(told: Told, browser: Browser) -> None:
    address = told.address
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/jobs/{told.job.id}")
    assert page.url == f"{address}/sign-in?next=/jobs/{told.job.id}"
    link = told.face.house.sessions.new_link(Viewer("bob", Role.READER))
    page.goto(f"{address}/sign-in?link={link}&next=/jobs/{told.job.id}")
    page.get_by_role("button", name="Open the dashboard").click()
    page.wait_for_url(f"{address}/jobs/{told.job.id}")
    assert page.locator("h1").inner_text() == "A new heading"
    context.close()


def test_axe_finds_nothing(told: Told, browser: Browser) -> None:
    for path in (f"/jobs/{told.job.id}", f"/mail/{told.held}", f"/jobs/{told.job.id}/transcript"):
        with visited(told, browser, path) as page:
            assert Axe().run(page).response["violations"] == []


def test_the_page_of_a_job_goes_on_while_somebody_looks(told: Told, browser: Browser) -> None:
    here = told.face.house.here
    with visited(told, browser, f"/jobs/{told.job.id}") as page:
        page.locator("#live[data-state=live]").wait_for()
        entry = Entry(EventType.STEP, here.clock.now().wall_at, job=told.job.id, text="something new has happened")
        here.engine.trail.record(entry)
        page.get_by_text("something new has happened").wait_for()
        assert page.locator("figure.compare.sliding").count() == page.locator("figure.compare").count()


def test_a_program_gets_the_pictures_before_and_after(told: Told) -> None:
    here = told.face.house.here
    secret = ApiTokens(told.face.house.sessions.folder, here.clock).add("eyes", Role.CLIENT, ("amelia",), "amy")
    program = ApiClient(told.address, secret)
    scenes = program.pictures(told.job.id)
    assert {each.screen for each in scenes} == {"phone", "computer"}
    for scene in scenes:
        assert scene.before is not None
        assert scene.after is not None
        before, after = (program.file(told.job.id, each.digest) for each in (scene.before, scene.after))
        assert before != after
        assert opened(after).width == scene.after.width
