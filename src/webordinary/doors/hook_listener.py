"""The HTTP door: a provider's hook hands a mail in, which is durable before the hook hears "200"."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING

import h11

from webordinary.doors.hook_door import HookAnswer, HookDoor
from webordinary.doors.hook_ways import HookCall
from webordinary.doors.keeping import peer_of
from webordinary.doors.listener import GRACE, Listener

if TYPE_CHECKING:
    from datetime import timedelta

    from webordinary.doors.hook import Hook
    from webordinary.doors.hook_ways import HookProvider
    from webordinary.intake import Intake


_PIECE = 64 * 1024
# A client that is refused in the middle of a mail has to hear it, or retries: so the rest is read, but not for ever.
_SECONDS_TO_HEAR_US = 20.0
_MOST_UNHEARD = 128 * 1024 * 1024
# Each piece costs the same, however small: a megabyte in crumbs would keep a core busy for seconds.
_PIECES_OF_ANY_SIZE = 1000
_USUAL_PIECE = 128
_FULL = HookAnswer(503, "there are too many connections, please try again later")
_CROWDED = HookAnswer(503, "too much mail comes in at once, please try again later")
_CLOSING = HookAnswer(503, "this server is being stopped, please try again")
_SLOW = HookAnswer(408, "that took too long, please try again")
_TOO_LARGE = "the mail is larger than 25 MB"
_log = logging.getLogger(__name__)


class Visit:
    """A connection is for one mail: whatever comes behind it is nobody's request."""

    def __init__(self, door: HookDoor, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._door = door
        self._reader = reader
        self._writer = writer
        self._wire = h11.Connection(h11.SERVER)
        self._reserved = 0
        self._is_head = False
        self._has_answered = False
        self.is_receiving = False
        self.is_keeping = False
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.current_task()

    def hang_up(self) -> None:
        """Tell the client that the door is about to close."""
        if self._task is not None:
            self._task.cancel()

    async def serve(self) -> None:
        """Hear the client out, answer and leave."""
        try:
            await self._be_served()
        finally:
            self.gone.set_result(None)

    async def _be_served(self) -> None:
        peer = peer_of(self._writer.get_extra_info("peername"))
        if self._door.is_closing or not self._door.room.enter(peer):
            self._writer.write(self._spelled(_FULL))
            self._writer.close()
            return
        try:
            await self._leave_with(await self._answer())
        except asyncio.CancelledError:
            if not self._has_answered:
                self._writer.write(self._spelled(_CLOSING))
        except ConnectionError:
            _log.debug("a hook's client went away")
        finally:
            self._door.room.leave(peer)
            self._door.room.give_back(self._reserved)
            self._writer.close()

    async def _answer(self) -> HookAnswer | None:
        try:
            return await self._hear()
        except TimeoutError:
            return _SLOW
        except h11.RemoteProtocolError as problem:
            return HookAnswer(problem.error_status_hint, "this is no request that can be read")

    async def _hear(self) -> HookAnswer | None:
        async with asyncio.timeout(self._door.hook.head_deadline.total_seconds()):
            request = await self._next()
        if not isinstance(request, h11.Request):
            return None
        call = _call(request)
        self._is_head = call.method == "HEAD"
        way = self._door.find_way(call)
        if isinstance(way, HookAnswer):
            return way
        self.is_receiving = True
        async with asyncio.timeout(self._door.hook.mail_deadline.total_seconds()):
            body = await self._read_body(call, way)
        if isinstance(body, HookAnswer):
            return body
        self.is_keeping = True
        try:
            return await self._door.take(call, way, body)
        finally:
            self.is_receiving = self.is_keeping = False

    async def _read_body(self, call: HookCall, way: HookProvider) -> bytes | HookAnswer:
        announced = call.headers.get("content-length", "0")
        body, size, pieces = bytearray(), 0, 0
        if int(announced) > way.most:
            return await self._too_large(call, way)
        while isinstance(event := await self._next(), h11.Data):
            size, pieces = size + len(event.data), pieces + 1
            if pieces > _PIECES_OF_ANY_SIZE + size // _USUAL_PIECE:
                return HookAnswer(way.wrong, "the mail comes in too small pieces")
            if size > way.most:
                return await self._too_large(call, way)
            if not self._door.room.take(len(event.data)):
                return _CROWDED
            self._reserved += len(event.data)
            body += event.data
        if not isinstance(event, h11.EndOfMessage):
            raise ConnectionResetError
        return bytes(body)

    async def _too_large(self, call: HookCall, way: HookProvider) -> HookAnswer:
        if not way.by_secret:
            # Nobody has proven anything yet, and strangers do not write into our records.
            return HookAnswer(way.never, _TOO_LARGE)
        return await self._door.refuse(way, call.path.strip("/").partition("/")[0], _TOO_LARGE)

    async def _next(self) -> object:
        while (event := self._wire.next_event()) is h11.NEED_DATA:
            if self._wire.they_are_waiting_for_100_continue:
                self._writer.write(self._wire.send(h11.InformationalResponse(status_code=100, headers=[])) or b"")
            self._wire.receive_data(await self._reader.read(_PIECE))
        return event

    async def _leave_with(self, answer: HookAnswer | None) -> None:
        """Say it, and read what the client still sends until it has heard us."""
        if answer is None:
            return
        self._has_answered = True
        self._writer.write(self._spelled(answer))
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_SECONDS_TO_HEAR_US):
                await self._writer.drain()
                if self._wire.their_state is not h11.DONE:
                    await self._hear_out()
        self._writer.close()

    async def _hear_out(self) -> None:
        self._writer.write_eof()
        unheard = 0
        while unheard < _MOST_UNHEARD and (piece := await self._reader.read(_PIECE)):
            unheard += len(piece)

    def _spelled(self, answer: HookAnswer) -> bytes:
        """Write the answer by hand: the request may be one that the library gives up on."""
        text = f"{answer.text}\n".encode()
        head = [
            f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}",
            f"Server: {self._door.ident}",
            "Content-Type: text/plain; charset=utf-8",
            f"Content-Length: {len(text)}",
            "Connection: close",
        ]
        return "\r\n".join([*head, "", ""]).encode() + (b"" if self._is_head else text)


def _call(request: h11.Request) -> HookCall:
    """Read what h11 has checked; a header that is repeated counts as its first."""
    headers: dict[str, str] = {}
    for name, value in request.headers:
        headers.setdefault(name.decode("ascii"), value.decode("latin-1"))
    path = request.target.decode("ascii").partition("?")[0]
    return HookCall(request.method.decode("ascii"), path, headers)


class HookListener(Listener[Visit]):
    """Listens for hooks at a port."""

    name = "hook"
    called = "the HTTP door"
    remedy = "end the other program or set hook.listen to a free port"

    def __init__(self, intake: Intake, hook: Hook, mark: str = "", *, grace: timedelta = GRACE) -> None:
        self.door = HookDoor(intake, hook, mark)
        super().__init__(self.door, hook.listen, grace)

    async def _open(self, loop: asyncio.AbstractEventLoop) -> asyncio.Server:
        del loop
        return await asyncio.start_server(self._come_in, *self._listen_at)

    async def _come_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visit = Visit(self.door, reader, writer)
        self._inside.add(visit)
        try:
            await visit.serve()
        finally:
            self._inside.discard(visit)
