"""The pages of a job and of a mail in a real browser, over a told story; the pictures of them lie in `build/dashboard`."""

from __future__ import annotations

from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.browser import open_browser
from tests.dashboard.face import Face
from tests.pictures import photo
from tests.programs import need
from tests.rigs.embedded import EmbeddedRig
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
<a href="javascript:alert(1)" onclick="alert(2)">here</a><iframe src="/"></iframe><form action="/sign-out" method="post"><button>x</button></form>"""


class Told:
    """A story that has happened, and its dashboard."""

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
            yield Told(Story(rig))
        finally:
            rig.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@contextmanager
def visited(told: Told, browser: Browser, path: str, width: int = 1200, *, dark: bool = False) -> Iterator[Page]:
    """Open a page as somebody who has signed in; what the browser complains of fails the test."""
    with told.face.served() as address:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
        )
        session = told.face.house.sessions.begin(Viewer("amy", Role.AGENCY))
        context.add_cookies([{"name": "webordinary", "value": session, "url": address}])
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("dialog", lambda dialog: said.append(f"a dialog: {dialog.message}"))
        page.goto(f"{address}{path}")
        yield page
        assert [each for each in said if "favicon" not in each] == []
        context.close()


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
