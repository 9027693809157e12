"""The changes that the receipt is tried with, in a real browser: what is called the same is, and the rest is not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.browser import open_browser
from tests.unit.site.mutations import PAGE, SAME, all_changes

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.thorough
# Everything that the browser makes of a page, but comments and what is random by design.
MADE = """(html) => {
  const read = new DOMParser().parseFromString(html, "text/html");
  const made = (node) => node.nodeType === 8 || node.nodeType === 10 ? "" : node.nodeType === 3 ? node.data
    : (node.attributes ? `<${node.localName} ${[...node.attributes].filter(a => a.name !== "nonce")
      .map(a => `${a.name}=${a.value}`).sort().join(" ")}>` : "")
      + [...(node.localName === "template" ? [node.content] : []), ...node.childNodes].map(made).join("") + "</>";
  const type = read.doctype;
  return [read.compatMode, type && [type.name, type.publicId], made(read)].join(" ");
}"""


def made_of(page: Page, html: str) -> str:
    return str(page.evaluate(MADE, html.removeprefix("\ufeff")))


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
        assert [name for name, html in all_changes() if made_of(page, html) == plain] == []
