"""The demo's page in a real browser, on the demo as a person starts it."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playwright.sync_api import ViewportSize, expect

from tests.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.cli.program import Program, Started

PICTURES = ROOT / "build" / "pictures" / "demo"
PATIENCE = 120_000
DESK: ViewportSize = {"width": 1440, "height": 900}
expect.set_options(timeout=PATIENCE)


@dataclass
class DemoWindow:
    """The page in a browser, as somebody uses it."""

    page: Page
    trouble: list[str]

    def choose(self, name: str) -> None:
        self.page.locator(f"#guide a[href='/?try={name}']").click()
        expect(self.page.locator("#guide input[name=suggestion]")).to_have_value(name)

    def take(self, name: str, step: int = 1) -> None:
        """Take a step of a suggestion as soon as it can be taken."""
        self.choose(name)
        count = self.page.locator("#guide .count")
        if step > 1:
            expect(count).to_contain_text(f"step {step} of")
        button = self.page.locator("#guide .card button")
        expect(button).to_be_enabled()
        with self.page.expect_response(lambda answer: answer.url.endswith("/do/step")):
            button.click()

    def writes(self, subject: str, words: str) -> None:
        """Write a new mail freely."""
        self.page.get_by_role("link", name="New mail").click()
        self.page.get_by_label("Subject").fill(subject)
        self.page.get_by_label("New mail", exact=True).fill(words)
        self.page.get_by_role("button", name="Send", exact=True).click()

    def reads(self, words: str) -> None:
        """Wait until the conversation that is open says this."""
        expect(self.page.locator("#talks .mail.other").last).to_contain_text(words)

    def sees(self, words: str) -> None:
        """Wait until the site in the middle says this."""
        expect(self.page.frame_locator("#frame iframe").locator("body")).to_contain_text(words)

    def sees_no(self, words: str) -> None:
        expect(self.page.frame_locator("#frame iframe").locator("body")).not_to_contain_text(words)

    def happens(self, name: str) -> None:
        """Wait until the steps inside name this."""
        expect(self.page.locator("#steps .name", has_text=name).first).to_be_visible()

    def picture(self, name: str) -> None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png")


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[DemoWindow]:
    context = browser.new_context(viewport=DESK)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    trouble: list[str] = []
    page.on("console", lambda said: trouble.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: trouble.append(f"broke: {error}"))
    try:
        page.goto(address)
        yield DemoWindow(page, trouble)
    finally:
        context.close()


@contextmanager
def shown(program: Program, *options: str) -> Iterator[tuple[Started, str]]:
    """Start the demo, and yield the address that it prints; what else it prints is heard by a thread."""
    with program.start("demo", *options) as demo:
        address = demo.line_with("Open the demo:").split()[-1]
        listening = threading.Thread(target=lambda: demo.lines.extend(demo.process.stdout or ()), daemon=True)
        listening.start()
        yield demo, address
        demo.process.send_signal(signal.SIGINT)
        assert demo.process.wait() == 0
        listening.join()
