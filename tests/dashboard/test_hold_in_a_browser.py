"""Held answers and the page of an ok in a real browser; the pictures of them lie in `build/dashboard`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types

from tests.browser.browser import open_browser
from tests.dashboard.test_answers import HeldHouse
from tests.dashboard.test_say_ok import Asked
from tests.programs import need
from webordinary.dashboard.viewer import Role
from webordinary.testing.story import SCOTT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

Scheme = Literal["light", "dark"]
pytestmark = pytest.mark.thorough
PICTURES = Path(__file__).parents[2] / "build" / "dashboard"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    need("chromium")
    with open_browser() as opened:
        yield opened


def look(context: BrowserContext, address: str, name: str) -> Page:
    """Open a page at which nobody may complain: axe, the console, or somebody whose screen is 360 px wide."""
    page, said = context.new_page(), list[str]()
    page.on("console", lambda message: said.append(f"{message.text} {message.location['url']}"))
    page.on("dialog", lambda dialog: said.append(f"a dialog: {dialog.message}"))
    page.goto(address)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png", full_page=True)
    assert [each for each in said if "favicon" not in each] == []
    return page


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1200, "dark")])
def test_an_ok_is_said_without_an_account_and_without_scripts(
    tmp_path: Path, browser: Browser, width: int, scheme: Scheme
) -> None:
    asked = Asked(tmp_path)
    job = asked.propose()
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    with asked.face.served() as address:
        look(context, f"{address}{asked.link(SCOTT)}", f"say-ok-{width}-{scheme}")
        plain = browser.new_context(java_script_enabled=False).new_page()
        plain.goto(f"{address}{asked.link(SCOTT)}")
        plain.get_by_role("button", name="Say ok").click()
        assert "you get a mail" in plain.inner_text("main")
        look(context, f"{address}{asked.link(SCOTT)}", f"said-ok-{width}-{scheme}")
    context.close()
    assert len(asked.oks(job)) == 1
    asked.rig.close()


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1200, "light")])
def test_an_answer_is_read_edited_and_released(tmp_path: Path, browser: Browser, width: int, scheme: Scheme) -> None:
    house = HeldHouse(tmp_path)
    job = house.hold()
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    with house.face.served() as address:
        name = house.face.house.cookie
        session = house.face.signed_in(Role.OPERATOR).cookies[name]
        context.add_cookies([{"name": name, "value": session, "url": address}])
        look(context, f"{address}/answers", f"answers-{width}-{scheme}")
        page = look(context, f"{address}/answers/{job}", f"answer-{width}-{scheme}")
        page.get_by_label("Words").fill("Nine it is.")
        page.get_by_role("button", name="Show how it looks").click()
        assert "Nine it is." in page.inner_text("pre.letter >> nth=-1")
        page.get_by_role("button", name="Keep these words").click()
        page.get_by_text("As it looks").click()
        assert "Nine it is." in page.frame_locator("iframe.mail").locator("body").inner_text()
        page.get_by_role("button", name="Release it").click()
        assert "No answer waits" in page.inner_text("main")
        look(context, f"{address}/answers", f"no-answers-{width}-{scheme}")
    context.close()
    house.sends()
    assert "Nine it is." in house.rig.mailbox(SCOTT.address)[0].text
    house.rig.close()
