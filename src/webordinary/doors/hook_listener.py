"""The HTTP door: a provider's hook hands a mail in, which is durable before the hook hears "200"."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.doors.hook_door import HookDoor
from webordinary.doors.hook_visit import Visit
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from webordinary.config.hook import Hook
    from webordinary.intake import Intake

# How long a client may go on sending its mail when the listener is closed.
GRACE = timedelta(seconds=10)


class HookListener:
    """Listens in a thread with an event loop of its own."""

    def __init__(self, intake: Intake, hook: Hook, mark: str = "", *, grace: timedelta = GRACE) -> None:
        self.door = HookDoor(intake, hook, mark)
        self._hook = hook
        self._grace = grace
        self._inside: dict[asyncio.Task[None], Visit] = {}
        # Made in `start`: a loop that is never closed complains when the program ends.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._server: asyncio.Server | None = None

    @property
    def address(self) -> tuple[str, int]:
        """Where it really listens; the port is known only now when it was 0."""
        if self._server is None or not self._server.sockets:
            return self._hook.listen
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
            self._server = loop.run_until_complete(asyncio.start_server(self._come_in, *self._hook.listen))
        except OSError as error:
            self.close()
            raise Misconfigured(
                f"the HTTP door cannot use {self.where} ({error.strerror}): "
                "end the other program or set hook.listen to a free port"
            ) from error
        self._thread = threading.Thread(target=loop.run_forever, name="hook", daemon=True)
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
            loop.run_until_complete(self.door.finish())
        loop.close()

    async def _come_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visit = Visit(self.door, reader, writer)
        task = asyncio.current_task()
        if task is not None:
            self._inside[task] = visit
            task.add_done_callback(self._inside.pop)
        await visit.serve()

    async def _stop(self) -> None:
        self.door.is_closing = True
        if self._server is not None:
            self._server.close()
        self._hang_up(those_that_send=False)
        await self._wait_until_empty(self._grace)
        self._hang_up(those_that_send=True)
        # Only those are left whose mail is being stored, and the store does not take for ever.
        await self._wait_until_empty(None)
        await self.door.finish()

    def _hang_up(self, *, those_that_send: bool) -> None:
        for task, visit in list(self._inside.items()):
            if not visit.is_keeping and (those_that_send or not visit.is_receiving):
                task.cancel()

    async def _wait_until_empty(self, at_most: timedelta | None) -> None:
        if self._inside:
            seconds = None if at_most is None else at_most.total_seconds()
            await asyncio.wait(list(self._inside), timeout=seconds)
