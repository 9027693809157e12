"""The first start in a real browser: a ZIP is sent, and what waits for others is looked at again by itself."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types

from tests.browser.browser import open_browser
from tests.programs import need
from tests.setup.ground import DOMAIN, name_server, program_in
from tests.setup.test_first_start import packed
from webordinary.dashboard.first_start import first_house
from webordinary.dashboard.server import DashboardServer
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.testing.dns import Zone

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from webordinary.dashboard.house import House

pytestmark = pytest.mark.thorough


@contextmanager
def served(house: House) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = DashboardServer(house)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def is_fine(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_person_goes_through_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("chromium")
    zone, said = Zone(), list[str]()
    house = first_house(tmp_path / "webordinary.toml", tmp_path / "scratch", {})
    (tmp_path / "site.zip").write_bytes(packed(index="<h1>Rolls</h1>"))
    with name_server(zone) as dns, served(house) as address, open_browser() as browser:
        monkeypatch.setenv("WEBORDINARY_MAIL_DNS_SERVER", dns)
        page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
        page.on("console", lambda message: said.append(message.text))
        page.goto(f"{address}/sign-in?link={house.sessions.new_link(Viewer('amy', Role.AGENCY))}&next=/setup")
        page.get_by_role("button", name="Open the dashboard").click()
        is_fine(page)
        program_in(tmp_path).run("init", "--domain", DOMAIN)

        page.goto(f"{address}/setup/dns")
        page.get_by_label("Which host receives").fill("mx.provider.example")
        page.get_by_role("button", name="Check, and show").click()
        page.get_by_role("button", name="Do it").click()
        page.get_by_text("has no MX record yet").wait_for()
        is_fine(page)
        zone.put(DOMAIN, "MX", "10 mx.provider.example.")
        page.get_by_text("This step is done").wait_for()

        page.goto(f"{address}/setup/site")
        page.get_by_label("Where is the site now?").select_option("zip")
        page.get_by_role("button", name="Check, and show").click()
        page.get_by_label("Or send it from here").set_input_files(tmp_path / "site.zip")
        is_fine(page)
        page.get_by_role("button", name="Check, and show").click()
        page.get_by_role("button", name="Do it").click()
        page.get_by_text("This step is done").wait_for()
    assert (tmp_path / "data" / "uploads" / "site-place.zip").read_bytes() == (tmp_path / "site.zip").read_bytes()
    assert said == []
