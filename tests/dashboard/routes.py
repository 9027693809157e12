"""Every way into the dashboard, read from the application itself, and how each role comes to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route

from tests.dashboard.face import csrf_in
from webordinary.dashboard.viewer import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.testclient import TestClient

    from tests.dashboard.face import Face

TABLE = Path(__file__).with_name("roles.txt")
WHO = ("everybody", *(role.value for role in Role))
# They do not end by themselves; tests of their own listen to them.
STREAMS = frozenset({"/events"})
# Programs come with tokens and without a session; test_api.py tries each role at each of its routes.
API = "/api/v1"
_PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")


def all_routes(face: Face) -> list[tuple[str, str]]:
    """Return the method and the path of every route; what is mounted stands below its own path."""
    return sorted(set(_routes(_starlette(face.app).routes, "")))


def _starlette(app: object) -> Starlette:
    while not isinstance(app, Starlette):
        app = next(value for name, value in vars(app).items() if name in {"_app", "app"})
    return app


def _routes(routes: list[BaseRoute], above: str) -> Iterator[tuple[str, str]]:
    for each in routes:
        if isinstance(each, Route):
            yield from ((method, above + each.path) for method in (each.methods or {"GET"}) - {"HEAD"})
        elif isinstance(each, Mount) and each.path != API:
            below = list(each.routes)
            yield from _routes(below, above + each.path) if below else [("GET", f"{above}{each.path}/{{path:path}}")]


def filled(path: str, **known: str) -> str:
    """Return a path with its parameters: those that are known, and a made-up one for each other."""
    return _PARAMETER.sub(lambda found: known.get(found[1], "nothing"), path)


def read_table() -> dict[tuple[str, str], frozenset[str]]:
    """Return who may go where, as it is written down."""
    lines = [line.split() for line in TABLE.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return {(method, path): frozenset(who) for method, path, *who in lines}


def visit(browser: TestClient, method: str, path: str, token: str) -> tuple[int, str]:
    """Open a page or send a form, as a browser would; return the answer's number and where it leads."""
    answer = browser.get(path) if method == "GET" else browser.request(method, path, data={"csrf": token})
    return answer.status_code, answer.headers.get("location", "")


def was_let_in(status: int, location: str) -> bool:
    """Tell whether somebody came as far as the page itself: it may still say that there is no such job."""
    return status not in {401, 403} and not location.startswith("/sign-in?next")


def token_of(browser: TestClient) -> str:
    """Return what the forms of this session send back."""
    return csrf_in(browser.get("/no-such-page").text)
