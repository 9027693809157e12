"""What one mail listener knows and does for all its connections: recipients, logins, and keeping mails."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.audit.entry import Entry, EventType
from webordinary.doors.certificate import Certificate
from webordinary.doors.keeping import Keeping, in_thread, peer_of
from webordinary.doors.room import Room, is_relay
from webordinary.doors.smtp import Protocol
from webordinary.doors.users import Users
from webordinary.errors import Refused, TryAgain, WebOrdinaryError
from webordinary.mail.inbox import Envelope
from webordinary.mail.sender import Vouch
from webordinary.routing.route import is_ours

if TYPE_CHECKING:
    import ssl

    from aiosmtpd.smtp import SMTP, Session
    from aiosmtpd.smtp import Envelope as SmtpEnvelope

    from webordinary.doors.smtp import Smtp
    from webordinary.intake import Intake

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Before:
    """What surrounds a door: the servers in front of it, under which name they judge senders, and whose door it is."""

    relays: tuple[str, ...] = ()
    authserv_id: str | None = None
    # Which installation this is, for a program that asks what listens here.
    mark: str = ""


class SmtpDoor:
    """Everything slow happens in threads, so that the listener goes on listening."""

    def __init__(self, intake: Intake, smtp: Smtp, before: Before) -> None:
        self.intake = intake
        self.smtp = smtp
        self.room = Room(smtp.connections, smtp.connections_each, before.relays)
        self.is_closing = False
        self.ident = f"WebOrdinary {before.mark}".rstrip()
        self._before = before
        self._certificate = Certificate(smtp.certificate, smtp.key) if smtp.certificate and smtp.key else None
        self._users = Users(smtp.users) if smtp.users else None
        if self._users is not None:
            self._users.look()
        self._keeping = Keeping(intake, "smtp")
        # One at a time: a password costs time and memory on purpose, which a stranger must not multiply.
        self._porter = ThreadPoolExecutor(1, "smtp-log-in")

    def tls(self) -> ssl.SSLContext | None:
        return self._certificate.context() if self._certificate else None

    @property
    def has_users(self) -> bool:
        return self._users is not None

    async def log_in(self, name: str, password: str) -> str | None:
        """Return the address of who this is, or None."""
        if self._users is None:
            return None
        return await in_thread(self._porter, self._users.log_in, name, password)

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's name and arguments
        self, _server: SMTP, session: Session, _envelope: SmtpEnvelope, name: str, offers: list[str]
    ) -> list[str]:
        session.host_name = name
        kept = [offer for offer in offers[1:] if self.has_users or not offer.startswith("250-AUTH")]
        return [offers[0], "250-PIPELINING", *kept]

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name and arguments
        self, _server: SMTP, _session: Session, envelope: SmtpEnvelope, address: str, _options: list[str]
    ) -> str:
        if not is_ours(address, self.intake.domain):
            return "550 5.7.1 this server takes mail for its own projects only"
        if len(envelope.rcpt_tos) >= self.smtp.recipients:
            return "452 4.5.3 this mail has enough recipients, please send the others another one"
        if not await self._keeping.knows(address):
            return "550 5.1.1 nobody here has this address"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_exception(self, error: Exception) -> str:
        # Nothing of the error is told: it would be a stranger who reads it.
        _log.error("a mail client could not be served", exc_info=error)
        return "451 4.3.0 something is wrong here, please try again later"

    async def keep(self, raw: bytes, session: Session, envelope: SmtpEnvelope) -> str:
        """Make the mail durable and return the SMTP reply; the mail is decided right after."""
        try:
            mail = await self._keeping.keep(raw, self._about(session, envelope))
        except Refused as refused:
            return f"552 5.3.4 {refused}"
        except TryAgain as later:
            _log.warning("a mail was put off: %s", later)
            return "452 4.3.1 the mail could not be stored, please try again later"
        except Exception:  # noqa: BLE001 - whatever it is, the sender must hear that it was not stored
            _log.exception("a mail could not be stored")
            return "451 4.3.0 the mail could not be stored, please try again later"
        return f"250 2.0.0 accepted as {mail}"

    async def record_refused_size(self, sender: str) -> None:
        """Write down that somebody's mail was too large, which nobody else would ever learn."""
        now = self.intake.clock.now().wall_at
        text = "larger than 25 MB: ask for a smaller photo"
        entry = Entry(EventType.MAIL_REFUSED, now, text=text, facts={"sender": sender})
        try:
            await self._keeping.record(entry)
        except WebOrdinaryError:
            # The client still has to hear that the mail was too large.
            _log.exception("a refused mail could not be recorded")

    async def finish(self) -> None:
        """Decide what was accepted."""
        await self._keeping.finish()
        self._porter.shutdown()

    def _about(self, session: Session, envelope: SmtpEnvelope) -> Envelope:
        peer = None if self.smtp.protocol is Protocol.LMTP else peer_of(session.peer)
        is_behind_ours = self.smtp.protocol is Protocol.LMTP or (peer and is_relay(peer, self._before.relays))
        return Envelope(
            self.smtp.protocol.value,
            tuple(dict.fromkeys(envelope.rcpt_tos)),
            mail_from="" if envelope.mail_from == "<>" else envelope.mail_from,
            peer=peer,
            vouch=Vouch(None, "trusted local submission") if self.smtp.trust_local else None,
            helo=session.host_name,
            user=session.auth_data if session.authenticated else None,
            authserv_id=self._before.authserv_id if is_behind_ours else None,
        )
