"""The built documents in a real browser: opened from a disk, searched, on a phone, in the dark and on paper."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from handbook.build import build
from tests.browser.browser import open_browser

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page, ViewportSize

PHONE: ViewportSize = {"width": 360, "height": 740}
LIGHT, DARK = "rgb(255, 253, 248)", "rgb(26, 33, 36)"
LETTERS = ("de", "en", "es", "fr", "it", "nl")


@pytest.mark.thorough
def test_the_pages_are_searched_read_on_a_phone_and_printed_without_a_server(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert build(site) == []
    with open_browser() as browser:
        page = patient(browser.new_page())
        page.goto((site / "howto" / "operate.html").as_uri())
        page.keyboard.press("/")
        page.keyboard.type("dead lett")
        page.locator("#found a").first.wait_for()
        page.keyboard.press("Enter")
        page.wait_for_url("**/*.html#dead-letters*")
        for letter in LETTERS:
            page.goto((site / "owners" / f"{letter}.html").as_uri())
            assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True))) == 1, letter
        assert_fits_a_phone(browser.new_page(viewport=PHONE, color_scheme="light"), site, LIGHT)
        assert_fits_a_phone(browser.new_page(viewport=PHONE, color_scheme="dark"), site, DARK)


def assert_fits_a_phone(page: Page, site: Path, paper: str) -> None:
    patient(page)
    for name in ("index.html", "concepts.html", "howto/operate.html", "owners/en.html"):
        page.goto((site / name).as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
        assert page.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor") == paper


def patient(page: Page) -> Page:
    page.set_default_timeout(240_000)
    return page
