"""Hooks as providers send them, written from their documentation, and a real door on loopback to send them to."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.doors.office import AMELIA, ANYWHERE, DOMAIN
from tests.rigs.embedded_ports import open_embedded_ports
from webordinary.doors.hook import Hook, PublicKey
from webordinary.doors.hook_listener import HookListener
from webordinary.intake import Intake

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.rigs.ports import Ports
    from webordinary.intake.trust import Trust
    from webordinary.mail.inbox import KeptMail

SECRET = "0123456789abcdef0123456789abcdef"
MAILGUN = "key-0123456789abcdef0123456789ab"
TOKEN = "a" * 50
_SENDGRID = ec.derive_private_key(0xC0FFEE, ec.SECP256R1())
SENDGRID = PublicKey(
    base64.b64encode(_SENDGRID.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()
)


@dataclass
class Booth:
    """One door, what it keeps, and how to reach it."""

    ports: Ports
    listener: HookListener

    def post(
        self, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None, method: str = "POST"
    ) -> tuple[int, str]:
        """Return the status and the words of the answer."""
        connection = HTTPConnection(*self.listener.address, timeout=60)
        try:
            connection.request(method, path, body, dict(headers or {}))
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def hand_in(self, hook: tuple[str, bytes, dict[str, str]]) -> int:
        return self.post(*hook)[0]

    def raw(self) -> socket.socket:
        return socket.create_connection(self.listener.address, timeout=60)

    def mails(self) -> list[bytes]:
        return [self.ports.engine.inbox.read(mail.id) for mail in reversed(self.ports.engine.overview.mails())]

    def kept(self) -> list[KeptMail]:
        found = [self.ports.engine.inbox.find(mail.id) for mail in reversed(self.ports.engine.overview.mails())]
        return [mail for mail in found if mail is not None]

    @property
    def now(self) -> int:
        return int(self.ports.clock.now().wall_at.timestamp())


def open_booth(folder: Path, *, reserve: int = 0, trust: Trust | None = None, **keys: object) -> Booth:
    """Open a door with every secret; whoever opens it closes it."""

    def make(ports: Ports, domain: str) -> Intake:
        return Intake(ports.engine, domain, ports.clock, ports.limits, trust=trust)

    return open_hook(folder, make, reserve=reserve, **keys)


def open_hook(folder: Path, make: Callable[[Ports, str], Intake], *, reserve: int = 0, **keys: object) -> Booth:
    """Open a door to an intake that somebody makes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "secret").write_text(f"{SECRET}\n")
    (folder / "mailgun").write_text(MAILGUN)
    ports = open_embedded_ports(folder, reserve=reserve)
    given = {"listen": ANYWHERE, "secret_file": folder / "secret", "mailgun_key_file": folder / "mailgun", **keys}
    listener = HookListener(make(ports, DOMAIN), Hook(**given))  # type: ignore[arg-type]  # each test knows its keys
    listener.start()
    return Booth(ports, listener)


def plain(raw: bytes, to: str = AMELIA, sender: str = "scott@example.org") -> tuple[str, bytes, dict[str, str]]:
    about = {"Content-Type": "message/rfc822", "X-Envelope-To": to, "X-Envelope-From": sender}
    return "/mail", raw, {**about, "Authorization": f"Bearer {SECRET}"}


def mailgun(
    raw: bytes, at: int, token: str = TOKEN, key: str = MAILGUN, *, in_parts: bool = False, to: str = AMELIA
) -> tuple[str, bytes, dict[str, str]]:
    """Write what a route with `forward("https://…/mailgun/mime")` posts."""
    seal = hmac.new(key.encode(), f"{at}{token}".encode(), hashlib.sha256).hexdigest()
    fields: dict[str, bytes | str] = {
        "recipient": to,
        "sender": "scott@example.org",
        "from": "Scott <scott@example.org>",
        "subject": "Hours",
        "timestamp": str(at),
        "token": token,
        "signature": seal,
        "body-mime": raw,
    }
    if in_parts:
        return "/mailgun/mime", *_in_parts(fields, "1d1f7e0c5b1a4b7e8c7f")
    return "/mailgun/mime", urlencode(fields).encode(), {"Content-Type": "application/x-www-form-urlencoded"}


def postmark(raw: bytes, to: str = AMELIA, secret: str = SECRET) -> tuple[str, bytes, dict[str, str]]:
    """Write what Postmark posts to `https://hook:SECRET@HOST/postmark`, with the raw mail included."""
    told = {
        "FromName": "Scott",
        "MessageStream": "inbound",
        "From": "scott@example.org",
        "FromFull": {"Email": "scott@example.org", "Name": "Scott", "MailboxHash": ""},
        "To": f"Amelia <{to}>",
        "ToFull": [{"Email": to, "Name": "Amelia", "MailboxHash": ""}],
        "Cc": "",
        "CcFull": [],
        "Bcc": "",
        "BccFull": [],
        "OriginalRecipient": to,
        "Subject": "Hours",
        "MessageID": "73e6d360-66eb-11e1-8e72-a8904824019b",
        "Date": "Fri, 1 Aug 2025 16:45:32 -04:00",
        "TextBody": "We open at nine.",
        "HtmlBody": "",
        "Headers": [{"Name": "X-Spam-Status", "Value": "No"}, {"Name": "Received-SPF", "Value": "Pass"}],
        "Attachments": [],
        "RawEmail": raw.decode(),
    }
    login = base64.b64encode(f"hook:{secret}".encode()).decode()
    return (
        "/postmark",
        json.dumps(told).encode(),
        {"Content-Type": "application/json", "Authorization": f"Basic {login}"},
    )


def sendgrid(raw: bytes, to: str = AMELIA, path: str = f"/sendgrid/{SECRET}") -> tuple[str, bytes, dict[str, str]]:
    """Write what Inbound Parse posts with “POST the raw, full MIME message”; its boundary is always the same."""
    fields: dict[str, bytes | str] = {
        "dkim": "{@example.org : pass}",
        "email": raw,
        "to": f"Amelia <{to}>",
        "from": "Scott <scott@example.org>",
        "sender_ip": "192.0.2.1",
        "spam_score": "0.0",
        "SPF": "pass",
        "envelope": json.dumps({"to": [to], "from": "scott@example.org"}),
        "subject": "Hours",
        "charsets": '{"to":"UTF-8"}',
    }
    return path, *_in_parts(fields, "xYzZY")


def signed_sendgrid(raw: bytes, at: int, over: bytes = b"") -> tuple[str, bytes, dict[str, str]]:
    """Write the same as a signed hook; `over` is what was signed instead."""
    path, body, headers = sendgrid(raw, path="/sendgrid")
    seal = _SENDGRID.sign(str(at).encode() + (over or body), ec.ECDSA(hashes.SHA256()))
    about = "X-Twilio-Email-Event-Webhook-"
    return path, body, {**headers, f"{about}Timestamp": str(at), f"{about}Signature": base64.b64encode(seal).decode()}


def _in_parts(fields: Mapping[str, bytes | str], boundary: str) -> tuple[bytes, dict[str, str]]:
    body = b""
    for name, value in fields.items():
        content = value if isinstance(value, bytes) else value.encode()
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + content + b"\r\n"
    return body + f"--{boundary}--\r\n".encode(), {"Content-Type": f"multipart/form-data; boundary={boundary}"}
