"""Mails as people write them, for tests and for the demo."""

from __future__ import annotations

from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


def write_mail(  # noqa: PLR0913 - a mail has this many sides; all are named
    *,
    sender: str | None,
    to: str,
    text: str,
    subject: str = "Our website",
    message_id: str | None = None,
    in_reply_to: str | None = None,
    written_at: datetime | None = None,
    files: tuple[tuple[str, str, bytes], ...] = (),
) -> bytes:
    """Return the bytes of a plain mail; `files` are (name, content type, content)."""
    mail = EmailMessage()
    if sender is not None:
        mail["From"] = sender
    mail["To"] = to
    mail["Subject"] = subject
    mail["Message-ID"] = message_id or make_msgid(domain="phone.example.org")
    if written_at is not None:
        mail["Date"] = format_datetime(written_at)
    if in_reply_to is not None:
        mail["In-Reply-To"] = in_reply_to
        mail["References"] = in_reply_to
    mail.set_content(text)
    for name, content_type, content in files:
        main, _, sub = content_type.partition("/")
        mail.add_attachment(content, maintype=main, subtype=sub, filename=name)
    return mail.as_bytes()
