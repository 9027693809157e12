"""The first look at a request: by which name it calls us, who sends it, and by which way it came."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from webordinary.mail.identity.origin import is_relay

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from webordinary.config.dashboard import Dashboard

_MOST_HOPS = 20
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::[0-9]{1,5})?", re.ASCII)


class Threshold:
    """Lets in what calls us by our name; what proxies say is believed only from those that are named."""

    def __init__(self, app: ASGIApp, asked: Dashboard) -> None:
        self._app = app
        self._asked = asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        seen = self._seen(scope, headers)
        answer = self._refusal(scope, seen, headers)
        await (answer or self._app)(seen, receive, send)

    def _seen(self, scope: Scope, headers: Headers) -> Scope:
        """Return the request as its sender sent it."""
        peer = (scope.get("client") or ("", 0))[0]
        if not is_relay(peer, self._asked.proxies):
            return scope
        # Some proxies write behind what a browser has sent, others a line of their own below it.
        hops = [hop.strip() for hop in ",".join(headers.getlist("x-forwarded-for")).split(",")][-_MOST_HOPS:]
        # The last one that is no proxy of ours is who came; what stands before it is only said.
        senders = [hop for hop in hops if hop and not is_relay(hop, self._asked.proxies)]
        usual = "https" if self._asked.is_secure else "http"
        said = [*headers.getlist("x-forwarded-proto")][-1:] or [usual]
        scheme = "http" if said[0] == "http" else "https"
        return {**scope, "client": ((senders or [peer])[-1][:100], 0), "scheme": scheme}

    def _refusal(self, scope: Scope, seen: Scope, headers: Headers) -> Response | None:
        asked = self._asked
        name = _host_in(headers.getlist("host"))
        if name not in asked.hosts:
            why = "This is not the name of this dashboard. Open its own address, or add the name to dashboard.names."
            return PlainTextResponse(why, HTTPStatus.MISDIRECTED_REQUEST)
        peer = (scope.get("client") or ("", 0))[0]
        if asked.proxies and asked.certificate is None and not is_relay(peer, asked.proxies):
            return PlainTextResponse("Come by the web server in front of this one.", HTTPStatus.FORBIDDEN)
        if asked.url and asked.is_secure and seen["scheme"] == "http":
            return _to_tls(asked.url, scope)
        return None


def _to_tls(url: str, scope: Scope) -> Response:
    if scope["method"] not in {"GET", "HEAD"}:
        return PlainTextResponse("Come by https.", HTTPStatus.FORBIDDEN)
    return RedirectResponse(f"{url.rstrip('/')}{quote(scope['path'])}", HTTPStatus.PERMANENT_REDIRECT)


def _host_in(values: list[str]) -> str | None:
    """Return the one name that a request calls us by, without its port; None if there is no such name."""
    found = _HOST.fullmatch(values[0]) if len(values) == 1 else None
    return found[1].strip("[]").lower() if found else None
