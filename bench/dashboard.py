"""The dashboard of an old installation: what a scrape of its figures takes, and how much memory its process needs."""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING

from bench.figures import NANOSECONDS_OF_A_MILLISECOND, percentile
from bench.lists import fill
from webordinary.child.companion import Companion
from webordinary.child.table import resident_bytes
from webordinary.config import example_config, load_config, project_block, with_project
from webordinary.dashboard.process import house_of
from webordinary.dashboard.routes import PAGES
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.engines.embedded.open import DATABASE
from webordinary.engines.installation import Installation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.lists import Size

_HOST = "127.0.0.1"
_REPEATS = 5
_METRICS = "/metrics"
# What stands in an address for one thing of the old installation.
_ONE = {"{job}": "job-1007", "{mail}": "mail-1007", "{project}": "project-7"}


def measure_dashboard(parent: Path, size: Size) -> dict[str, object]:
    """Ask for every page, and look at the process afterwards; how long pages take is measured with the lists."""
    with tempfile.TemporaryDirectory(dir=parent, prefix="bench-pages-") as folder, _dashboard(Path(folder), size) as it:
        counted = it.count_the_past()
        for path in _pages():
            it.read(path)
        return {
            "metrics_ms_at_1m": it.ask(_METRICS),
            "metrics_first_counted_s_at_1m": counted,
            "dashboard_mb_at_1m": round((resident_bytes(it.process.pid) or 0) / 1_000_000),
        }


def _pages() -> list[str]:
    """Return an address for each page that somebody who has signed in may open."""
    found = []
    for page in PAGES:
        path = page.path
        for part, value in _ONE.items():
            path = path.replace(part, value)
        # A whole list as a file grows with the list, and is no page.
        is_page = not path.endswith((".csv", ".ics")) and not path.startswith("/do/") and "{" not in path
        if page.method == "GET" and page.role is not None and is_page:
            found.append(path)
    return found


@dataclass(frozen=True, slots=True)
class _Dashboard:
    """A dashboard that runs, and somebody who has signed in."""

    port: int
    process: Companion
    cookie: str

    def ask(self, path: str) -> float:
        """Return the middle of what the server took; the first time finds nothing in memory."""
        return round(percentile([self._took(path) for _ in range(_REPEATS)], 50) / NANOSECONDS_OF_A_MILLISECOND, 1)

    def count_the_past(self) -> float:
        """Scrape until everything is counted, and return how long that took in all."""
        began = time.monotonic()
        while b"webordinary_counted 1.0" not in self.read(_METRICS):
            pass
        return round(time.monotonic() - began, 1)

    def _took(self, path: str) -> int:
        began = time.perf_counter_ns()
        self.read(path)
        return time.perf_counter_ns() - began

    def read(self, path: str) -> bytes:
        connection = HTTPConnection(_HOST, self.port, timeout=120)
        try:
            connection.request("GET", path, headers={"Cookie": self.cookie})
            return connection.getresponse().read()
        finally:
            connection.close()


@contextmanager
def _dashboard(folder: Path, size: Size) -> Iterator[_Dashboard]:
    path = folder / "webordinary.toml"
    text = example_config(domain="edit.example.com", outgoing="maildir:mailbox", workers=1)
    block = project_block(id="project-7", repository=str(folder), editors=(("user-7", "user-7@example.org"),))
    path.write_text(with_project(text, block), encoding="utf-8")
    here = Installation.open(load_config(path, {}))
    fill(here.config.data / DATABASE, size, here.clock.now())
    house = house_of(here)
    cookie = f"{house.cookie}={house.sessions.begin(Viewer('viewer', Role.AGENCY))}"
    with socket.create_server((_HOST, 0)) as listening:
        number = listening.fileno()
        program = [sys.executable, "-m", "webordinary.dashboard.process"]
        process = Companion([*program, str(path), "", str(os.getpid()), str(number)], os.environ, keeps=(number,))
        try:
            yield _Dashboard(listening.getsockname()[1], process, cookie)
        finally:
            process.signal(signal.SIGKILL)
            process.bury()
