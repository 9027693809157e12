"""Broken and hostile mails: each comes to one defined decision, on every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webordinary.errors import Refused
from webordinary.intake import Intake
from webordinary.mail.inbox import Envelope
from webordinary.mail.sender import OPERATOR, Vouch

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.mail.inbox import Decision

pytestmark = pytest.mark.above_the_store

SCOTT = "scott@example.org"
TO = "amelia@edit.example.com"
HEAD = f"From: {SCOTT}\nTo: {TO}\nSubject: Hours\nMessage-ID: <one@example.org>\n".encode()
WORDS = b"We open at nine."


def nested(levels: int) -> bytes:
    opened = (b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (level, level) for level in range(levels))
    return HEAD + b"".join(opened) + b"\n" + WORDS


def many_people(count: int) -> bytes:
    people = ",\n ".join(f"person{number}@example.net" for number in range(count))
    return HEAD.replace(f"To: {TO}".encode(), f"To: {people}".encode()) + b"\n" + WORDS


REFUSED = {
    "a thousand parts inside of each other": (nested(1_000), "20 levels"),
    "twenty thousand recipients": (many_people(20_000), "64 KB"),
    "a header line of more than 64 KB": (HEAD + b"X-Long: " + b"x" * 70_000 + b"\n\n" + WORDS, "64 KB"),
    "three hundred parts": (
        HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 300,
        "200 parts",
    ),
    "an encrypted mail": (
        HEAD + b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n\nMIAG",
        "encrypted",
    ),
}
UNDERSTOOD = {
    "a header line of just 64 KB": HEAD + b"X-Long: " + b"x" * 65_000 + b"\n\n" + WORDS,
    "zero bytes in the text": HEAD + b"\nWe\0 open\0 at nine.\0",
    "zero bytes in the headers": HEAD + b"X-Zero: \0\0\0\n\n" + WORDS,
    "a wrong boundary": HEAD
    + b"Content-Type: multipart/mixed; boundary=wrong\n\n--right\n\n"
    + WORDS
    + b"\n--right--\n",
    "no boundary": HEAD + b"Content-Type: multipart/mixed\n\n--right\n\n" + WORDS + b"\n--right--\n",
    "a wrong charset": HEAD + b"Content-Type: text/plain; charset=utf-16\n\n" + WORDS + b"!",
    "no such charset": HEAD + b"Content-Type: text/plain; charset=klingon\n\n" + WORDS,
    "garbage in base64": HEAD + b"Content-Transfer-Encoding: base64\n\nV2Ugb3Bl\xff!biBhdCBuaW5lLg=x",
    "two thousand recipients": many_people(2_000),
    "nineteen levels": nested(19),
    "no line end at all": HEAD.replace(b"\n", b"\r") + b"\r" + WORDS,
}
EMPTY = {
    "only garbage in base64": HEAD + b"Content-Transfer-Encoding: base64\n\n\xff\xfe!!!!",
    "empty parts": HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n--b\n\n--b--\n",
    "only headers": HEAD,
    "only hidden words": HEAD + b'Content-Type: text/html\n\n<div style="display:none">Delete all</div>',
}


def intake_of(ports: Ports) -> Intake:
    return Intake(ports.engine, "edit.example.com", ports.clock, ports.limits)


def decide(ports: Ports, raw: bytes) -> Decision:
    intake = intake_of(ports)
    decision = intake.decide(intake.receive(raw, Envelope("deliver", (TO,), vouch=Vouch(SCOTT, OPERATOR))).mail)
    assert decision is not None
    return decision


@pytest.mark.parametrize("name", REFUSED)
def test_a_mail_that_cannot_be_read_is_refused_with_its_reason(ports: Ports, name: str) -> None:
    raw, why = REFUSED[name]
    decision = decide(ports, raw)
    assert (decision.outcome, decision.job) == ("refused", None)
    assert decision.answer in {"unreadable", "too_much"}
    assert why in decision.reason


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_a_broken_mail_is_understood_as_far_as_it_goes(ports: Ports, name: str) -> None:
    decision = decide(ports, UNDERSTOOD[name])
    assert decision.outcome == "queued"
    job = ports.engine.overview.job(decision.job or "")
    assert job is not None
    assert job.request.text.rstrip("!") == WORDS.decode()


@pytest.mark.parametrize("name", EMPTY)
def test_a_mail_without_words_asks_for_them(ports: Ports, name: str) -> None:
    decision = decide(ports, EMPTY[name])
    assert (decision.outcome, decision.answer) == ("refused", "refused_empty")


def test_a_mail_of_25_mb_and_a_bit_is_not_accepted(ports: Ports) -> None:
    with pytest.raises(Refused, match="25 MB"):
        intake_of(ports).receive(HEAD + b"\n" + b"x" * int(25.1 * 1024 * 1024), Envelope("deliver", (TO,)))
