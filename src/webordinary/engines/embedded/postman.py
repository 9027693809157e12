"""Hands a finished mail over: to an outgoing SMTP server, or into a maildir on this machine."""

from __future__ import annotations

import mailbox
import smtplib
import ssl
from typing import TYPE_CHECKING, Protocol

from webordinary.errors import JobFailed, TryAgain

if TYPE_CHECKING:
    from pathlib import Path

_SECONDS = 60
_PERMANENT = 500


class Postman(Protocol):
    """Takes a mail or raises TryAgain; JobFailed when the server will never take it."""

    def deliver(self, raw: bytes, to: str) -> None: ...


class MaildirPostman:
    """Drops each mail into one maildir, whoever it is for: for the demo and for trying things out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def deliver(self, raw: bytes, to: str) -> None:
        try:
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            mailbox.Maildir(self._folder).add(raw)
        except OSError as error:
            raise TryAgain(f"the maildir {self._folder} could not take the mail to {to} ({error})") from error


class SmtpPostman:
    """One connection for each mail; answers are rare and servers forget idle connections."""

    def __init__(self, host: str, port: int, *, tls: bool, user: str | None, password: str | None, sender: str) -> None:
        self._host = host
        self._port = port
        self._tls = tls
        self._user = user
        self._password = password
        self._sender = sender

    def deliver(self, raw: bytes, to: str) -> None:
        try:
            with self._connect() as server:
                server.sendmail(self._sender, [to], raw)
        except smtplib.SMTPRecipientsRefused as error:
            code = max(code for code, _ in error.recipients.values())
            raise self._refusal(code, str(error)) from error
        except smtplib.SMTPResponseException as error:
            raise self._refusal(error.smtp_code, str(error)) from error
        except (OSError, smtplib.SMTPException) as error:
            raise TryAgain(f"the outgoing server {self._host}:{self._port} did not take the mail ({error})") from error

    def _connect(self) -> smtplib.SMTP:
        if self._tls:
            context = ssl.create_default_context()
            server: smtplib.SMTP = smtplib.SMTP_SSL(self._host, self._port, timeout=_SECONDS, context=context)
        else:
            server = smtplib.SMTP(self._host, self._port, timeout=_SECONDS)
            server.ehlo_or_helo_if_needed()
            if server.has_extn("starttls"):
                server.starttls(context=ssl.create_default_context())
        if self._user and self._password:
            server.login(self._user, self._password)
        return server

    def _refusal(self, code: int, text: str) -> Exception:
        if code >= _PERMANENT:
            return JobFailed(f"the outgoing server refused the mail for good ({text})")
        return TryAgain(f"the outgoing server asked to try again later ({text})")
