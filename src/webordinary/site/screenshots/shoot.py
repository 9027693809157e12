"""Lets a browser look at one page, in a room without doors."""

from __future__ import annotations

import io
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from PIL import Image
from playwright.sync_api import Error, sync_playwright

from webordinary.site.release.content_types import TYPES
from webordinary.site.screenshots.compare import LOOK, FrameLimits, Seen, read_outline
from webordinary.site.screenshots.shot import Screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page, Route, WebSocketRoute


# A name that no server in the world has: whatever gets past us leads nowhere.
ORIGIN = "https://site.invalid"
_LARGEST = 20_000_000


class Answered(NamedTuple):
    """What the browser is told."""

    status: int
    content_type: str
    content: bytes


_NOTHING = Answered(404, "text/plain", b"")


class Stage:
    """One build, as its visitors see it."""

    def __init__(self, build: Path) -> None:
        self._root = Path(os.path.realpath(build))

    def answer(self, url: str) -> Answered | None:
        """Return the file; None when the address is not one of this site."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return None
        if f"{parts.scheme}://{parts.netloc}" != ORIGIN:
            return None
        path = unquote(parts.path).strip("/")
        if "\0" in path:
            return _NOTHING
        names = (f"{path}/index.html" if path else "index.html", path, f"{path}.html")
        found = (self._read(name) for name in names if name)
        return next((answered for answered in found if answered is not None), _NOTHING)

    def read(self, url: str) -> bytes:
        """Return the content of a file; nothing when it is not one of this site."""
        answered = self.answer(url)
        return answered.content if answered else b""

    def _read(self, name: str) -> Answered | None:
        try:
            path = Path(os.path.realpath(self._root / name))
            # Links inside of a build are fine; what they lead to has to be in it as well.
            if not path.is_relative_to(self._root) or not path.is_file() or path.stat().st_size > _LARGEST:
                return None
            return Answered(200, TYPES.get(path.suffix.lower(), "application/octet-stream"), path.read_bytes())
        except OSError:
            return None


def address_of(path: str) -> str:
    """Return the address under which visitors know a page."""
    shown = path.removesuffix("index.html") if path == "index.html" or path.endswith("/index.html") else path
    return f"{ORIGIN}/{quote(shown)}"


# In a sandbox there is no network at all. These are for where there is none, and because two walls are better.
_FLAGS = (
    *("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-pings", "--dns-prefetch-disable"),
    "--host-resolver-rules=MAP * ~NOTFOUND",
    # A port on which nobody listens, also for what a page calls loopback; WebRTC would go past it.
    *("--proxy-server=socks5://127.0.0.1:9", "--proxy-bypass-list=<-loopback>"),
    *(
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    ),
    # Pictures further down would be empty: nobody scrolls there.
    "--blink-settings=lazyLoadEnabled=false",
)
# What is random is the same on both sides, else it would be framed as a change.
_CALM = "(() => { let n = 1; Math.random = () => (n = n * 16807 % 2147483647) / 2147483647; })()"
_LONGEST = 5000


class ScreenSize(NamedTuple):
    """How large a screen is, and how much of it a mail shows."""

    width: int
    height: int
    shown: FrameLimits
    # How wide the picture is kept.
    kept: int


SIZES = {
    # The width of a part that can still be read when a phone shows it.
    Screen.COMPUTER: ScreenSize(1280, 800, FrameLimits(320, 1300, narrow=560), 1088),
    Screen.PHONE: ScreenSize(390, 844, FrameLimits(320, 1100), 408),
}


class NotSeen(Exception):
    """The page did not come to rest in time, or the browser broke."""


@contextmanager
def open_browser(program: str, patience: float, *, has_walls: bool) -> Iterator[Browser]:
    """Start the browser; inside of our walls it cannot and need not build its own."""
    flags = [*_FLAGS, *(["--no-sandbox"] if has_walls else [])]
    with sync_playwright() as play:
        try:
            browser = play.chromium.launch(
                executable_path=program, args=flags, chromium_sandbox=not has_walls, timeout=patience * 1000
            )
        except Error as problem:
            raise NotSeen(f"the browser does not start: {_reason(problem)}") from problem
        try:
            yield browser
        finally:
            browser.close()


def look(browser: Browser, stage: Stage, path: str, screen: Screen, patience: float) -> Seen:
    """Return what a visitor with this screen sees of the page, from its top as far down as we go."""
    size, milliseconds = SIZES[screen], patience * 1000
    try:
        context = _room(browser, stage, screen)
        try:
            page = context.new_page()
            page.goto(address_of(path), wait_until="load", timeout=milliseconds)
            # Asked for by waiting, because only that has an end when the page never answers.
            told = page.wait_for_function(LOOK, timeout=milliseconds).json_value()
            return Seen(_picture(page, size, milliseconds), read_outline(str(told), stage.read))
        finally:
            context.close()
    except Error as problem:
        raise NotSeen(_reason(problem)) from problem


def _reason(problem: Error) -> str:
    """Return what the browser itself said last, else what is said about it."""
    lines = problem.message.splitlines() or [""]
    said = [line.partition("[err]")[2].strip() for line in lines if "[err]" in line]
    return (said[-1] if said else lines[0])[:200]


def _room(browser: Browser, stage: Stage, screen: Screen) -> BrowserContext:
    size = SIZES[screen]
    context = browser.new_context(
        viewport={"width": size.width, "height": size.height},
        is_mobile=screen is Screen.PHONE,
        has_touch=screen is Screen.PHONE,
        service_workers="block",
        accept_downloads=False,
        reduced_motion="reduce",
        color_scheme="light",
    )
    context.add_init_script(_CALM)
    context.route("**/*", lambda route: _bring(route, stage))
    context.route_web_socket("**/*", _hang_up)
    return context


def _bring(route: Route, stage: Stage) -> None:
    answered = stage.answer(route.request.url)
    if answered is None:
        route.abort("blockedbyclient")
    else:
        route.fulfill(status=answered.status, content_type=answered.content_type, body=answered.content)


def _hang_up(socket: WebSocketRoute) -> None:
    socket.close()


def _picture(page: Page, size: ScreenSize, milliseconds: float) -> Image.Image:
    if not page.url.startswith(ORIGIN):
        raise NotSeen("the page leads elsewhere")
    content = page.screenshot(
        full_page=True,
        clip={"x": 0, "y": 0, "width": size.width, "height": _LONGEST},
        animations="disabled",
        timeout=milliseconds,
    )
    with Image.open(io.BytesIO(content)) as opened:
        return opened.convert("RGB")
