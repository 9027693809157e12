"""The SMTP door as ordinary mail programs and servers use it."""

from __future__ import annotations

import smtplib
from typing import TYPE_CHECKING

import pytest

from tests.doors.office import AMELIA, DOMAIN, MAIL
from tests.rigs import PORTS
from webordinary.config import Listen
from webordinary.doors.smtp import Smtp
from webordinary.doors.smtp_door import Before
from webordinary.doors.smtp_listener import SmtpListener
from webordinary.intake import LARGEST_MAIL, Intake

if TYPE_CHECKING:
    from pathlib import Path

    from tests.doors.conftest import OpenOffice
    from tests.doors.office import Office


@pytest.mark.parametrize("engine", PORTS)
def test_what_a_client_sends_is_kept_byte_for_byte_on_every_engine(engine: str, tmp_path: Path) -> None:
    ports = PORTS[engine](tmp_path)
    intake = Intake(ports.engine, DOMAIN, ports.clock, ports.limits)
    listener = SmtpListener(intake, Smtp(listen=Listen(("127.0.0.1", 0))))
    listener.start()
    try:
        with smtplib.SMTP(*listener.address) as client:
            client.sendmail("scott@example.org", [AMELIA], MAIL + b".\r\n..two\r\n")
    finally:
        listener.close()
    (mail,) = ports.engine.overview.mails()
    assert ports.engine.inbox.read(mail.id) == MAIL + b".\r\n..two\r\n"
    assert mail.state == "decided"


def test_the_envelope_says_who_handed_the_mail_in(office: Office) -> None:
    with smtplib.SMTP(*office.listener.address, local_hostname="phone.example.org") as client:
        client.sendmail("scott@example.org", [AMELIA, AMELIA, f"edit@{DOMAIN}"], MAIL)
    (kept,) = office.kept()
    assert kept.envelope.door == "smtp"
    assert kept.envelope.recipients == (AMELIA, f"edit@{DOMAIN}")
    assert (kept.envelope.mail_from, kept.envelope.peer) == ("scott@example.org", "127.0.0.1")
    assert (kept.envelope.helo, kept.envelope.user) == ("phone.example.org", None)


def test_a_bounce_comes_from_nobody(office: Office) -> None:
    with smtplib.SMTP(*office.listener.address) as client:
        client.sendmail("", [AMELIA], MAIL)
    assert office.kept()[0].envelope.mail_from == ""


def test_what_our_own_relay_found_out_is_believed_and_nobody_elses(open_an_office: OpenOffice) -> None:
    before = Before(("127.0.0.2/32",), "mx.example.com")
    office = open_an_office(before=before)
    for source in ("127.0.0.1", "127.0.0.2"):
        with smtplib.SMTP(*office.listener.address, source_address=(source, 0)) as client:
            client.sendmail("scott@example.org", [AMELIA], MAIL + source.encode())
    assert [kept.envelope.authserv_id for kept in office.kept()] == [None, "mx.example.com"]


def test_size_and_pipelining_are_offered_and_a_login_is_not(office: Office) -> None:
    with smtplib.SMTP(*office.listener.address) as client:
        client.ehlo()
        offered = client.esmtp_features
    assert offered["size"] == str(LARGEST_MAIL)
    assert {"pipelining", "8bitmime", "smtputf8"} <= offered.keys()
    assert not {"auth", "starttls"} & offered.keys()


@pytest.mark.parametrize(
    ("recipient", "code"),
    [
        (AMELIA, 250),
        (f"amelia+scott@{DOMAIN}", 250),
        (f"scott@amelia.{DOMAIN}", 250),
        (f"edit@{DOMAIN}", 250),
        (f"re+abcdefgh@{DOMAIN}", 250),
        (f"Postmaster@{DOMAIN}", 250),
        ("postmaster", 250),
        (f"flora@{DOMAIN}", 550),
        (f"scott@flora.{DOMAIN}", 550),
        ("somebody@example.net", 550),
    ],
)
def test_unknown_recipients_are_refused_before_the_mail_is_sent(office: Office, recipient: str, code: int) -> None:
    with smtplib.SMTP(*office.listener.address) as client:
        client.ehlo()
        client.mail("scott@example.org")
        assert client.rcpt(recipient)[0] == code


def test_the_postmaster_without_a_domain_is_ours(office: Office) -> None:
    with smtplib.SMTP(*office.listener.address) as client:
        client.sendmail("scott@example.org", ["postmaster"], MAIL)
    assert office.kept()[0].envelope.recipients == (f"postmaster@{DOMAIN}",)


def test_mail_to_the_postmaster_is_recorded_and_answered_by_nobody(office: Office) -> None:
    with smtplib.SMTP(*office.listener.address) as client:
        client.sendmail("scott@example.org", [f"postmaster@{DOMAIN}", f"abuse@{DOMAIN}"], MAIL)
    office.listener.close()
    (mail,) = office.ports.engine.overview.mails()
    assert mail.state == "decided"
    assert "no project has this address" in (mail.reason or "")
    assert list(office.ports.engine.outbox.take_due("postman", office.ports.now)) == []


def test_a_second_mail_in_the_same_connection_has_its_own_envelope(office: Office) -> None:
    with smtplib.SMTP(*office.listener.address) as client:
        client.sendmail("scott@example.org", [AMELIA], MAIL)
        client.sendmail("eve@example.net", [f"edit@{DOMAIN}"], MAIL)
    assert [kept.envelope.mail_from for kept in office.kept()] == ["scott@example.org", "eve@example.net"]


def test_a_mail_that_is_sent_again_is_kept_once(office: Office) -> None:
    answers = []
    for _ in range(2):
        with smtplib.SMTP(*office.listener.address) as client:
            client.ehlo()
            client.mail("scott@example.org")
            client.rcpt(AMELIA)
            answers.append(client.data(MAIL))
    assert answers[0] == answers[1]
    assert len(office.mails()) == 1


def test_without_space_on_the_disk_the_sender_is_told_to_try_again(open_an_office: OpenOffice) -> None:
    office = open_an_office(reserve=2**62)
    with smtplib.SMTP(*office.listener.address) as client:
        client.ehlo()
        client.mail("scott@example.org")
        client.rcpt(AMELIA)
        assert client.data(MAIL)[0] == 452
        assert client.noop()[0] == 250
    assert office.mails() == []
