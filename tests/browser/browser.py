"""A real browser for tests: Debian's chromium, in a fresh profile, that can reach nothing but what it is given."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from tests.programs import need

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_NOWHERE = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@contextmanager
def open_browser(*, finds_sites: bool = False) -> Iterator[Browser]:
    """Start the browser; without one the test is left out, which strict mode does not forgive.

    Sites under `localhost` are found only by one that is told to, as every browser of a person finds them.
    """
    program = need("chromium")
    names = f"MAP *.localhost 127.0.0.1, {_NOWHERE}" if finds_sites else _NOWHERE
    root = ["--no-sandbox"] if os.geteuid() == 0 else []
    flags = [*_FLAGS, f"--host-resolver-rules={names}", *root]
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=flags)
        try:
            yield browser
        finally:
            browser.close()
