"""Hands a finished mail over: to an outgoing SMTP server, or into a maildir on this machine."""

from __future__ import annotations

import contextlib
import mailbox
import smtplib
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from email.parser import BytesHeaderParser
from email.utils import parseaddr
from typing import TYPE_CHECKING, Protocol

from webordinary.engines.embedded.smtp_token import TokenLogin, show_token
from webordinary.errors import JobFailed, Misconfigured, TryAgain
from webordinary.oauth.tokens import Tokens
from webordinary.reply.outbox import AddressRefused, ServerRefuses
from webordinary.routing.project import fold_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

_SECONDS = 60
# Shorter than the time for which the outbox reserves a letter.
_IN_ALL = timedelta(seconds=90)
# A person waits for it.
_TO_REHEARSE = timedelta(seconds=20)
_WELCOME = 220
_REFUSED = 400
_PERMANENT = 500
# What is not allowed, and not who is not there (RFC 3463).
_FORBIDDEN = b"5.7."
_ASKED_ABOUT = 4


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """How far a mail would come at the outgoing server: the last step, and what the server said to it."""

    step: str
    code: int
    said: str
    is_encrypted: bool = False


class MailTransport(Protocol):
    """Takes a mail or raises TryAgain; JobFailed when the server will never take it."""

    def deliver(self, raw: bytes, to: str) -> None: ...


