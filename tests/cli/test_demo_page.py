"""The demo's page in a real browser, with everything that it suggests, on the demo as a person starts it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import ViewportSize, expect

from tests.browser.browser import open_browser
from tests.cli.demo_window import DESK, PICTURES, DemoWindow, opened, shown
from tests.cli.program import Program

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page, Route

PHONE: ViewportSize = {"width": 360, "height": 740}
_ASKED = {"resultTypes": ["violations"], "iframes": False}
PAGE = re.compile(r"^http://[^/]+/(\?.*)?$")
NASTY = "<img src=x onerror=alert(1)>"


@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_the_page_leads_through_everything_that_it_suggests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Pictures of changed pages need a browser for each answer, and are tried elsewhere.
    monkeypatch.setenv("WEBORDINARY_PICTURES_MODE", "off")
    program = Program(tmp_path)
    with open_browser(finds_sites=True) as browser, shown(program) as (demo, address):
        with opened(browser, address) as window:
            walk(window)
            walk_on(window)
            write_freely(window)
            look_closely(window)
            assert window.trouble == []
            assert address.partition("/enter/")[2] not in window.page.content()
        talks = program.read("demo", "mailbox")
        program.run("demo", "reply", "status")
    assert {talk["subject"] for talk in talks} >= {"Prices", "A photo", "Phone", "Plum cake", "Christmas"}
    assert program.processes() == []
    assert "Traceback" not in demo.said


def walk(window: DemoWindow) -> None:
    page = window.page
    # The first mail is the owner's, and comes by itself.
    window.reads("Done, your change is live.")
    window.sees("Open Monday to Friday 9:00")

    window.take("price")
    window.reads("€2.50")
    window.sees("€2.50")
    # What only mail programs need is not on the phone, and what leads to the site does.
    expect(page.locator("#talks")).not_to_contain_text("above this line")
    expect(page.locator("#talks .mail.other a", has_text="amelia.localhost")).to_be_visible()
    window.picture("desk")

    window.take("photo")
    window.reads("oven.jpg: used")
    expect(page.frame_locator("#frame iframe").locator("img[src*=oven]")).to_be_visible()

    window.take("follow-up")
    window.reads("€3.10")
    window.sees("€3.10")

    window.take("undo")
    window.reads("off your site again")
    window.sees("€2.80")
    window.sees_no("€3.10")

    window.take("ok")
    window.reads("Reply with")
    expect(page.locator("#site-title")).to_contain_text("Preview")
    window.sees("030 23125 200")
    window.picture("preview")
    page.locator("#site-bar a", has_text="Live").click()
    window.sees_no("030 23125 200")
    window.take("ok", step=2)
    window.reads("your change is live")
    expect(page.locator("#site-title")).to_contain_text("live")
    window.sees("030 23125 200")


def walk_on(window: DemoWindow) -> None:
    page = window.page
    window.take("two")
    window.happens("agent said")
    window.take("two", step=2)
    window.happens("job parked")
    window.reads("€3.80")
    page.locator("#talks .list a", has_text="About us").click()
    window.reads("We bake all night.")

    window.take("christmas")
    window.reads("waits for its time")
    window.sees_no("We are closed from 24")
    window.take("christmas", step=2)
    window.sees("We are closed from 24")
    expect(page.locator("#facts")).to_contain_text("24 Dec")
    window.take("christmas", step=3)
    window.sees_no("We are closed from 24")
    window.reads("time of your change is over")

    window.take("forged")
    window.happens("mail held")
    window.reads("0900 666 666")
    window.sees_no("0900 666 666")

    window.take("kill")
    window.take("kill", step=2)
    window.happens("worker gone")
    window.happens("job resumed")
    window.reads("€2.60")
    window.sees("€2.60")
    expect(page.locator("#guide a.over")).to_have_count(9)
    window.picture("end")


def write_freely(window: DemoWindow) -> None:
    """Write a mail that would do harm to a page that believes it, with a photo; then reply in its conversation."""
    page = window.page
    page.get_by_role("link", name="New mail").click()
    fill_while_the_form_is_renewed(page)
    page.get_by_label("New mail", exact=True).fill(f"The carrot cake costs 4.10 now.\n\n{NASTY}")
    page.get_by_text("Attach photos").click()
    page.get_by_label("apple-cake.jpg").check()
    page.get_by_role("button", name="Send", exact=True).click()
    window.reads("€4.10")
    expect(page.locator("#talks .subject")).to_have_text(NASTY)
    expect(page.locator("#talks .mail.own .clip")).to_contain_text("apple-cake.jpg")
    expect(page.locator("#compose input[name=answering]")).to_have_count(1)
    page.locator("#words").fill("undo")
    page.get_by_role("button", name="Send", exact=True).click()
    window.reads("off your site again")


def fill_while_the_form_is_renewed(page: Page) -> None:
    """Write a subject while the page asks for the form of the conversation that is open: it stays."""
    expect(page.get_by_label("Subject")).to_be_visible()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(PAGE, hold)
    with page.expect_request(PAGE):
        # As when a mail arrives in the conversation that is open.
        page.evaluate("document.getElementById('talks').insertAdjacentHTML('beforeend', '<p class=mail></p>')")
    page.get_by_label("Subject").fill(NASTY)
    with page.expect_response(PAGE) as answered:
        for route in held:
            route.continue_()
    answered.value.finished()
    page.unroute(PAGE)
    expect(page.get_by_label("Subject")).to_have_value(NASTY)


def look_closely(window: DemoWindow) -> None:
    """Axe finds nothing, on a desk and on a phone, and nothing is wider than the screen."""
    page = window.page
    for name, size in (("desk-end", DESK), ("phone", PHONE)):
        page.set_viewport_size(size)
        violations = Axe().run(page, options=_ASKED).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"][:200]) for each in violations] == []
        assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
        page.screenshot(path=PICTURES / f"{name}.png", full_page=True)
