"""A post office for tests: a real listener on loopback over the real embedded engine, and clients of every manner."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.config import Listen
from webordinary.doors.listener import GRACE
from webordinary.doors.smtp import Smtp
from webordinary.doors.smtp_listener import SmtpListener
from webordinary.intake import Intake

if TYPE_CHECKING:
    from datetime import timedelta
    from pathlib import Path

    from tests.rigs.ports import Ports
    from webordinary.doors.smtp_door import Before
    from webordinary.mail.inbox import KeptMail
    from webordinary.overview import MailView

DOMAIN = "edit.example.com"
AMELIA = f"amelia@{DOMAIN}"
MAIL = (
    b"From: scott@example.org\r\nTo: amelia@edit.example.com\r\nSubject: Hours\r\n"
    b"Message-ID: <1@phone.example.org>\r\n\r\nWe open at nine.\r\n"
)
ANYWHERE = Listen(("127.0.0.1", 0))


@dataclass
class Office:
    """One listener, what it keeps, and how to reach it."""

    ports: Ports
    listener: SmtpListener

    def mails(self) -> list[bytes]:
        """Return every mail that was kept, oldest first."""
        return [self.ports.engine.inbox.read(mail.id) for mail in self._views()]

    def kept(self) -> list[KeptMail]:
        found = [self.ports.engine.inbox.find(mail.id) for mail in self._views()]
        return [mail for mail in found if mail is not None]

    def _views(self) -> list[MailView]:
        return list(reversed(self.ports.engine.overview.mails()))

    def raw(self, source: str = "127.0.0.1") -> Raw:
        return Raw(socket.create_connection(self.listener.address, timeout=30, source_address=(source, 0)))


class Raw:
    """A client that says whatever it likes."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._stream = connection.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._stream.close()
        self._connection.close()

    def say(self, text: bytes) -> None:
        self._connection.sendall(text)

    def hear(self) -> str:
        """Return the next whole answer, or nothing when the other side has hung up."""
        lines = []
        while True:
            line = self._stream.readline().decode()
            lines.append(line)
            if line[3:4] != "-":
                return "".join(lines).rstrip()

    def ask(self, line: bytes) -> str:
        self.say(line + b"\r\n")
        return self.hear()

    def begin_mail(self, recipient: str = AMELIA) -> None:
        """Come as far as the mail itself."""
        assert self.hear().startswith("220")
        for line in (b"EHLO phone.example.org", b"MAIL FROM:<scott@example.org>", f"RCPT TO:<{recipient}>".encode()):
            assert self.ask(line).startswith("250")
        assert self.ask(b"DATA").startswith("354")

    def leaves(self) -> bool:
        """Go without a word, and wait until the other side has noticed."""
        self._connection.shutdown(socket.SHUT_WR)
        return self._stream.read() is not None

    def has_ended(self) -> bool:
        try:
            return self._stream.read() == b""
        except ConnectionResetError:
            return True


def open_office(
    folder: Path, smtp: Smtp | None = None, before: Before | None = None, *, grace: timedelta = GRACE, reserve: int = 0
) -> Office:
    """Open a listener; whoever opens it closes it."""
    ports = open_embedded_ports(folder, reserve=reserve)
    intake = Intake(ports.engine, DOMAIN, ports.clock, ports.limits)
    listener = SmtpListener(intake, smtp or Smtp(listen=ANYWHERE), before, grace=grace)
    listener.start()
    return Office(ports, listener)
