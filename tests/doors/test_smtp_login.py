"""STARTTLS and logins at the SMTP door."""

from __future__ import annotations

import logging
import smtplib
import ssl
from base64 import b64encode
from typing import TYPE_CHECKING

import pytest

from tests.doors.certificates import write_certificate
from tests.doors.office import AMELIA, MAIL
from webordinary.config import Duration, Listen
from webordinary.doors.passwords import Hashed
from webordinary.doors.users import Users
from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from pathlib import Path

    from tests.doors.conftest import OpenOffice
    from tests.doors.office import Office

SCOTT = "scott@example.org"
PASSWORD = "Rolls: 3 pieces"


@pytest.fixture
def users(tmp_path: Path) -> Path:
    path = tmp_path / "users"
    path.write_text(f"# the bakery\n\nScott@Example.org: {Hashed.of(PASSWORD)}\n")
    return path


@pytest.fixture
def locked(open_an_office: OpenOffice, users: Path, tmp_path: Path) -> Office:
    """An office that anybody can reach: on loopback passwords need no encryption."""
    certificate, key = write_certificate(tmp_path)
    return open_an_office(listen=Listen(("0.0.0.0", 0)), certificate=certificate, key=key, users=users)  # noqa: S104 - only the test knows the port


def encrypted(office: Office, tmp_path: Path) -> smtplib.SMTP:
    client = smtplib.SMTP("127.0.0.1", office.listener.address[1])
    client.starttls(context=ssl.create_default_context(cafile=str(tmp_path / "mail.pem")))
    client.ehlo()
    return client


def test_a_mail_comes_through_an_encrypted_connection(locked: Office, tmp_path: Path) -> None:
    with encrypted(locked, tmp_path) as client:
        client.sendmail(SCOTT, [AMELIA], MAIL)
        client.sendmail(SCOTT, [AMELIA], MAIL + b"x" * 3_000 + b"\r\n")
    assert [len(mail) for mail in locked.mails()] == [len(MAIL), len(MAIL) + 3_002]
    assert locked.kept()[0].envelope.peer == "127.0.0.1"


def test_who_logs_in_stands_in_the_envelope(locked: Office, tmp_path: Path) -> None:
    for login in ("auth_plain", "auth_login"):
        with encrypted(locked, tmp_path) as client:
            client.user, client.password = "SCOTT@example.org", PASSWORD
            code, _ = client.auth(login.removeprefix("auth_").upper(), getattr(client, login))
            assert code == 235
            client.sendmail(SCOTT, [AMELIA], MAIL + login.encode())
    assert [kept.envelope.user for kept in locked.kept()] == [SCOTT, SCOTT]


def test_a_password_is_not_asked_for_before_the_connection_is_encrypted(locked: Office, tmp_path: Path) -> None:
    with smtplib.SMTP("127.0.0.1", locked.listener.address[1]) as client:
        client.ehlo()
        assert "auth" not in client.esmtp_features
        assert client.docmd("AUTH", "PLAIN " + b64encode(f"\0{SCOTT}\0{PASSWORD}".encode()).decode())[0] == 538
    with encrypted(locked, tmp_path) as client:
        assert {"PLAIN", "LOGIN"} <= set(client.esmtp_features["auth"].split())


def test_what_was_said_before_the_encryption_counts_for_nothing_after_it(locked: Office, tmp_path: Path) -> None:
    with smtplib.SMTP("127.0.0.1", locked.listener.address[1]) as client:
        client.ehlo()
        client.mail("eve@example.net")
        client.starttls(context=ssl.create_default_context(cafile=str(tmp_path / "mail.pem")))
        assert client.docmd("RCPT", f"TO:<{AMELIA}>")[0] == 503


def test_commands_smuggled_in_before_the_handshake_are_dropped(locked: Office, tmp_path: Path) -> None:
    with smtplib.SMTP("127.0.0.1", locked.listener.address[1]) as client:
        client.ehlo()
        client.send("STARTTLS\r\nMAIL FROM:<eve@example.net>\r\n")
        assert client.getreply()[0] == 220
        trusting = ssl.create_default_context(cafile=str(tmp_path / "mail.pem"))
        assert client.sock is not None
        client.sock = trusting.wrap_socket(client.sock, server_hostname="127.0.0.1")
        client.file = None
        assert client.docmd("EHLO", "phone.example.org")[1].startswith(b"edit.example.com\nPIPELINING")
        assert client.docmd("RCPT", f"TO:<{AMELIA}>")[0] == 503


def test_a_password_may_have_letters_of_every_language(open_an_office: OpenOffice, users: Path) -> None:
    users.write_text(f"{SCOTT}:{Hashed.of('Brötchen ☕')}\n")
    with open_an_office(users=users).raw() as client:
        client.hear()
        client.ask(b"EHLO phone.example.org")
        assert client.ask(_plain(SCOTT, "Brötchen ☕")).startswith("235")


def test_on_loopback_a_login_needs_no_encryption(open_an_office: OpenOffice, users: Path) -> None:
    office = open_an_office(users=users)
    with smtplib.SMTP(*office.listener.address) as client:
        client.login(SCOTT, PASSWORD)
        client.sendmail(SCOTT, [AMELIA], MAIL)
    assert office.kept()[0].envelope.user == SCOTT


