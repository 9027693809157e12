"""Every page and every list of the API with a million jobs: the time that the server takes for each."""

from __future__ import annotations

import time
from collections import defaultdict
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.testclient import TestClient

from bench.figures import NANOSECONDS_OF_A_MILLISECOND, percentile
from webordinary.config import example_config, load_config, project_block
from webordinary.dashboard.api.routes import ROUTES
from webordinary.dashboard.app import make_app
from webordinary.dashboard.house import House
from webordinary.dashboard.process import sessions_of
from webordinary.dashboard.routes import PAGES
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role, Viewer
from webordinary.engines.installation import Installation

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bench.place import Place

_REPEATS = 5
_PROJECTS = 100
# What the routes with a name in them are asked for; what there is none of is not counted.
_NAMES = defaultdict(
    lambda: "none",
    {"job": "job-100007", "mail": "mail-100007", "project": "project-7", "lane": "project-7%23user-7"},
)
_SMALLER = {"job": "job-1007", "mail": "mail-1007"}
_QUESTIONS = (
    "/?show=dead",
    "/?show=held",
    "/jobs?state=dead",
    "/jobs?state=done",
    "/jobs?state=queued",
    "/jobs?project=project-7",
    "/jobs?sender=nobody",
    "/mail?outcome=held",
    "/mail?project=project-7",
    "/mail?sender=nobody",
    "/search?q=open",
    "/search?q=sundays+nine+open",
    "/search?q=open*",
    "/search?q=nowhere",
)
# Whole files, one row after the other for as long as somebody reads; and pages of another server or without a session.
_NO_PAGES = (".csv", ".ics", "/provider", "/raw", "/events")


def measure_pages(place: Place, jobs: int) -> dict[str, object]:
    """Ask for each page several times and name the slowest."""
    browser, calls = _visitors(place)
    names = _NAMES if jobs > int(_NAMES["job"].partition("-")[2]) else _NAMES | _SMALLER
    took = {path: _measure(browser, path) for path in _paths(names)}
    took |= {path: _measure(calls, path) for path in _lists(names)}
    shown = {path: found for path, found in took.items() if found is not None}
    slowest = max(shown, key=lambda path: shown[path])
    return {
        "slowest_page_ms_at_1m": shown[slowest],
        "slowest_page_at_1m": slowest,
        "pages_at_1m": {"ms": [{"page": path, "ms": found} for path, found in sorted(shown.items())]},
    }


def _visitors(place: Place) -> tuple[TestClient, TestClient]:
    """Return somebody with a session and a program with a token."""
    here = Installation.open(load_config(_configured(place), {}))
    house = House(here, sessions_of(here))
    app = make_app(house)
    browser = TestClient(app, base_url="http://127.0.0.1", headers={"sec-fetch-site": "same-origin"})
    browser.post("/sign-in", data={"link": house.sessions.new_link(Viewer("amy", Role.AGENCY))})
    secret = ApiTokens(house.sessions.folder, here.clock).add("bench", Role.AGENCY, (), "bench")
    return browser, TestClient(app, base_url="http://127.0.0.1", headers={"authorization": f"Bearer {secret}"})


def _configured(place: Place) -> Path:
    path = place.folder / "webordinary.toml"
    blocks = [
        project_block(
            id=f"project-{number}", repository=str(place.folder / "none"), editors=[("user", "scott@example.org")]
        )
        for number in range(_PROJECTS)
    ]
    text = example_config(domain="edit.localhost", data=str(place.folder.absolute()))
    path.write_text("\n".join([text, *blocks]), encoding="utf-8")
    return path


def _paths(names: dict[str, str]) -> Iterator[str]:
    for page in PAGES:
        path = page.path.format_map(names)
        if page.method == "GET" and page.role is not None and not any(part in path for part in _NO_PAGES):
            yield path
    yield from _QUESTIONS


def _lists(names: dict[str, str]) -> Iterator[str]:
    for route in ROUTES:
        if route.method == "GET":
            yield f"/api/v1{route.path.format_map(names)}"


def _measure(client: TestClient, path: str) -> float | None:
    """Return the middle of several, in milliseconds; None for what there is not, such as a build log."""
    took = []
    for _ in range(_REPEATS):
        began = time.perf_counter_ns()
        answer = client.get(path, follow_redirects=False)
        took.append(time.perf_counter_ns() - began)
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise RuntimeError(f"{path} is broken: {answer.status_code}")
        if answer.status_code != HTTPStatus.OK:
            return None
    return round(percentile(took, 50) / NANOSECONDS_OF_A_MILLISECOND, 2)
