"""The changes that the receipt is tried with, in a real browser: what is called the same is, and the rest is not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.browser import open_browser
from tests.unit.mutations import OTHER, PAGE, SAME, all_changes

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.thorough
SITE = "http://site.example/"
# So many are tried: of the attributes and texts, which are changed one like the other, only some.
EACH = 15
# Everything that the browser has made of a page, but comments and what is random by design.
MADE = """() => {
  const made = (node) => node.nodeType === 8 ? "" : node.nodeType === 3 ? node.data
    : (node.attributes ? `<${node.localName} ${[...node.attributes].filter(a => a.name !== "nonce")
      .map(a => `${a.name}=${a.value}`).sort().join(" ")}>` : "")
      + [...(node.shadowRoot ? [node.shadowRoot] : []), ...(node.localName === "template" ? [node.content] : []),
         ...node.childNodes].map(made).join("") + "</>";
  const type = document.doctype;
  return [document.compatMode, type && [type.name, type.publicId], made(document)].join(" ");
}"""


def made_of(page: Page, html: str) -> str:
    def answer(route: Route) -> None:
        if route.request.url == SITE:
            route.fulfill(body=html.encode(), content_type="text/html")
        else:
            route.abort()

    page.unroute_all()
    page.route("**/*", answer)
    page.goto(SITE, wait_until="commit")
    page.wait_for_load_state("domcontentloaded")
    return str(page.evaluate(MADE))


def without_spaces(text: str) -> str:
    return re.sub(r"[ \t\n\r\f]+", "", text)


def test_a_browser_makes_the_same_of_what_is_no_change_and_something_else_of_every_change() -> None:
    with open_browser() as browser:
        page = browser.new_page()
        plain = made_of(page, PAGE)
        others = [
            pair for pair in SAME if without_spaces(made_of(page, PAGE.replace(*pair, 1))) != without_spaces(plain)
        ]
        assert others == []
        changes = [*all_changes()[::EACH], *all_changes()[-len(OTHER) :]]
        assert [name for name, html in changes if made_of(page, html) == plain] == []
