"""Hands a mail to an SMTP server as a mail program does: for the demo and for tries."""

from __future__ import annotations

import smtplib
from typing import TYPE_CHECKING

from webordinary.errors import Refused, TryAgain

if TYPE_CHECKING:
    from collections.abc import Sequence

_SECONDS = 30
_PERMANENT = 500


def submit(raw: bytes, host: str, port: int, sender: str, recipients: Sequence[str]) -> str:
    """Send the mail to all recipients or to none, and return what the server said when it took it."""
    try:
        with smtplib.SMTP(host, port, timeout=_SECONDS) as server:
            server.ehlo_or_helo_if_needed()
            _expect(server.mail(sender))
            for recipient in recipients:
                _expect(server.rcpt(recipient))
            return _expect(server.data(raw))
    except smtplib.SMTPResponseException as error:
        raise _refusal(error.smtp_code, error.smtp_error) from error
    except (OSError, smtplib.SMTPException) as error:
        raise TryAgain(f"The mail server at {host}:{port} did not take the mail ({error}).") from error


def _expect(answer: tuple[int, bytes]) -> str:
    code, text = answer
    if code not in {250, 251}:
        raise _refusal(code, text)
    return text.decode(errors="replace")


def _refusal(code: int, text: bytes | str) -> Refused | TryAgain:
    said = text.decode(errors="replace") if isinstance(text, bytes) else text
    sentence = f"The mail server refused the mail: {code} {said}."
    return Refused(sentence) if code >= _PERMANENT else TryAgain(sentence)
