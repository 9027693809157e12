"""LMTP behind another mail server: at a port and at a Unix socket, with an answer for each recipient."""

from __future__ import annotations

import smtplib
import socket
from typing import TYPE_CHECKING

import pytest

from tests.doors.office import AMELIA, DOMAIN, MAIL, Raw
from webordinary.doors.smtp import Protocol
from webordinary.doors.smtp_door import Before
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from pathlib import Path

    from tests.doors.conftest import OpenOffice
    from tests.doors.office import Office

RECIPIENTS = (AMELIA, f"edit@{DOMAIN}")


@pytest.fixture
def lmtp(open_an_office: OpenOffice) -> Office:
    return open_an_office(protocol=Protocol.LMTP, before=Before((), "mx.example.com"))


def begin(client: Raw, *recipients: str) -> None:
    assert client.hear().startswith("220")
    for line in ("LHLO mx.example.com", "MAIL FROM:<scott@example.org>", *(f"RCPT TO:<{each}>" for each in recipients)):
        client.say(f"{line}\r\n".encode())
        client.hear()
    assert client.ask(b"DATA").startswith("354")


def test_every_recipient_gets_an_answer(lmtp: Office) -> None:
    with lmtp.raw() as client:
        begin(client, AMELIA, f"nobody@{DOMAIN}", *RECIPIENTS)
        client.say(MAIL + b".\r\n")
        answers = [client.hear() for _ in range(3)]
        assert client.ask(b"NOOP").startswith("250")
    assert {answer[:23] for answer in answers} == {"250 2.0.0 accepted as m"}
    assert [kept.envelope.recipients for kept in lmtp.kept()] == [RECIPIENTS]


def test_every_recipient_hears_of_a_refusal(lmtp: Office) -> None:
    with lmtp.raw() as client:
        begin(client, *RECIPIENTS)
        client.say(MAIL + b"bare\rreturn\r\n.\r\n")
        assert [client.hear()[:3] for _ in range(2)] == ["550", "550"]
        assert client.ask(b"NOOP").startswith("250")


def test_the_server_in_front_is_not_the_sender(lmtp: Office) -> None:
    with smtplib.LMTP(*lmtp.listener.address) as client:
        client.sendmail("scott@example.org", [AMELIA], MAIL)
    (kept,) = lmtp.kept()
    assert (kept.envelope.door, kept.envelope.peer) == ("lmtp", None)
    assert kept.envelope.authserv_id == "mx.example.com"


def test_a_client_of_smtp_is_told_what_this_is(lmtp: Office) -> None:
    with lmtp.raw() as client:
        client.hear()
        assert "LHLO" in client.ask(b"EHLO phone.example.org")
        assert "LHLO" in client.ask(b"HELO phone.example.org")
        assert client.ask(b"MAIL FROM:<scott@example.org>").startswith("503")


def test_a_mail_comes_through_a_unix_socket(open_an_office: OpenOffice, tmp_path: Path) -> None:
    path = tmp_path / "lmtp"
    office = open_an_office(protocol=Protocol.LMTP, socket=path)
    assert office.listener.where == str(path)
    with smtplib.LMTP(str(path)) as client:
        client.sendmail("scott@example.org", [AMELIA], MAIL)
    assert office.mails() == [MAIL]
    office.listener.close()
    assert not path.exists()


def test_a_socket_that_a_crash_left_behind_is_in_nobodys_way(open_an_office: OpenOffice, tmp_path: Path) -> None:
    path = tmp_path / "lmtp"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    office = open_an_office(protocol=Protocol.LMTP, socket=path)
    with smtplib.LMTP(str(path)) as client:
        assert client.noop()[0] in {250, 503}
    assert office.mails() == []


def test_the_socket_of_a_living_listener_is_not_taken_away(open_an_office: OpenOffice, tmp_path: Path) -> None:
    path = tmp_path / "lmtp"
    open_an_office(protocol=Protocol.LMTP, socket=path)
    with pytest.raises(Misconfigured, match="already in use"):
        open_an_office(protocol=Protocol.LMTP, socket=path)
    with smtplib.LMTP(str(path)) as client:
        assert client.docmd("LHLO a")[0] == 250
