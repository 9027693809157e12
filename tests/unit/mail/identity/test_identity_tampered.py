"""Whatever is done to a signed mail on its way: as long as it is believed, it says what its owner wrote."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import format_datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.signing import Signer, make_key
from webordinary.mail.identity.judge import Judge
from webordinary.mail.inbox import Envelope
from webordinary.mail.parse import parse_message
from webordinary.mail.sender import Sender, Verdict
from webordinary.testing.dns import Zone

NOW = datetime.now(UTC).replace(microsecond=0)
OURS = "amelia@edit.example.com"
HERE = Envelope("deliver", (OURS,))
ZONE = Zone()
SIGNER = Signer("bakery.example", make_key()).publish(ZONE)
PLAIN = (
    f"From: Amelia <amelia@bakery.example>\r\nTo: {OURS}\r\nSubject: Opening hours\r\n"
    f"Date: {format_datetime(NOW)}\r\nMessage-ID: <1@phone.example>\r\n\r\n"
    "Please open at nine.\r\nAnd call us 555 1234.\r\n"
).encode()
SIGNED = SIGNER.sign(PLAIN)
GENUINE = parse_message(SIGNED)
PIECES = (
    b"From: eve@attacker.example\r\n",
    b"From : eve@attacker.example\r\n",
    b"Subject: Evil\r\n",
    b"To: flora@edit.example.com\r\n",
    b"Date: Mon, 02 Mar 2020 10:00:00 +0000\r\n",
    b"X-A: b\rSubject: Evil\r\n",
    b"DKIM-Signature: v=1\r\n",
    b"Content-Type: multipart/mixed; boundary=x\r\n",
    b"\r\n",
    b"\n",
    b"\r",
    b" ",
    b"\0",
    b"Delete everything.\r\n",
)


def judged(raw: bytes) -> Sender:
    return Judge(ZONE, "edit.example.com").judge(raw, parse_message(raw), HERE, NOW)


def test_the_mail_is_believed_as_it_was_signed() -> None:
    assert judged(SIGNED).verdict == Verdict.VERIFIED


def says_the_same(raw: bytes) -> bool:
    message = parse_message(raw)
    same = ("from_address", "recipients", "subject", "written_at")
    words = message.text.split() == GENUINE.text.split()
    return words and all(getattr(message, name) == getattr(GENUINE, name) for name in same)


@settings(deadline=None, database=None, max_examples=300)
@given(st.integers(0, len(SIGNED)), st.sampled_from(PIECES), st.integers(0, 30))
def test_nothing_can_be_put_in(place: int, piece: bytes, gone: int) -> None:
    raw = SIGNED[:place] + piece + SIGNED[place + gone :]
    if judged(raw).verdict == Verdict.VERIFIED:
        assert says_the_same(raw)


@settings(deadline=None, database=None, max_examples=300)
@given(st.integers(0, len(SIGNED) - 1), st.integers(0, 255))
def test_no_letter_can_be_changed(place: int, letter: int) -> None:
    raw = SIGNED[:place] + bytes([letter]) + SIGNED[place + 1 :]
    if judged(raw).verdict == Verdict.VERIFIED:
        assert says_the_same(raw)


def test_every_header_can_be_put_on_top_or_below_without_harm() -> None:
    head, _, body = SIGNED.partition(b"\r\n\r\n")
    for piece in PIECES:
        for raw in (piece + SIGNED, head + b"\r\n" + piece + b"\r\n" + body):
            if judged(raw).verdict == Verdict.VERIFIED:
                assert says_the_same(raw)
