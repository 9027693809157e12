"""The SMTP door and clients that want too much: too large, too many, too slow, too often."""

from __future__ import annotations

import smtplib
from typing import TYPE_CHECKING

import pytest

from tests.doors.office import AMELIA, DOMAIN, MAIL
from webordinary.audit.entry import EventType
from webordinary.config import Duration
from webordinary.doors.room import Room
from webordinary.doors.smtp_data import LONGEST_LINE, MOST_NULS
from webordinary.doors.smtp_door import Before
from webordinary.intake import LARGEST_MAIL

if TYPE_CHECKING:
    from tests.doors.conftest import OpenOffice
    from tests.doors.office import Office

SOON = Duration(seconds=0.2)


def send(client: smtplib.SMTP, raw: bytes) -> int:
    client.ehlo_or_helo_if_needed()
    client.mail("scott@example.org")
    client.rcpt(AMELIA)
    return client.data(raw)[0]


def wait_for_bytes(office: Office, size: int) -> None:
    with office.raw() as client:
        client.hear()
        while office.listener.door.room.taken < size:
            client.ask(b"NOOP")


def test_a_mail_that_is_too_large_is_refused_and_the_connection_goes_on(office: Office) -> None:
    line = b"0" * 1000 + b"\r\n"
    with smtplib.SMTP(*office.listener.address) as client:
        assert send(client, MAIL + line * (LARGEST_MAIL // len(line))) == 552
        assert send(client, MAIL) == 250
    assert office.mails() == [MAIL]
    refused = [entry for entry in office.ports.engine.trail.read() if entry.what is EventType.MAIL_REFUSED]
    assert [(entry.text, entry.facts["sender"]) for entry in refused if not entry.mail] == [
        ("larger than 25 MB: ask for a smaller photo", "scott@example.org")
    ]


def test_a_size_that_is_announced_is_refused_before_it_is_sent(office: Office) -> None:
    with smtplib.SMTP(*office.listener.address) as client:
        client.ehlo()
        assert client.mail("scott@example.org", [f"SIZE={LARGEST_MAIL + 1}"])[0] == 552
        assert client.mail("scott@example.org", [f"SIZE={LARGEST_MAIL}"])[0] == 250


def test_a_large_mail_that_fits_is_taken(office: Office) -> None:
    raw = MAIL + (b"." * 998 + b"\r\n") * 20_000
    with smtplib.SMTP(*office.listener.address) as client:
        assert send(client, raw) == 250
    assert office.mails() == [raw]


@pytest.mark.parametrize("length", [1_000, 5_000, LONGEST_LINE - 2])
def test_long_lines_are_taken(office: Office, length: int) -> None:
    raw = MAIL + b"x" * length + b"\r\nmore\r\n"
    with smtplib.SMTP(*office.listener.address) as client:
        assert send(client, raw) == 250
    assert office.mails() == [raw]


@pytest.mark.parametrize("length", [LONGEST_LINE, 3_000_000])
def test_endless_lines_are_refused(office: Office, length: int) -> None:
    with smtplib.SMTP(*office.listener.address) as client:
        assert send(client, MAIL + b"x" * length + b"\r\nmore\r\n") == 554
    assert office.mails() == []


def test_the_recipients_beyond_the_limit_are_told_to_come_again(open_an_office: OpenOffice) -> None:
    office = open_an_office(recipients=2)
    with smtplib.SMTP(*office.listener.address) as client:
        refused = client.sendmail("a@b.example", [f"amelia+{name}@{DOMAIN}" for name in "wxyz"], MAIL)
    assert [code for code, _ in refused.values()] == [452, 452]
    assert office.kept()[0].envelope.recipients == (f"amelia+w@{DOMAIN}", f"amelia+x@{DOMAIN}")


def test_there_is_room_for_so_many_connections_and_then_again_when_one_has_left(open_an_office: OpenOffice) -> None:
    office = open_an_office(connections=3)
    first = [office.raw(f"127.0.0.{number}") for number in (2, 3, 4)]
    assert [client.hear()[:3] for client in first] == ["220"] * 3
    with office.raw() as late:
        assert late.hear().startswith("421 4.7.0")
        assert late.has_ended()
    assert first[0].ask(b"QUIT").startswith("221")
    assert first[0].has_ended()
    with office.raw() as again:
        assert again.hear().startswith("220")
    for client in first:
        client.close()


def test_one_address_cannot_take_all_connections(open_an_office: OpenOffice) -> None:
    office = open_an_office(connections_each=2)
    with office.raw() as one, office.raw() as two, office.raw() as three, office.raw("127.0.0.2") as other:
        assert one.hear()[:3] == two.hear()[:3] == other.hear()[:3] == "220"
        assert three.hear().startswith("421")


def test_a_relay_of_ours_may_have_as_many_connections_as_there_are(open_an_office: OpenOffice) -> None:
    office = open_an_office(connections_each=1, before=Before(("127.0.0.0/8",)))
    with office.raw() as one, office.raw() as two:
        assert one.hear()[:3] == two.hear()[:3] == "220"


def test_all_addresses_of_one_customer_are_counted_together() -> None:
    room = Room(connections=10, connections_each=1)
    assert room.enter("2001:db8::1")
    assert not room.enter("2001:db8::2")
    assert room.enter("2001:db8:0:1::1")
    assert room.enter("::ffff:192.0.2.1")
    assert not room.enter("192.0.2.1")
    room.leave("192.0.2.1")
    assert room.enter("192.0.2.1")


def test_at_a_unix_socket_nobody_has_an_address_to_be_counted_by() -> None:
    room = Room(connections=2, connections_each=1)
    assert [room.enter(None) for _ in range(3)] == [True, True, False]


def test_a_client_that_says_nothing_is_hung_up_on(open_an_office: OpenOffice) -> None:
    office = open_an_office(command_deadline=SOON)
    with office.raw() as client:
        assert client.hear().startswith("220")
        assert client.hear().startswith("421 4.4.2")
        assert client.has_ended()


def test_a_client_that_dribbles_its_command_is_hung_up_on(open_an_office: OpenOffice) -> None:
    office = open_an_office(command_deadline=SOON)
    with office.raw() as client:
        client.hear()
        client.say(b"EHLO pho")
        assert client.hear().startswith("421 4.4.2")


def test_a_client_that_never_ends_its_mail_is_hung_up_on(open_an_office: OpenOffice) -> None:
    office = open_an_office(mail_deadline=Duration(seconds=2))
    with office.raw() as client:
        client.begin_mail()
        client.say(b"Subject: we op")
        assert client.hear().startswith("421 4.4.2")
        assert client.has_ended()
    assert office.mails() == []


@pytest.mark.thorough
def test_sending_a_mail_may_take_longer_than_a_command(open_an_office: OpenOffice) -> None:
    office = open_an_office(command_deadline=Duration(seconds=4), mail_deadline=Duration(minutes=1))
    with office.raw() as slow, office.raw() as silent:
        slow.begin_mail()
        silent.hear()
        assert silent.hear().startswith("421")
        slow.say(MAIL + b".\r\n")
        assert slow.hear().startswith("250")


def test_a_client_that_only_keeps_busy_is_hung_up_on(open_an_office: OpenOffice) -> None:
    office = open_an_office(session_deadline=Duration(seconds=1.5))
    with office.raw() as client:
        client.hear()
        answers = iter(lambda: client.ask(b"NOOP")[:3], "421")
        assert set(answers) <= {"250"}


def test_a_client_that_guesses_addresses_is_hung_up_on(office: Office) -> None:
    with office.raw() as client:
        client.hear()
        client.ask(b"EHLO phone.example.org")
        client.ask(b"MAIL FROM:<eve@example.net>")
        guesses = [client.ask(f"RCPT TO:<{number}@{DOMAIN}>".encode())[:3] for number in range(30)]
        assert set(guesses) == {"550"}
        assert client.hear().startswith("421 4.7.0")
        assert client.has_ended()


def test_mails_that_would_fill_the_memory_together_are_put_off(open_an_office: OpenOffice) -> None:
    office = open_an_office()
    office.listener.door.room.bytes_at_once = 200_000
    half = b"x" * 998 + b"\r\n"
    with office.raw() as first, office.raw() as second:
        first.begin_mail()
        second.begin_mail()
        first.say(MAIL + half * 140)
        wait_for_bytes(office, 100_000)
        second.say(half * 140 + b".\r\n")
        assert second.hear().startswith("452 4.3.1")
        first.say(b".\r\n")
        assert first.hear().startswith("250")
        assert second.ask(b"MAIL FROM:<scott@example.org>").startswith("250")
        assert second.ask(f"RCPT TO:<{AMELIA}>".encode()).startswith("250")
        assert second.ask(b"DATA").startswith("354")
        second.say(MAIL + half * 140 + b".\r\n")
        assert second.hear().startswith("250")


@pytest.mark.parametrize("word", [b"NOOP", b"RSET", b"EHLO phone.example.org", b"VRFY a", b"HELP"])
def test_a_client_that_only_holds_the_line_is_hung_up_on(office: Office, word: bytes) -> None:
    with office.raw() as client:
        client.hear()
        client.ask(b"EHLO phone.example.org")
        answers = list(iter(lambda: client.ask(word)[:3], "421"))
    assert {answer[:1] for answer in answers} == {"2"}
    assert 150 < len(answers) < 250


def test_a_client_with_many_mails_may_go_on(office: Office) -> None:
    with smtplib.SMTP(*office.listener.address) as client:
        for number in range(60):
            client.noop()
            client.rset()
            client.sendmail("scott@example.org", [AMELIA], MAIL.replace(b"<1@", f"<{number}@".encode()))
    assert len(office.mails()) == 60


def test_a_mail_of_zero_bytes_is_refused_and_the_connection_goes_on(office: Office) -> None:
    with office.raw() as client:
        client.begin_mail()
        client.say(MAIL + b"\0" * (MOST_NULS + 1) + b"\r\n.\r\n")
        assert client.hear().startswith("550 5.6.0")
        assert client.ask(b"NOOP").startswith("250")
        assert client.ask(b"NO\0OP")[:1] == "5"
    assert office.mails() == []
