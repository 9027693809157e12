"""A real browser on the dashboard, which notes whatever should not happen."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from tests.dashboard.routes import STREAMS, all_routes, filled
from tests.tree import ROOT
from webordinary.dashboard.viewer import Role, Viewer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

    from tests.dashboard.face import Face

PICTURES = ROOT / "build" / "pictures" / "dashboard"
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 900}
# An answer that says no is a line on the console of Chromium, and no trouble.
_ANSWERED = "Failed to load resource: the server responded with a status of"


@dataclass
class Window:
    """One browser window of somebody who has signed in."""

    context: BrowserContext
    page: Page
    address: str
    # What ran, what the policy stopped, and what the console complained about.
    trouble: list[str] = field(default_factory=list)

    def open(self, path: str) -> int:
        """Open a page, wait until it is there, and return the answer's number."""
        answer = self.page.goto(self.address + path, wait_until="load")
        assert answer is not None
        return answer.status


@contextmanager
def window(
    browser: Browser,
    face: Face,
    address: str,
    role: Role | None = Role.AGENCY,
    **look: Any,  # noqa: ANN401 - as the library has it
) -> Iterator[Window]:
    """Open a window; a viewer with a role has signed in."""
    context = browser.new_context(**{"viewport": DESK, **look})
    try:
        if role is not None:
            projects = ("amelia",) if role is Role.CLIENT else ()
            secret = face.house.sessions.begin(Viewer("amy", role, projects))
            context.add_cookies([{"name": face.house.cookie, "value": secret, "url": address}])
        opened = Window(context, context.new_page(), address)
        _listen(opened)
        yield opened
    finally:
        context.close()


class Shown(Protocol):
    """A dashboard and where it is served."""

    face: Face
    address: str


@contextmanager
def visited(
    told: Shown,
    browser: Browser,
    path: str,
    width: int = 1200,
    *,
    dark: bool = False,
    scripts: bool = True,
    heard: tuple[str, ...] = ("favicon",),
) -> Iterator[Page]:
    """Open a page as the agency; what the browser complains of fails the test, but for what is `heard`."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        java_script_enabled=scripts,
    )
    session = told.face.house.sessions.begin(Viewer("amy", Role.AGENCY))
    context.add_cookies([{"name": told.face.house.cookie, "value": session, "url": told.address}])
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(f"{message.text} {message.location['url']}"))
    page.on("dialog", lambda dialog: said.append(f"a dialog: {dialog.message}"))
    page.goto(f"{told.address}{path}")
    yield page
    assert [each for each in said if not any(word in each for word in heard)] == []
    context.close()


def _listen(opened: Window) -> None:
    def hear(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not message.text.startswith(_ANSWERED):
            opened.trouble.append(f"{urlsplit(opened.page.url).path}: {message.text}")

    def dismiss(dialog: Any) -> None:  # noqa: ANN401 - as the library has it
        opened.trouble.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def leave(request: Any) -> None:  # noqa: ANN401 - as the library has it
        if not request.url.startswith((opened.address, "data:", "about:", "blob:")):
            opened.trouble.append(f"asked elsewhere: {request.url}")

    opened.context.expose_function("ran", lambda what="": opened.trouble.append(f"ran: {what}"))
    opened.page.on("console", hear)
    opened.page.on("dialog", dismiss)
    opened.page.on("request", leave)
    opened.page.on("pageerror", lambda error: opened.trouble.append(f"broke: {error}"))


def pages_of(face: Face, opened: Window, *known: dict[str, str], of_strangers: bool = False) -> list[str]:
    """Return the address of every page that a browser shows: each route, once for each set of known parts.

    Of those that only say no, one is enough. What a stranger has made, such as a mail as it looks, is shut away by
    a policy of its own, so that no test can ask it anything either; it is listed apart.
    """
    found: list[str] = []
    refusals: list[str] = []
    strange: list[str] = []
    for method, path in all_routes(face):
        if method != "GET" or path in STREAMS or path.startswith(("/static/", "/fragments/")):
            continue
        for each in dict.fromkeys(filled(path, **parts) for parts in known):
            answer = opened.context.request.get(opened.address + each, max_redirects=0)
            if answer.headers.get("content-type", "").startswith("text/html"):
                is_strange = "sandbox" in answer.headers.get("content-security-policy", "")
                place = strange if is_strange else found if answer.status == HTTPStatus.OK else refusals
                place.append(each)
    return strange if of_strangers else found + refusals[:1]
