"""Our mails as people see them: on a phone and on a desk, by day and by night.

The pictures lie in `build/mails` afterwards, to be looked at.
"""

from __future__ import annotations

from base64 import b64encode
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.browser import open_browser
from tests.golden.every_mail import Desk
from tests.pictures import photo
from webordinary.languages import codes
from webordinary.reply.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

PICTURES = Path(__file__).parents[2] / "build" / "mails"
WIDTHS = (360, 800)
PHONE = 480
# WCAG 2: what everybody can read, also outdoors on a phone.
READABLE = 4.5

# Each text with its own colour and the first colour that is really painted behind it.
LOOK = """
() => {
  const channel = (value) => { const v = value / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = parse(getComputedStyle(each).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const box = element.getBoundingClientRect();
    if (!walker.currentNode.data.trim() || !box.width || !box.height) continue;
    const [one, two] = [light(parse(getComputedStyle(element).color)), light(behind(element))].sort((a, b) => b - a);
    const size = parseFloat(getComputedStyle(element).fontSize);
    found.push({
      text: walker.currentNode.data.trim(), right: box.right, left: box.left, size,
      contrast: (one + 0.05) / (two + 0.05),
    });
  }
  return { texts: found, width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight };
}
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("mails"))


def page_of(raw: bytes) -> str:
    mail = message_from_bytes(raw, policy=default)
    page = mail.get_body(("html",))
    assert page is not None
    return str(page.get_content())


def look_at(page: Page, html: str) -> Any:  # noqa: ANN401 - what the browser says
    page.set_content(html, wait_until="load")
    return page.evaluate(LOOK)


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", codes())
def test_every_mail_fits_the_screen_and_can_be_read(
    browser: Browser, desk: Desk, language: str, width: int, scheme: str
) -> None:
    asked: list[str] = []
    PICTURES.mkdir(parents=True, exist_ok=True)
    context = browser.new_context(
        viewport={"width": width, "height": 700}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    for kind in KINDS:
        seen = look_at(page, page_of(desk.mail(kind, language)))
        texts = seen["texts"]
        assert seen["width"] <= width, kind
        assert [each["text"] for each in texts if each["right"] > width or each["left"] < 0] == [], kind
        assert [each for each in texts if each["contrast"] < READABLE] == [], kind
        assert min(each["size"] for each in texts) >= 11, kind
        assert not any(mark in each["text"] for each in texts for mark in ("$", "{}", "`", "&lt;", "<")), kind
        if language == "en" and (scheme == "light" or width == 360):
            page.screenshot(path=PICTURES / f"{kind}-{language}-{width}-{scheme}.png", full_page=True)
    context.close()
    assert [url for url in asked if not url.startswith("about:")] == []


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_mail_with_pictures_fits_the_screen(browser: Browser, desk: Desk, width: int, scheme: str) -> None:
    sizes = {"computer": (1088, 400), "phone": (390, 700)}
    lines = [
        "\t".join((desk.ports.engine.inbox.keep_file(photo(size=size)), "jpeg", side, screen, "0", "0", "a", "Contact"))
        for screen, size in sizes.items()
        for side in ("before", "after")
    ]
    mail = message_from_bytes(desk.mail("published", "de", {"pictures": "\n".join(lines)}), policy=default)
    html = page_of(mail.as_bytes())
    for part in mail.walk():
        if part.get_content_maintype() == "image":
            content = b64encode(part.get_content()).decode()
            html = html.replace(f"cid:{str(part['Content-ID']).strip('<>')}", f"data:image/jpeg;base64,{content}")
    context = browser.new_context(
        viewport={"width": width, "height": 700}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page = context.new_page()
    seen = look_at(page, html)
    boxes = page.evaluate("[...document.images].map((each) => each.getBoundingClientRect().toJSON())")
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"with-pictures-{width}-{scheme}.png", full_page=True)
    context.close()
    assert seen["width"] <= width
    assert [each for each in seen["texts"] if each["contrast"] < READABLE or each["right"] > width] == []
    computer, _, before, after = boxes
    assert len(boxes) == 4
    assert [box for box in boxes if box["right"] > width or box["width"] < 130] == []
    assert before["width"] == after["width"]
    if width <= PHONE:
        # Below each other, and each as wide as the screen: beside each other nobody could read them.
        assert before["bottom"] < after["top"]
        assert before["width"] > 0.85 * width
        return
    assert before["top"] == after["top"]
    assert before["right"] < after["left"] < computer["right"]


def test_a_mail_with_endless_words_stays_on_the_phone(browser: Browser, desk: Desk) -> None:
    html = page_of(desk.mail("published", "de"))
    page = browser.new_page(viewport={"width": 360, "height": 700})
    for endless in ("x" * 400, "https://amelia.example/" + "a-very-long-path/" * 40, "Donaudampfschifffahrt" * 20):
        seen = look_at(page, html.replace("Neue Zeiten.", endless).replace("contact.html", endless))
        assert seen["width"] <= 360
        assert [each["text"][:40] for each in seen["texts"] if each["right"] > 360] == []
    page.close()


def test_a_mail_without_its_styles_in_the_head_is_still_whole(browser: Browser, desk: Desk) -> None:
    """Some clients throw the head away: what was inlined must be enough."""
    html = page_of(desk.mail("published", "en"))
    bare = html[: html.index("<style>")] + html[html.index("</style>") + len("</style>") :]
    page = browser.new_page(viewport={"width": 360, "height": 700})
    seen = look_at(page, bare)
    assert seen["width"] <= 360
    assert [each for each in seen["texts"] if each["contrast"] < READABLE] == []
    page.close()
