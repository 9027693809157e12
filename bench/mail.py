"""How long it takes to read a mail: its parts, who sent it, and what the person wrote."""

from __future__ import annotations

import base64
import random
import time
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING

from bench.figures import spread
from tests.signing import Signer, make_key
from webordinary.intake.hear import hear
from webordinary.mail.identity.judge import Judge
from webordinary.mail.inbox import Envelope
from webordinary.mail.mime.bounded import read_mail
from webordinary.mail.sender import Verdict
from webordinary.mail.words.quoting import MARKER
from webordinary.mail.words.sent import Sent
from webordinary.testing.dns import Zone

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.mail.message import Message
    from webordinary.mail.sender import Sender

_PHOTOS = 10
_PHOTO_BYTES = 750_000
_SIGNER = Signer("bakery.example", make_key(2048))
_US = "amelia@edit.example.com"
_OURS = f"{MARKER}\n\nDone, your change is live.\n" + "One more line of what we wrote.\n" * 60


def measure_mails(times: int) -> dict[str, object]:
    """Measure both mails, each signed by its domain and answering one of ours."""
    figures: dict[str, object] = {}
    small, large = _SIGNER.sign(_small()), _SIGNER.sign(_large())
    for name, raw, count in (("mail_of_5_kb", small, times * 10), ("mail_of_10_mb", large, times)):
        figures |= {**spread(name, [_measure(raw) for _ in range(count)])}
    return figures


def _measure(raw: bytes) -> int:
    judge = _judge()
    began = time.perf_counter_ns()
    message = read_mail(raw)
    sender = judge(raw, message)
    heard = hear(message, Sent.of([_OURS]))
    took = time.perf_counter_ns() - began
    if sender.verdict != Verdict.VERIFIED or heard.text != "We open at nine now.":
        raise AssertionError(f"The mail was read wrongly: {sender.reason} {heard.text!r}")
    return took


def _judge() -> Callable[[bytes, Message], Sender]:
    zone = Zone()
    _SIGNER.publish(zone)
    judge = Judge(zone, "edit.example.com")
    return lambda raw, message: judge.judge(raw, message, Envelope("deliver", (_US,)), datetime.now(UTC))


def _head() -> str:
    return (
        f"From: Amelia <amelia@bakery.example>\r\nTo: {_US}\r\nSubject: Re: Hours\r\nMessage-ID: <1@bakery.example>\r\n"
        f"Date: {format_datetime(datetime.now(UTC))}\r\nReferences: <webordinary.job.answer@edit.example.com>\r\n"
    )


def _words() -> str:
    quoted = "\r\n".join(f"> {line}" for line in _OURS.splitlines())
    return f"We open at nine now.\r\n\r\nOn 3 Nov 2026 at 10:00, Bakery <{_US}> wrote:\r\n{quoted}\r\n"


def _small() -> bytes:
    text = f"{_head()}Content-Type: text/plain; charset=utf-8\r\n\r\n{_words()}"
    return (text + "> \r\n" * ((5_000 - len(text)) // 4)).encode()


def _large() -> bytes:
    chance = random.Random(1)  # noqa: S311 - photos are noise to everything that reads a mail
    photos = [base64.encodebytes(chance.randbytes(_PHOTO_BYTES)).replace(b"\n", b"\r\n") for _ in range(_PHOTOS)]
    head = "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n"
    parts = [
        f"--b\r\nContent-Type: image/jpeg; name={number}.jpg\r\nContent-Transfer-Encoding: base64\r\n\r\n".encode()
        + photo
        for number, photo in enumerate(photos)
    ]
    return (_head() + head + _words()).encode() + b"".join(parts) + b"--b--\r\n"
