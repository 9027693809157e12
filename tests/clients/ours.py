"""A mail of ours as it lies in a person's mailbox, ready to be answered."""

from __future__ import annotations

import email
import re
from dataclasses import dataclass, replace
from email.message import EmailMessage
from email.policy import default
from html import escape

_BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Ours:
    """What a mail program knows of the mail that is answered."""

    name: str
    address: str
    to: str
    subject: str
    message_id: str
    references: str
    text: str
    page: str

    @property
    def words(self) -> list[str]:
        return self.text.rstrip("\n").split("\n")

    def announced(self, pattern: str) -> str:
        return pattern.format(name=self.name, address=self.address)

    def announced_as_html(self, pattern: str) -> str:
        link = f'&lt;<a href="mailto:{self.address}">{self.address}</a>&gt;'
        return escape(pattern).format(name=escape(self.name), address="ADDRESS").replace("&lt;ADDRESS&gt;", link)


def without_marker(ours: Ours) -> Ours:
    """Return the mail as somebody answers it who has deleted our first line."""
    text = "\n".join(line for line in ours.words if "WebOrdinary:" not in line)
    return replace(ours, text=text.lstrip("\n") + "\n", page=re.sub(r"\^\^\^ WebOrdinary:[^<]*", "", ours.page))


def open_ours(raw: bytes) -> Ours:
    """Open one of our mails as a mail program would."""
    mail = email.message_from_bytes(raw, policy=default)
    assert isinstance(mail, EmailMessage)
    author = mail["From"].addresses[0]
    text, page = mail.get_body(("plain",)), mail.get_body(("html",))
    assert text is not None
    assert page is not None
    inside = _BODY.search(page.get_content())
    assert inside is not None
    return Ours(
        name=author.display_name,
        address=author.addr_spec,
        to=str(mail["To"]),
        subject=str(mail["Subject"]),
        message_id=str(mail["Message-ID"]),
        references=str(mail["References"] or ""),
        text=text.get_content(),
        page=inside[1].strip(),
    )
