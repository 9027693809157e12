"""The SMTP door and what no mail program would send."""

from __future__ import annotations

import smtplib
from typing import TYPE_CHECKING

import pytest

from tests.doors.office import AMELIA, MAIL

if TYPE_CHECKING:
    from tests.doors.office import Office

SECOND = b"MAIL FROM:<owner@example.org>\r\nRCPT TO:<amelia@edit.example.com>\r\nDATA\r\n" + MAIL + b".\r\n"


def is_serving(office: Office) -> bool:
    with smtplib.SMTP(*office.listener.address) as client:
        return client.sendmail("scott@example.org", [AMELIA], MAIL + b"still here\r\n") == {}


@pytest.mark.parametrize("end", [b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\n\n.\r\n"], ids=repr)
def test_a_line_feed_alone_ends_a_line_and_never_a_mail(office: Office, end: bytes) -> None:
    with office.raw() as client:
        client.begin_mail()
        client.say(MAIL + b"first" + end + SECOND)
        assert client.hear().startswith("250")
        # A server that was taken in by the false end would now answer the hidden commands.
        assert client.ask(b"NOOP").startswith("250")
    (mail,) = office.mails()
    assert mail.startswith(MAIL + b"first\r\n")
    assert mail.endswith(b"DATA\r\n" + MAIL)
    assert mail.count(b"\n") == mail.count(b"\r\n")


@pytest.mark.parametrize("end", [b"\r.\r", b"\r\n.\r", b"\r.\r\n", b"\r\r\n.\r\r\n", b"\n.\r", b"a\rb"], ids=repr)
def test_a_carriage_return_alone_is_refused(office: Office, end: bytes) -> None:
    with office.raw() as client:
        client.begin_mail()
        client.say(MAIL + b"first" + end + SECOND)
        assert client.hear().startswith("550 5.6.11")
        assert client.ask(b"NOOP").startswith("250")
    assert office.mails() == []


def test_a_nul_before_the_dot_ends_nothing(office: Office) -> None:
    raw = MAIL + b"first\r\n\x00.\r\nsecond\r\n"
    with office.raw() as client:
        client.begin_mail()
        client.say(raw + b".\r\n")
        assert client.hear().startswith("250")
    assert office.mails() == [raw]


def test_zero_bytes_and_bytes_above_ascii_are_kept_as_they_came(office: Office) -> None:
    raw = MAIL + bytes(byte for byte in range(256) if byte not in b"\r\n") + b"\r\n"
    with smtplib.SMTP(*office.listener.address) as client:
        client.sendmail("scott@example.org", [AMELIA], raw)
    assert office.mails() == [raw]


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        (b".\r\n", b""),
        (b"\r\n.\r\n", b"\r\n"),
        (b"a\r\n.\r\n", b"a\r\n"),
        (b"..\r\n.\r\n", b".\r\n"),
        (b"a\r\n..b\r\n...\r\n.\r\n", b"a\r\n.b\r\n..\r\n"),
        (b".unstuffed\r\n.\r\n", b"unstuffed\r\n"),
        (b"\r\n" * 1_500_000 + b".\r\n", b"\r\n" * 1_500_000),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_dots_are_read_as_the_standard_says(office: Office, sent: bytes, meant: bytes) -> None:
    with office.raw() as client:
        client.begin_mail()
        client.say(sent)
        assert client.hear().startswith("250")
        assert client.ask(b"NOOP").startswith("250")
    assert office.mails() == [meant]


def test_a_mail_in_small_pieces_is_the_same_mail(office: Office) -> None:
    whole = MAIL + b"..dots\r\n"
    with office.raw() as client:
        client.begin_mail()
        for byte in whole + b".\r\n":
            client.say(bytes([byte]))
        assert client.hear().startswith("250")
    assert office.mails() == [MAIL + b".dots\r\n"]


def test_everything_in_one_packet_is_two_mails(office: Office) -> None:
    other = SECOND.replace(b"nine", b"ten")
    with office.raw() as client:
        client.say(b"EHLO phone.example.org\r\n" + SECOND + other + b"QUIT\r\n")
        answers = [client.hear()[:3] for _ in range(11)]
        assert client.has_ended()
    assert answers == ["220", "250", "250", "250", "354", "250", "250", "250", "354", "250", "221"]
    assert office.mails() == [MAIL, MAIL.replace(b"nine", b"ten")]


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) * 4,
        b"GET / HTTP/1.1\r\nHost: edit.example.com\r\n\r\n" * 20,
        b"\xff\xfe\r\n" * 50,
        b"\r\n" * 500,
        b"EHLO " + b"x" * 200_000 + b"\r\n",
        b"MAIL FROM:<" + b"(" * 450 + b"\r\n",
        b"EHLO a\r\nMAIL FROM:" + b"(" * 450 + b"\r\n",
        b"EHLO a\r\nMAIL FROM:<" + b'"' * 401 + b">\r\n",
        b"EHLO a\r\nMAIL FROM:<\xed\xa0\x80@x.example>\r\nRCPT TO:<amelia\x00@edit.example.com>\r\n",
        b"EHLO a\r\nAUTH PLAIN =\r\nAUTH LOGIN\r\n*\r\nAUTH " + b"x" * 400 + b"\r\n",
        b"STARTTLS\r\nEHLO a\r\nSTARTTLS\r\n",
        b"DATA\r\nRCPT TO:<a>\r\nRSET\r\nRSET now\r\nVRFY\r\nHELP HELP\r\nEXPN x\r\nBDAT 100000 LAST\r\n",
    ],
    ids=lambda value: repr(value[:30]),
)
def test_garbage_is_answered_or_hung_up_on_and_others_are_served(office: Office, garbage: bytes) -> None:
    with office.raw() as client:
        client.say(garbage + b"\r\nQUIT\r\n")
        heard = []
        while (answer := client.hear()) and not answer.startswith(("221", "421", "502")):
            heard.append(answer)
    assert all(answer[:1] in "2345" for answer in heard)
    assert not any("Error" in answer and "(" in answer for answer in heard), "it tells a stranger what broke"
    assert is_serving(office)


def test_an_endless_command_costs_nobody_anything(office: Office) -> None:
    with office.raw() as client:
        client.hear()
        for _ in range(64):
            client.say(b"x" * 65_536)
        assert is_serving(office)
        client.say(b"\r\nNOOP\r\n")
        assert client.hear().startswith("500")
        assert client.hear().startswith("250")


def test_a_client_that_goes_away_in_the_middle_leaves_nothing(office: Office) -> None:
    with office.raw() as client:
        client.begin_mail()
        client.say(MAIL)
    assert is_serving(office)
    assert office.mails() == [MAIL + b"still here\r\n"]


def test_a_client_that_goes_away_in_many_places_leaves_room_for_others(office: Office) -> None:
    steps = b"EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<amelia@edit.example.com>\r\nDATA\r\nSubject: x\r\n"
    for length in range(0, len(steps), 3):
        with office.raw() as client:
            client.say(steps[:length])
            assert client.leaves()
    assert is_serving(office)
