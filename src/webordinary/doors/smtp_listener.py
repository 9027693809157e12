"""The SMTP door: a mail is durable before the client hears "250", and is decided right after."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
from typing import TYPE_CHECKING, AnyStr

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword, syntax

from webordinary.doors.keeping import peer_of
from webordinary.doors.listener import GRACE, Listener
from webordinary.doors.smtp import Protocol
from webordinary.doors.smtp_data import LONGEST_LINE, normalised, problem_with, read_mail
from webordinary.doors.smtp_door import Before, SmtpDoor
from webordinary.intake import LARGEST_MAIL

if TYPE_CHECKING:
    from datetime import timedelta
    from pathlib import Path

    from aiosmtpd.smtp import Envelope, Session

    from webordinary.doors.smtp import Smtp
    from webordinary.intake import Intake


# A client that is refused this often is guessing.
_MOST_REFUSALS = 30
_MOST_LOGINS = 3
# A mail needs one for each recipient and a few more; who goes on without one only holds the line.
_MOST_ANSWERS = 200
_SECONDS_TO_HEAR_US = 5
_FULL = "421 4.7.0 there are too many connections, please try again later"
_SLOW = "421 4.4.2 that took too long, please try again"
_GUESSING = "421 4.7.0 that was refused too often"
_IDLE = "421 4.7.0 that was a lot of commands without a mail"
_CLOSING = "421 4.3.2 this server is being stopped, please try again"

_POSTMASTER = "TO:<POSTMASTER>"
# A mail grows on its way by the dots before dots, at most one for each line, and by what ends it.
_MOST_CARRIED = LARGEST_MAIL + LARGEST_MAIL // 10
_log = logging.getLogger(__name__)
# The library's own log repeats what strangers write, and warns of its own past.
logging.getLogger("mail.log").setLevel(logging.CRITICAL)


class Connection(SMTP):
    """One connection, from its greeting to its end; everything that a client can do to us ends by itself."""

    # The library gives it to its reader when that is made, so it must be known before.
    line_length_limit = LONGEST_LINE
    answers_each = False

    def __init__(self, door: SmtpDoor, loop: asyncio.AbstractEventLoop, inside: set[Connection]) -> None:
        super().__init__(
            door,
            hostname=door.intake.domain,
            ident=door.ident,
            data_size_limit=LARGEST_MAIL,
            enable_SMTPUTF8=True,
            timeout=door.smtp.command_deadline.total_seconds(),
            tls_context=door.tls(),
            auth_require_tls=not door.smtp.is_local,
            authenticator=_ask_later,
            loop=loop,
        )
        self._door = door
        self._inside = inside
        self._peer: str | None = None
        self._end: asyncio.TimerHandle | None = None
        self._refusals = 0
        self._answers = 0
        self._failed_logins = 0
        self._reserved = 0
        self._is_over = False
        self._has_recorded_size = False
        self.is_receiving = False
        self.is_keeping = False
        self.gone: asyncio.Future[None] = loop.create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if self in self._inside:
            # The same connection, encrypted from here on.
            super().connection_made(transport)
            return
        self._peer = peer_of(transport.get_extra_info("peername"))
        if self._door.is_closing or not self._door.room.enter(self._peer):
            _turn_away(transport)
            return
        self._inside.add(self)
        seconds = self._door.smtp.session_deadline.total_seconds()
        self._end = self.loop.call_later(seconds, self._expire)
        super().connection_made(transport)
        if self._handler_coroutine is not None:
            self._handler_coroutine.add_done_callback(_look_at_error)

    def connection_lost(self, error: Exception | None) -> None:
        if self in self._inside:
            self._inside.discard(self)
            self._door.room.leave(self._peer)
            self.gone.set_result(None)
        if self._end is not None:
            self._end.cancel()
        super().connection_lost(error)

    def hang_up(self, status: str = _CLOSING) -> None:
        """Say why and close, whether the client listens or not."""
        transport = self.transport
        if not isinstance(transport, asyncio.Transport) or transport.is_closing():
            return
        transport.write(f"{status}\r\n".encode())
        transport.close()
        self.loop.call_later(_SECONDS_TO_HEAR_US, self._be_gone, transport)

    def _be_gone(self, transport: asyncio.Transport) -> None:
        """Leave for certain: a place that is never given back is lost for everybody."""
        transport.abort()
        if self in self._inside:
            self.connection_lost(None)

    def _timeout_cb(self) -> None:
        # While its mail is being stored the client waits for us.
        if not self.is_keeping:
            self.hang_up(_SLOW)

    def _expire(self) -> None:
        self._is_over = True
        self._timeout_cb()

    async def push(self, status: AnyStr) -> None:
        text = _text(status)
        if text.startswith("552") and not self._has_recorded_size:
            # Once for each connection: otherwise a stranger could fill the trail with one line of text.
            self._has_recorded_size = True
            await self._door.record_refused_size(str(self.envelope.mail_from or "") if self.envelope else "")
        await super().push(status)
        self._refusals += text.startswith("5")
        # An answer of several lines is one, and none is broken off.
        self._answers += text.startswith("2") and text[3:4] != "-"
        if self._refusals >= _MOST_REFUSALS:
            self.hang_up(_GUESSING)
        elif self._answers > _MOST_ANSWERS:
            self.hang_up(_IDLE)

    @syntax("STARTTLS", when="tls_context")
    async def smtp_STARTTLS(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        await super().smtp_STARTTLS(arg)
        has_begun = self._original_transport is not None
        if has_begun and self.session is not None and self.session.ssl is None:
            # The client went away before it had shaken hands, of which nobody else tells us.
            self.connection_lost(None)

    @syntax("RCPT TO: <address>", extended=" [SP <mail-parameters>]")
    async def smtp_RCPT(self, arg: str | None) -> None:  # noqa: N802 - aiosmtpd's name
        if arg and arg.replace(" ", "").upper() == _POSTMASTER:
            # The one address that needs no domain.
            arg = f"TO:<postmaster@{self.hostname}>"
        await super().smtp_RCPT(arg)

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        if self.session is None or self.envelope is None or await self.check_helo_needed():
            return
        if arg or not self.envelope.rcpt_tos:
            await self.push("501 Syntax: DATA" if arg else "503 Error: need RCPT command")
            return
        answers = len(self.envelope.rcpt_tos) if self.answers_each else 1
        status = await self._receive(self.session, self.envelope)
        self._answers = 0
        for _ in range(answers):
            await self.push(status)
        self.envelope = self._create_envelope()
        if self._door.is_closing or self._is_over:
            self.hang_up()

    async def _receive(self, session: Session, envelope: Envelope) -> str:
        """Read one mail, make it durable, and return the reply to DATA."""
        self._reset_timeout(self._door.smtp.mail_deadline.total_seconds())
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        self.is_receiving = True
        try:
            raw, refusal = await read_mail(self._reader, self._refuse)
            refusal = refusal or problem_with(raw)
            self.is_keeping = refusal is None
            return refusal or await self._door.keep(normalised(raw), session, envelope)
        finally:
            self.is_receiving = self.is_keeping = False
            self._give_back()
            self._reset_timeout()

    def _refuse(self, size: int) -> str | None:
        if size > _MOST_CARRIED:
            return "552 5.3.4 the mail is larger than 25 MB"
        if not self._door.room.take(size - self._reserved):
            return "452 4.3.1 too much mail comes in at once, please try again later"
        self._reserved = size
        return None

    def _give_back(self) -> None:
        self._door.room.give_back(self._reserved)
        self._reserved = 0

    async def auth_PLAIN(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802 - aiosmtpd's name
        return await self._log_in(await super().auth_PLAIN(server, args))

    async def auth_LOGIN(self, server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802 - aiosmtpd's name
        return await self._log_in(await super().auth_LOGIN(server, args))

    async def _log_in(self, asked: AuthResult) -> AuthResult:
        if not isinstance(asked.auth_data, LoginPassword):
            # It never came to a name and a password, and the client knows why.
            return asked
        name, password = (part.decode("utf-8", "replace") for part in asked.auth_data)
        user = await self._door.log_in(name, password)
        if user is not None:
            return AuthResult(success=True, auth_data=user)
        self._failed_logins += 1
        _log.warning("%s could not log in at the mail listener as %r", self._peer, name[:100])
        if self._failed_logins >= _MOST_LOGINS:
            self._refusals = _MOST_REFUSALS
        return AuthResult(success=False, handled=False)


class LmtpConnection(Connection):
    """The same for a mail server in front of us: another greeting, and an answer for each recipient."""

    answers_each = True

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        await super().smtp_EHLO(arg)

    async def smtp_HELO(self, _arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        await self.push("500 5.5.1 this is LMTP: say LHLO")

    async def smtp_EHLO(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
        await self.smtp_HELO(arg)


def _ask_later(_server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: object) -> AuthResult:
    """Only hand name and password on: whether they are right is found out in a thread, because it takes long."""
    return AuthResult(success=False, handled=False, auth_data=data)


def _text(status: str | bytes) -> str:
    return status.decode() if isinstance(status, bytes) else status


def _turn_away(transport: asyncio.BaseTransport) -> None:
    if isinstance(transport, asyncio.Transport):
        transport.set_protocol(asyncio.Protocol())
        transport.write(f"{_FULL}\r\n".encode())
        transport.close()


def _look_at_error(task: asyncio.Task[None]) -> None:
    """Look at it, or asyncio complains that nobody did: a client that went away is no error of ours."""
    if not task.cancelled() and task.exception() is not None:
        _log.debug("a mail client went away", exc_info=task.exception())


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