class MaildirTransport:
    """Drops the mails to every recipient into one maildir: for the demo and for trying things out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def deliver(self, raw: bytes, to: str) -> None:
        try:
            # Also those inside of it: Python makes them only together with the folder.
            for part in ("tmp", "new", "cur"):
                (self._folder / part).mkdir(parents=True, exist_ok=True)
            mailbox.Maildir(self._folder).add(raw)
        except OSError as error:
            raise TryAgain(f"the maildir {self._folder} could not take the mail to {to} ({error})") from error


class SmtpTransport:
    """One connection for each mail, with a password or a token; answers are rare, and servers forget who is idle.

    Without `sender` a mail that cannot be delivered comes back to the address that it is from.
    """

    def __init__(  # noqa: PLR0913 - a server has this many sides; all but the first two are named
        self,
        host: str,
        port: int,
        *,
        tls: bool,
        user: str | None,
        password: str | Tokens | Callable[[], str] | None,
        plain_password: bool = False,
        sender: str | None = None,
        others: Sequence[str] = (),
        within: timedelta = _IN_ALL,
    ) -> None:
        self._host = host
        self._port = port
        self._tls = tls
        self._user = user
        self._password = password
        self._plain_password = plain_password
        self._sender = sender
        # People whom the server should know: a server that refuses them too refuses everybody.
        self._others = tuple(others)
        self._within = within

    def deliver(self, raw: bytes, to: str) -> None:
        try:
            self._with_a_key(lambda server: self._send(server, raw, to))
        except smtplib.SMTPRecipientsRefused as error:
            code, said = max(error.recipients.values())
            if code >= _PERMANENT and not said.startswith(_FORBIDDEN):
                raise AddressRefused(f"the outgoing server refused the address for good ({error})") from error
            # Who may send is our setup too: nobody's address is to blame when the server is no relay for us.
            raise TryAgain(f"the outgoing server does not take mail to that address now ({error})") from error
        except smtplib.SMTPDataError as error:
            raise self._refusal(error.smtp_code, str(error)) from error
        except (OSError, smtplib.SMTPException) as error:
            # Also a refused password or sender: that is our setup, and is mended without losing a letter.
            raise TryAgain(f"the outgoing server {self._host}:{self._port} did not take the mail ({error})") from error

    def log_in(self) -> None:
        """Come in and go again, as `doctor` does."""
        try:
            self._with_a_key(lambda _: None)
        except (OSError, smtplib.SMTPException) as error:
            raise TryAgain(f"the outgoing server {self._host}:{self._port} does not let us in ({error})") from error

    def rehearse(self, sender: str, to: str) -> Rehearsal:
        """Come as far as a mail to that address would, send none, and say how far that was."""
        heard: list[Rehearsal] = []
        try:
            self._with_a_key(lambda server: heard.append(_ask(server, sender, to)), min(self._within, _TO_REHEARSE))
        except smtplib.SMTPResponseException as error:
            text = error.smtp_error
            told = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
            return Rehearsal("login", error.smtp_code, told)
        except smtplib.SMTPNotSupportedError:
            return Rehearsal("login", 0, "")
        except (OSError, smtplib.SMTPException) as error:
            raise TryAgain(f"{self._host}:{self._port} did not answer to the end ({error})") from error
        return heard[-1]

    def _with_a_key(self, act: Callable[[smtplib.SMTP], None], within: timedelta | None = None) -> None:
        """Do something at the server, with a token if need be; all tries together have one limit."""
        ends_at = time.monotonic() + (within or self._within).total_seconds()

        def come_in(token: str | None) -> None:
            with self._open(token, ends_at - time.monotonic()) as server:
                act(server)

        try:
            if not isinstance(self._password, Tokens):
                come_in(None)
                return
            self._password.use(come_in, f"{self._user} at {self._host}")
        except Misconfigured as problem:
            # The secret cannot be read, say: it is mended without losing a letter.
            raise TryAgain(str(problem)) from problem

    def _send(self, server: smtplib.SMTP, raw: bytes, to: str) -> None:
        sender = self._sender if self._sender is not None else author_of(raw)
        try:
            server.sendmail(sender, [to], raw)
        except smtplib.SMTPRecipientsRefused as refused:
            code, _ = max(refused.recipients.values())
            if code >= _PERMANENT and not self._takes_anybody(server, sender, to):
                raise ServerRefuses(
                    f"the outgoing server {self._host}:{self._port} takes no mail for anybody ({refused})"
                ) from refused
            raise

    def _takes_anybody(self, server: smtplib.SMTP, sender: str, but: str) -> bool:
        """Ask about a few others in the same visit; our own address is known to a server even where nobody else is."""
        known = {fold_address(other): other for other in (*self._others, sender) if other}
        known.pop(fold_address(but), None)
        asked = list(known.values())[:_ASKED_ABOUT]
        return any(_ask(server, sender, other).code < _PERMANENT for other in asked)

    @contextlib.contextmanager
    def _open(self, token: str | None, seconds: float) -> Iterator[smtplib.SMTP]:
        server = self._server()
        # A server that sends a little now and then never runs into the limit of a single read.
        limit = threading.Timer(max(seconds, 0.0), _hang_up, (server,))
        limit.daemon = True
        limit.start()
        try:
            self._greet(server, token)
            if limit.finished.is_set():
                raise TryAgain(f"the outgoing server {self._host}:{self._port} took too long to greet")
            yield server
        finally:
            # What was taken is taken, whatever the server says to the goodbye.
            with contextlib.suppress(OSError):
                server.quit()
            limit.cancel()
            server.close()

    def _server(self) -> smtplib.SMTP:
        if self._tls:
            server: smtplib.SMTP = smtplib.SMTP_SSL(timeout=_SECONDS, context=ssl.create_default_context())
        else:
            server = smtplib.SMTP(timeout=_SECONDS)
        # The name for the certificate, which smtplib takes only from those who let it connect at once.
        vars(server)["_host"] = self._host
        return server

    def _greet(self, server: smtplib.SMTP, token: str | None) -> None:
        code, text = server.connect(self._host, self._port)
        if code != _WELCOME:
            raise smtplib.SMTPConnectError(code, text)
        server.ehlo_or_helo_if_needed()
        if not self._tls and server.has_extn("starttls"):
            server.starttls(context=ssl.create_default_context())
        if isinstance(self._password, Tokens):
            place = TokenLogin(self._host, self._port, self._user or "")
            show_token(server, place, token or "", self._password.login.mechanism)
        elif self._user and (password := self._password() if callable(self._password) else self._password):
            self._require_secrecy(server)
            server.login(self._user, password)

    def _require_secrecy(self, server: smtplib.SMTP) -> None:
        # Whoever sits on the way can keep a server's offer to encrypt from us.
        if not isinstance(server.sock, ssl.SSLSocket) and not self._plain_password:
            why = "does not encrypt, so it is shown no password; write smtps:// or the port where it offers STARTTLS"
            raise Misconfigured(f"{self._host}:{self._port} {why}")

    def _refusal(self, code: int, text: str) -> Exception:
        if code >= _PERMANENT:
            return JobFailed(f"the outgoing server refused the mail for good ({text})")
        return TryAgain(f"the outgoing server asked to try again later ({text})")


def _ask(server: smtplib.SMTP, sender: str, to: str) -> Rehearsal:
    is_encrypted = isinstance(server.sock, ssl.SSLSocket)
    step, (code, said) = "sender", server.mail(sender)
    if code < _REFUSED:
        step, (code, said) = "recipient", server.rcpt(to)
    server.rset()
    return Rehearsal(step, code, said.decode(errors="replace"), is_encrypted=is_encrypted)


def author_of(raw: bytes) -> str:
    """Return the address in the From of a mail that we have written."""
    return parseaddr(BytesHeaderParser().parsebytes(raw).get("From", ""))[1]


def _hang_up(server: smtplib.SMTP) -> None:
    line = server.sock
    if line is not None:
        # Past the encryption, which another thread is reading from.
        with contextlib.suppress(OSError):
            socket.socket.shutdown(line, socket.SHUT_RDWR)
