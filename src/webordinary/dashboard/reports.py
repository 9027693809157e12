"""What browsers report: something on a page that our policy did not let run; a line in the log, and few of them."""

from __future__ import annotations

import asyncio
import logging
import threading
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from starlette.responses import Response

from webordinary.mail.tokens import hide_tokens

if TYPE_CHECKING:
    from starlette.requests import Request

    from webordinary.clock import Clock

_log = logging.getLogger(__name__)
_LARGEST = 20_000
_SECONDS = 5
_A_MINUTE, _MOST_A_MINUTE = 60.0, 20
_LONGEST_WORD = 100


class Reports:
    """Takes reports from anybody and believes none: whatever comes, memory and log stay small."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._began, self._logged = 0.0, 0

    async def take(self, request: Request) -> Response:
        body = b""
        try:
            async with asyncio.timeout(_SECONDS):
                async for piece in request.stream():
                    body += piece
                    if len(body) > _LARGEST:
                        return Response(status_code=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        except TimeoutError:
            return Response(status_code=HTTPStatus.REQUEST_TIMEOUT)
        if (said := told_in(body)) and self._has_room():
            _log.warning("a browser did not run what stands on a page: %s", said)
        return Response(status_code=HTTPStatus.NO_CONTENT)

    def _has_room(self) -> bool:
        now = self._clock.now().wall_at.timestamp()
        with self._lock:
            if now - self._began >= _A_MINUTE:
                self._began, self._logged = now, 0
            self._logged += 1
            return self._logged <= _MOST_A_MINUTE


def told_in(body: bytes) -> str:
    """Return which rule stopped what on which page, without anybody's words and without secrets of addresses."""
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return ""
    first = found[0] if isinstance(found, list) and found else found
    told = first.get("csp-report") or first.get("body") if isinstance(first, dict) else None
    if not isinstance(told, dict):
        return ""
    rule = told.get("effective-directive") or told.get("effectiveDirective") or told.get("violated-directive")
    page = told.get("document-uri") or told.get("documentURL")
    what = told.get("blocked-uri") or told.get("blockedURL")
    return f"{_word(rule)} stopped {_place(what)} on {_place(page)}"


def _place(address: object) -> str:
    """Return an address without its query and without the token of a link, which are secrets."""
    try:
        parts = urlsplit(hide_tokens(str(address)))
    except ValueError:
        return "?"
    return _word(parts.netloc + parts.path or parts.scheme)


def _word(value: object) -> str:
    return "".join(letter for letter in str(value)[:_LONGEST_WORD] if letter.isprintable()) or "?"
