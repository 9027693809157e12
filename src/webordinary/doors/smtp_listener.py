"""The SMTP door: a mail is durable before the client hears "250", and is decided right after."""

from __future__ import annotations

import errno
import os
import socket
from typing import TYPE_CHECKING

from webordinary.config.doors import Protocol
from webordinary.doors.listener import GRACE, Listener
from webordinary.doors.smtp_connection import Connection, LmtpConnection
from webordinary.doors.smtp_door import Before, SmtpDoor

if TYPE_CHECKING:
    import asyncio
    from datetime import timedelta
    from pathlib import Path

    from webordinary.config.doors import Smtp
    from webordinary.intake import Intake


class SmtpListener(Listener[Connection]):
    """Listens by SMTP or LMTP, at a port or at a Unix socket."""

    name = "smtp"
    called = "the mail listener"

    def __init__(self, intake: Intake, smtp: Smtp, before: Before | None = None, *, grace: timedelta = GRACE) -> None:
        self.door = SmtpDoor(intake, smtp, before or Before())
        super().__init__(self.door, smtp.listen, grace)
        self._smtp = smtp
        place = "smtp.socket to a path in a folder of yours" if smtp.socket else "smtp.listen to a free port"
        self.remedy = f"end the other program or set {place}"

    @property
    def address(self) -> tuple[str, int]:
        """Where it really listens; a Unix socket has no port."""
        return super().address if self._smtp.socket is None else (str(self._smtp.socket), 0)

    @property
    def where(self) -> str:
        return super().where if self._smtp.socket is None else str(self._smtp.socket)

    def close(self) -> None:
        is_open = self._loop is not None
        super().close()
        if is_open and self._server is not None and self._smtp.socket is not None:
            self._smtp.socket.unlink(missing_ok=True)

    async def _open(self, loop: asyncio.AbstractEventLoop) -> asyncio.Server:
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


def _require_unused(path: Path) -> None:
    """Refuse a socket at which somebody answers; one that was left behind by a crash is removed by the loop."""
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
