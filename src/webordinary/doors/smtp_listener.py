"""The SMTP door: a mail is durable before the client hears "250", and is decided right after."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import threading
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.config.doors import Protocol
from webordinary.doors.smtp_connection import Connection, LmtpConnection
from webordinary.doors.smtp_door import Before, SmtpDoor
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.config.doors import Smtp
    from webordinary.intake import Intake

# How long a client may go on sending its mail when the listener is closed.
GRACE = timedelta(seconds=10)


class SmtpListener:
    """Listens in a thread with an event loop of its own, by SMTP or LMTP, at a port or at a Unix socket."""

    def __init__(self, intake: Intake, smtp: Smtp, before: Before | None = None, *, grace: timedelta = GRACE) -> None:
        self.door = SmtpDoor(intake, smtp, before or Before())
        self._smtp = smtp
        self._grace = grace
        self._inside: set[Connection] = set()
        # Made in `start`: a loop that is never closed complains when the program ends.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._server: asyncio.Server | None = None

    @property
    def address(self) -> tuple[str, int]:
        """Where it really listens; the port is known only now when it was 0. A Unix socket has no port."""
        if self._smtp.socket is not None:
            return str(self._smtp.socket), 0
        if self._server is None or not self._server.sockets:
            return self._smtp.listen
        host, port = self._server.sockets[0].getsockname()[:2]
        return str(host), int(port)

    @property
    def where(self) -> str:
        """The same for people."""
        host, port = self.address
        return host if self._smtp.socket else f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def start(self) -> None:
        loop = self._loop = asyncio.new_event_loop()
        try:
            self._server = loop.run_until_complete(self._listen(loop))
        except OSError as error:
            self.close()
            key = "smtp.socket to a path in a folder of yours" if self._smtp.socket else "smtp.listen to a free port"
            raise Misconfigured(
                f"the mail listener cannot use {self.where} ({error.strerror}): end the other program or set {key}"
            ) from error
        self._thread = threading.Thread(target=loop.run_forever, name="smtp", daemon=True)
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
        if self._server is not None and self._smtp.socket is not None:
            self._smtp.socket.unlink(missing_ok=True)

    async def _listen(self, loop: asyncio.AbstractEventLoop) -> asyncio.Server:
        kind = LmtpConnection if self._smtp.protocol is Protocol.LMTP else Connection

        def make() -> Connection:
            return kind(self.door, loop, self._inside)

        if self._smtp.socket is None:
            return await loop.create_server(make, *self._smtp.listen)
        _require_unused(self._smtp.socket)
        server = await loop.create_unix_server(make, str(self._smtp.socket))
        # As open as a port on loopback; who may come this far is the folder's business.
        self._smtp.socket.chmod(0o666)
        return server

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
        for connection in list(self._inside):
            if not connection.is_keeping and (those_that_send or not connection.is_receiving):
                connection.hang_up()

    async def _wait_until_empty(self, at_most: timedelta | None) -> None:
        if self._inside:
            seconds = None if at_most is None else at_most.total_seconds()
            await asyncio.wait([connection.gone for connection in self._inside], timeout=seconds)


def _require_unused(path: Path) -> None:
    """Refuse a socket at which somebody answers; one that was left behind by a crash is removed by the loop."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
