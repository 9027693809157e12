"""What every listener does: listen in a thread of its own, and close without losing a mail that is on its way."""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from datetime import timedelta
from typing import Generic, Protocol, TypeVar

from webordinary.errors import Misconfigured

# How long a client may go on sending its mail when the listener is closed.
GRACE = timedelta(seconds=10)


class Guarded(Protocol):
    """What a listener tells its door."""

    is_closing: bool

    async def finish(self) -> None: ...


class Client(Protocol):
    """Somebody who has come in."""

    is_receiving: bool
    is_keeping: bool
    gone: asyncio.Future[None]

    def hang_up(self) -> None: ...


C = TypeVar("C", bound=Client)


class Listener(ABC, Generic[C]):
    """Listens in a thread with an event loop of its own."""

    # The thread's name, how people call it, and what to do when its place is taken.
    name: str
    called: str
    remedy: str

    def __init__(self, door: Guarded, listen: tuple[str, int], grace: timedelta) -> None:
        self._guarded = door
        self._listen_at = listen
        self._grace = grace
        self._inside: set[C] = set()
        # Made in `start`: a loop that is never closed complains when the program ends.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._server: asyncio.Server | None = None

    @property
    def address(self) -> tuple[str, int]:
        """Where it really listens; the port is known only now when it was 0."""
        if self._server is None or not self._server.sockets:
            return self._listen_at
        host, port = self._server.sockets[0].getsockname()[:2]
        return str(host), int(port)

    @property
    def where(self) -> str:
        """The same for people."""
        host, port = self.address
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def start(self) -> None:
        loop = self._loop = asyncio.new_event_loop()
        try:
            self._server = loop.run_until_complete(self._open(loop))
        except OSError as error:
            self.close()
            raise Misconfigured(f"{self.called} cannot use {self.where} ({error.strerror}): {self.remedy}") from error
        self._thread = threading.Thread(target=loop.run_forever, name=self.name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let unfinished mails come to their end, decide what was accepted and stop; may be called twice."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        if self._thread is not None:
            asyncio.run_coroutine_threadsafe(self._stop(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            self._thread.join()
        else:
            loop.run_until_complete(self._guarded.finish())
        loop.close()

    @abstractmethod
    async def _open(self, loop: asyncio.AbstractEventLoop) -> asyncio.Server: ...

    async def _stop(self) -> None:
        self._guarded.is_closing = True
        if self._server is not None:
            self._server.close()
        self._hang_up(those_that_send=False)
        await self._wait_until_empty(self._grace)
        self._hang_up(those_that_send=True)
        # Only those are left whose mail is being stored, and the store does not take for ever.
        await self._wait_until_empty(None)
        await self._guarded.finish()

    def _hang_up(self, *, those_that_send: bool) -> None:
        for client in list(self._inside):
            if not client.is_keeping and (those_that_send or not client.is_receiving):
                client.hang_up()

    async def _wait_until_empty(self, at_most: timedelta | None) -> None:
        if self._inside:
            seconds = None if at_most is None else at_most.total_seconds()
            await asyncio.wait([client.gone for client in self._inside], timeout=seconds)
