"""The dashboard's own figures: its requests since it started, and its viewers; a restart begins them anew."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Gauge, Histogram
from starlette.routing import Route

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LIMITS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)
_NOWHERE = "none"
ROUTE = "webordinary.route"


class OwnFigures:
    """What this process has answered, by route: a path as somebody typed it is never a label."""

    def __init__(
        self, registry: CollectorRegistry, count_sessions: Callable[[], int], count_viewers: Callable[[], int]
    ) -> None:
        self._requests = Histogram(
            "webordinary_dashboard_request_seconds",
            "How long the dashboard took for an answer; streams only until they began.",
            ("method", "route", "status"),
            registry=registry,
            buckets=_LIMITS,
        )
        sessions = Gauge("webordinary_dashboard_sessions", "Who is signed in.", registry=registry)
        sessions.set_function(count_sessions)
        viewers = Gauge(
            "webordinary_dashboard_viewers", "Pages that are open and update by themselves.", registry=registry
        )
        viewers.set_function(count_viewers)

    def note(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).observe(seconds)


class WithFigures:
    """Notes every answer when it begins."""

    def __init__(self, app: ASGIApp, figures: OwnFigures) -> None:
        self._app = app
        self._figures = figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        scope[ROUTE] = []

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._note(scope, message["status"], time.perf_counter() - began)
            await send(message)

        await self._app(scope, receive, noted)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in {"GET", "HEAD", "POST"} else "other"
        self._figures.note(method, (scope[ROUTE] or [_NOWHERE])[-1], status, seconds)


class NamedRoute(Route):
    """A route that says which one it was; of a path with somebody's words in it only the pattern is kept."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The scope may be another one than the one that came in; what is in it is the same.
        scope.get(ROUTE, []).append(f"{scope.get('root_path', '')}{self.path}")
        await super().handle(scope, receive, send)
