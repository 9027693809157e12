"""`GET /events`: the stream of one page, as Server-Sent Events; it names what has changed and nothing else."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import PlainTextResponse

from webordinary.dashboard.live.seat import FIRST

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from webordinary.dashboard.house import House
    from webordinary.dashboard.live.seat import Seat

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store, no-transform"),
    # Without it nginx keeps events until it has a page full of them.
    (b"x-accel-buffering", b"no"),
]
_LONGEST_NUMBER = 20


class EventStream:
    """Answers each page with a stream of its own, until the page, the session or the dashboard is gone."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        secret = request.cookies.get(self._house.cookie)
        viewer = self._house.sessions.find(secret)
        if viewer is None or secret is None:
            await PlainTextResponse("Sign in first.", HTTPStatus.UNAUTHORIZED)(scope, receive, send)
            return
        seat = self._house.live.enter(viewer, secret, _heard_last(request))
        if seat is None:
            full = PlainTextResponse("Too many look already: the page asks from time to time.", 503)
            full.headers["retry-after"] = "30"
            await full(scope, receive, send)
            return
        try:
            await _speak(seat, receive, send)
        finally:
            self._house.live.leave(seat)


async def _speak(seat: Seat, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
    await send({"type": "http.response.body", "body": FIRST, "more_body": True})
    listening = asyncio.create_task(_end_with_browser(seat, receive))
    try:
        while not seat.is_over:
            said = await seat.take()
            await send({"type": "http.response.body", "body": said, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        listening.cancel()


async def _end_with_browser(seat: Seat, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    seat.end()


def _heard_last(request: Request) -> int | None:
    """Return the number that the page knows; a browser that comes back by itself says it in a header."""
    said = request.headers.get("last-event-id") or request.query_params.get("after", "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) <= _LONGEST_NUMBER else None