@pytest.mark.parametrize(("sender", "outcome"), [(SCOTT, "queued"), ("eve@example.org", "ignored")])
def test_a_login_proves_its_own_address_and_no_other(
    open_an_office: OpenOffice, users: Path, sender: str, outcome: str
) -> None:
    office = open_an_office(users=users)
    with smtplib.SMTP(*office.listener.address) as client:
        client.login(SCOTT, PASSWORD)
        client.sendmail(SCOTT, [AMELIA], MAIL.replace(SCOTT.encode(), sender.encode()))
    office.listener.close()
    (mail,) = office.ports.engine.overview.mails()
    assert mail.outcome == outcome


def test_a_wrong_password_lets_nobody_in_and_the_third_ends_the_connection(
    open_an_office: OpenOffice, users: Path, caplog: pytest.LogCaptureFixture
) -> None:
    office = open_an_office(users=users)
    caplog.set_level(logging.DEBUG)
    with office.raw() as client:
        client.hear()
        client.ask(b"EHLO eve.example")
        answers = [client.ask(_plain(name, "hunter2")) for name in (SCOTT, "eve@example.net", SCOTT)]
        assert [answer[:3] for answer in answers] == ["535"] * 3
        assert client.hear().startswith("421")
    assert "hunter2" not in caplog.text
    assert SCOTT in caplog.text


def test_nobody_can_log_in_where_there_are_no_users(office: Office) -> None:
    with office.raw() as client:
        client.hear()
        client.ask(b"EHLO eve.example")
        assert client.ask(_plain(SCOTT, "")).startswith("535")


def test_a_user_who_is_taken_out_of_the_file_cannot_log_in_any_more(open_an_office: OpenOffice, users: Path) -> None:
    office = open_an_office(users=users)
    users.write_text("# nobody\n")
    with smtplib.SMTP(*office.listener.address) as client, pytest.raises(smtplib.SMTPAuthenticationError):
        client.login(SCOTT, PASSWORD)


def test_a_renewed_certificate_is_shown_to_the_next_client(locked: Office, tmp_path: Path) -> None:
    first = _shown(locked)
    write_certificate(tmp_path)
    assert _shown(locked) != first


def test_half_of_a_renewal_leaves_the_old_certificate_in_use(locked: Office, tmp_path: Path) -> None:
    first = _shown(locked)
    (tmp_path / "mail.pem").write_text("-----BEGIN CERTI")
    assert _shown(locked) == first
    write_certificate(tmp_path)
    assert _shown(locked) != first


def test_a_client_that_breaks_off_the_handshake_leaves_room_for_others(locked: Office, tmp_path: Path) -> None:
    for _ in range(30):
        with locked.raw() as client:
            client.hear()
            client.ask(b"EHLO eve.example")
            assert client.ask(b"STARTTLS").startswith("220")
            client.say(b"no handshake at all\r\n")
            assert client.has_ended()
    for _ in range(30):
        with locked.raw() as client:
            client.hear()
            client.ask(b"EHLO eve.example")
            assert client.ask(b"STARTTLS").startswith("220")
            client.leaves()
    with encrypted(locked, tmp_path) as client:
        assert client.noop()[0] == 250


@pytest.mark.thorough
def test_a_client_that_falls_silent_in_the_handshake_is_hung_up_on(open_an_office: OpenOffice, tmp_path: Path) -> None:
    certificate, key = write_certificate(tmp_path)
    office = open_an_office(certificate=certificate, key=key, command_deadline=Duration(seconds=3))
    with office.raw() as client:
        client.hear()
        client.ask(b"EHLO eve.example")
        assert client.ask(b"STARTTLS").startswith("220")
        assert client.has_ended()


@pytest.mark.parametrize("wrong", ["missing.pem", "mail.key"])
def test_a_certificate_that_cannot_be_used_stops_the_start(
    open_an_office: OpenOffice, tmp_path: Path, wrong: str
) -> None:
    _, key = write_certificate(tmp_path)
    with pytest.raises(Misconfigured, match=r"correct smtp\.certificate"):
        open_an_office(certificate=tmp_path / wrong, key=key)


@pytest.mark.parametrize(
    "line",
    [f"{SCOTT}:secret", f"{SCOTT}:scrypt$1$a$b", f"{SCOTT}:scrypt$99999999999$YQ==$YQ==", SCOTT, "\x00:$$$"],
)
def test_a_line_that_is_no_user_is_named_and_not_repeated(tmp_path: Path, line: str) -> None:
    path = tmp_path / "users"
    path.write_text(f"# users\n{line}\n")
    with pytest.raises(Misconfigured, match="line 2") as caught:
        Users(path).look()
    assert "secret" not in str(caught.value)


def test_the_same_password_is_never_hashed_to_the_same_text() -> None:
    one, two = Hashed.of(PASSWORD), Hashed.of(PASSWORD)
    assert str(one) != str(two)
    assert Hashed.read(str(one)).matches(PASSWORD)
    assert not one.matches(PASSWORD.lower())
    assert PASSWORD not in repr(one)


def _plain(name: str, password: str) -> bytes:
    return b"AUTH PLAIN " + b64encode(f"\0{name}\0{password}".encode())


def _shown(office: Office) -> bytes | None:
    anybody = ssl.create_default_context()
    anybody.check_hostname = False
    anybody.verify_mode = ssl.CERT_NONE
    with smtplib.SMTP("127.0.0.1", office.listener.address[1]) as client:
        client.starttls(context=anybody)
        assert isinstance(client.sock, ssl.SSLSocket)
        return client.sock.getpeercert(binary_form=True)
