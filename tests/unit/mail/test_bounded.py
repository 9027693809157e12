"""Reading within our own limits: in a process that the kernel counts and ends."""

from __future__ import annotations

from datetime import timedelta

import pytest

from webordinary.errors import TryAgain
from webordinary.mail.mime.bounded import SMALL, read_apart, read_mail
from webordinary.mail.parse import body_of, parse_message

PHOTO = b"\xff\xd8\xff" + b"photo" * 50_000
LARGE = (
    b"From: Amelia <amelia@bakery.example>\r\nSubject: Photo\r\nMessage-ID: <one@bakery.example>\r\n"
    b"Date: Tue, 3 Nov 2026 10:00:00 +0100\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    b"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nGr\xc3\xb6\xc3\x9fer, bitte.\r\n"
    b"--b\r\nContent-Type: image/jpeg; name=a.jpg\r\nContent-ID: <a>\r\n\r\n" + PHOTO + b"\r\n--b--\r\n"
)
SPINS = "import resource as r\nr.setrlimit(r.RLIMIT_CPU, (1, 1))\nwhile True: pass"


def test_a_large_mail_is_read_apart_and_says_the_same() -> None:
    assert len(LARGE) > SMALL
    assert read_mail(LARGE) == parse_message(LARGE)
    assert read_apart(LARGE) == body_of(LARGE)


def test_a_mail_that_needs_too_much_memory_keeps_its_headers_and_says_so() -> None:
    body = read_apart(LARGE.replace(PHOTO, b"x" * 20_000_000), memory=64 * 1024 * 1024)
    assert (body.text, len(body.attachments)) == ("", 0)
    assert "300 MB" in (body.excess or "")


def test_a_reader_that_spins_is_ended_by_the_kernel() -> None:
    body = read_apart(LARGE, reader=("-S", "-c", SPINS))
    assert "2 seconds" in (body.excess or "")


def test_a_reader_that_fails_in_any_other_way_is_a_mail_that_cannot_be_read() -> None:
    assert read_apart(LARGE, reader=("-S", "-c", "raise SystemExit(7)")).excess is not None


def test_a_machine_without_time_is_no_reason_to_refuse_a_mail() -> None:
    with pytest.raises(TryAgain, match="later"):
        read_apart(LARGE, reader=("-S", "-c", "import signal; signal.pause()"), patience=timedelta(0))


def test_a_mail_that_is_too_hard_to_read_still_says_who_sent_it() -> None:
    message = read_mail(LARGE, reader=("-S", "-c", "raise SystemExit(3)"))
    assert (message.from_address, message.subject, message.text) == ("amelia@bakery.example", "Photo", "")
    assert message.excess is not None
