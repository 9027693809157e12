"""`/metrics`: the figures for Prometheus, for who asks from this machine or shows the token."""

from __future__ import annotations

from http import HTTPStatus
from ipaddress import ip_address
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response

from webordinary.config.figures import MetricsAccess
from webordinary.dashboard.figures.collect import InstallationFigures
from webordinary.dashboard.figures.own import OwnFigures
from webordinary.dashboard.tokens import ApiTokens
from webordinary.dashboard.viewer import Role
from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from starlette.requests import Request

    from webordinary.dashboard.house import House

PATH = "/metrics"
# What a server in front writes: then nobody knows whether the one who asks is on this machine.
_FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")


class MetricsDoor:
    """All figures of an installation and of this dashboard, in one answer."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(InstallationFigures(house.here))
        self.own = OwnFigures(self._registry, house.sessions.count, lambda: house.live.viewers)

    async def answer(self, request: Request) -> Response:
        asked = self._house.here.config.dashboard
        if asked.metrics is MetricsAccess.OFF:
            return PlainTextResponse("The figures are off: dashboard.metrics says so.\n", HTTPStatus.NOT_FOUND)
        if not (self._is_open(request) or self._shows_token(request)):
            why = "Show a reader's token: `webordinary token add prometheus --role reader` makes one.\n"
            return PlainTextResponse(why, HTTPStatus.UNAUTHORIZED, {"www-authenticate": "Bearer"})
        try:
            figures = await run_in_threadpool(generate_latest, self._registry)
        except TryAgain:
            # The store is busy or away: Prometheus shows a gap instead of something that is not so.
            return PlainTextResponse("The store does not answer now.\n", HTTPStatus.SERVICE_UNAVAILABLE)
        return Response(figures, headers={"content-type": CONTENT_TYPE_LATEST})

    def _is_open(self, request: Request) -> bool:
        asked = self._house.here.config.dashboard
        # What a proxy of this machine hands over comes from this machine, also if somebody else has sent it.
        if asked.metrics is not MetricsAccess.LOOPBACK or asked.proxies:
            return False
        is_forwarded = any(name in request.headers for name in _FORWARDED)
        return not is_forwarded and _is_loopback(request.client.host if request.client else "")

    def _shows_token(self, request: Request) -> bool:
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        house = self._house
        token = ApiTokens(house.sessions.folder, house.here.clock).find(secret.strip())
        return kind.lower() == "bearer" and token is not None and token.role.includes(Role.READER)


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
