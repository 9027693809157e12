"""The SMTP door: a mail is durable before the client hears "250", and is decided right after."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import TYPE_CHECKING, AnyStr

from aiosmtpd.smtp import SMTP

from webordinary.audit.entry import Entry, What
from webordinary.errors import Misconfigured, Refused, TryAgain
from webordinary.intake import LARGEST_MAIL
from webordinary.mail.inbox import Envelope
from webordinary.mail.sender import Vouch
from webordinary.routing.route import is_ours

if TYPE_CHECKING:
    from aiosmtpd.smtp import Envelope as SmtpEnvelope
    from aiosmtpd.smtp import Session

    from webordinary.intake import Intake

_LONGEST_LINE = 65_536
_SECONDS = 60
_log = logging.getLogger(__name__)


class _Door:
    """What aiosmtpd calls; everything slow happens in a thread, so that the listener goes on listening."""

    def __init__(self, intake: Intake, *, trust_local: bool) -> None:
        self._intake = intake
        self._vouch = Vouch(None, "trusted local submission") if trust_local else None
        self._deciding: set[asyncio.Task[None]] = set()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: SmtpEnvelope, address: str, _options: list[str]
    ) -> str:
        if not is_ours(address, self._intake.domain):
            return "550 5.7.1 this server takes mail for its own projects only"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, session: Session, envelope: SmtpEnvelope
    ) -> str:
        raw = envelope.content if isinstance(envelope.content, bytes) else b""
        about = Envelope("smtp", tuple(envelope.rcpt_tos), envelope.mail_from, _peer(session), self._vouch)
        try:
            kept = await asyncio.to_thread(self._intake.receive, raw, about)
        except Refused as refused:
            return f"552 5.3.4 {refused}"
        except TryAgain:
            return "451 4.3.0 the mail could not be stored, please try again later"
        except Exception:  # noqa: BLE001 - whatever it is, the sender must hear that it was not stored
            _log.exception("a mail could not be stored")
            return "451 4.3.0 the mail could not be stored, please try again later"
        task = asyncio.create_task(self._decide(kept.mail))
        self._deciding.add(task)
        task.add_done_callback(self._deciding.discard)
        return f"250 2.0.0 accepted as {kept.mail}"

    async def _decide(self, mail: str) -> None:
        try:
            await asyncio.to_thread(self._intake.decide, mail)
        except Exception:  # noqa: BLE001 - a task that raises tells nobody
            # It stays undecided; the sweep of any worker decides it in half a minute.
            _log.exception("the mail %s could not be decided yet", mail)

    async def finish(self) -> None:
        if self._deciding:
            await asyncio.wait(self._deciding)


class _Server(SMTP):
    """Records a mail that is refused for its size, which the library does not tell anybody."""

    door_intake: Intake
    # Once for each connection: otherwise a stranger could fill the trail with one line of text.
    has_recorded = False

    async def push(self, status: AnyStr) -> None:
        if not self.has_recorded and str(status).startswith(("552", "b'552")):
            self.has_recorded = True
            now = self.door_intake.clock.now().wall_at
            sender = str(self.envelope.mail_from or "") if self.envelope else ""
            entry = Entry(
                What.MAIL_REFUSED,
                now,
                text="larger than 25 MB: ask for a smaller photo",
                facts={"sender": sender},
            )
            await asyncio.to_thread(self.door_intake.engine.trail.record, entry)
        await super().push(status)


class SmtpListener:
    """Listens in a thread with an event loop of its own."""

    def __init__(self, intake: Intake, listen: tuple[str, int], *, trust_local: bool) -> None:
        self._door = _Door(intake, trust_local=trust_local)
        self._intake = intake
        self._listen = listen
        # Made in `start`: a loop that is never closed complains when the program ends.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._server: asyncio.Server | None = None

    @property
    def address(self) -> tuple[str, int]:
        """Where it really listens; the port is known only now when it was 0."""
        if self._server is None:
            return self._listen
        host, port = self._server.sockets[0].getsockname()[:2]
        return str(host), int(port)

    def start(self) -> None:
        host, port = self._listen
        loop = self._loop = asyncio.new_event_loop()
        try:
            self._server = loop.run_until_complete(loop.create_server(self._make, host, port))
        except OSError as error:
            self.close()
            raise Misconfigured(
                f"the mail listener cannot use {host}:{port} ({error.strerror}): "
                "end the other program or set smtp.listen to a free port"
            ) from error
        self._thread = threading.Thread(target=loop.run_forever, name="smtp", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Decide what was accepted and stop listening; may be called twice."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        if self._thread is not None:
            asyncio.run_coroutine_threadsafe(self._stop(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            self._thread.join()
        loop.close()

    async def _stop(self) -> None:
        if self._server is not None:
            self._server.close()
        await self._door.finish()

    def _make(self) -> SMTP:
        server = _Server(
            self._door,
            hostname=self._intake.domain,
            data_size_limit=LARGEST_MAIL,
            enable_SMTPUTF8=True,
            timeout=_SECONDS,
            loop=self._loop,
        )
        server.line_length_limit = _LONGEST_LINE
        server.door_intake = self._intake
        return server


def _peer(session: Session) -> str | None:
    return str(session.peer[0]) if session.peer else None
