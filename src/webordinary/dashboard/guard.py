"""What every answer says to the browser, and whether a form was sent from one of our own pages."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

REPORTS = "/csp-report"
_ALLOWED = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "frame-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    # Not `report-to`: browsers then keep reports for a minute, and send none without TLS.
    "report-uri": REPORTS,
}
POLICY = "; ".join(f"{what} {where}" for what, where in _ALLOWED.items())
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


_OF_TLS = {"strict-transport-security": "max-age=31536000"}


class WithHeaders:
    """Gives every answer its headers; a page that has a policy of its own keeps it."""

    def __init__(self, app: ASGIApp, *, is_secure: bool = False) -> None:
        self._app = app
        self._headers = {**_HEADERS, **(_OF_TLS if is_secure else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                more = [(n.encode(), v.encode()) for n, v in self._headers.items() if n.encode() not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        await self._app(scope, receive, guarded)


def comes_from_our_page(headers: Mapping[str, str]) -> bool:
    """Tell whether a browser sent this from one of our pages; browsers say it, and other pages cannot forge it."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")
