"""Tokens at real mail servers: Dovecot's mailbox and Dovecot's way out, by both mechanisms."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from tests.doors.dovecot import USER
from tests.oauth.logins import Desk, desk_at
from tests.oauth.provider import provider
from webordinary.doors.imap import ImapSection, Security
from webordinary.doors.imap_mailbox import open_mailbox
from webordinary.engines.embedded.mail_transport import SmtpTransport
from webordinary.engines.embedded.smtp_token import TokenLogin
from webordinary.errors import LoginNeeded, Misconfigured, TryAgain
from webordinary.oauth.login import Mechanism
from webordinary.oauth.sasl import choose_mechanism, first_words
from webordinary.values import Host, Id, Title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.oauth.provider import Provider

RAW = b"From: re+token@edit.example.com\r\nTo: scott@example.org\r\nSubject: hours\r\n\r\nDone.\r\n"


@pytest.fixture(scope="module")
def house() -> Iterator[Provider]:
    """One provider for all tests, whose certificate this machine believes."""
    with provider() as one, pytest.MonkeyPatch.context() as here:
        here.setenv("SSL_CERT_FILE", str(one.dovecot.certificate))
        yield one


@pytest.fixture
def desk(house: Provider, tmp_path: Path) -> Desk:
    house.giver.person = USER
    house.giver.grants.clear()
    return desk_at(house.giver, tmp_path)


def section(port: int, **keys: object) -> ImapSection:
    usual = {"host": Host("127.0.0.1"), "port": port, "security": Security.NONE, "user": Title(USER), "oauth": Id("b")}
    return ImapSection(**{**usual, **keys})  # type: ignore[arg-type]  # each test knows its keys


def postman(port: int, desk: Desk, user: str = USER) -> SmtpTransport:
    return SmtpTransport("localhost", port, tls=False, user=user, password=desk.tokens)


@pytest.mark.parametrize("mechanism", [None, *Mechanism])
def test_a_token_opens_the_mailbox(house: Provider, tmp_path: Path, mechanism: Mechanism | None) -> None:
    desk = desk_at(house.giver, tmp_path, mechanism=mechanism)
    with open_mailbox(section(house.dovecot.port), desk.tokens) as mailbox:
        assert mailbox.can_wait


@pytest.mark.parametrize("mechanism", [None, *Mechanism])
def test_a_token_lets_a_mail_out(house: Provider, tmp_path: Path, mechanism: Mechanism | None) -> None:
    desk = desk_at(house.giver, tmp_path, mechanism=mechanism)
    postman(house.dovecot.submission, desk).deliver(RAW, "scott@example.org")
    assert b"Subject: hours" in house.post.mails.get(timeout=30)


def test_a_token_opens_the_mailbox_behind_encryption(house: Provider, desk: Desk) -> None:
    server = house.dovecot
    secure = {"host": Host("localhost"), "certificates": server.certificate}
    for port, security in ((server.tls_port, Security.TLS), (server.port, Security.STARTTLS)):
        with open_mailbox(section(port, security=security, **secure), desk.tokens) as mailbox:
            assert mailbox.can_wait


def test_a_token_that_the_servers_no_longer_take_is_renewed_at_once(house: Provider, desk: Desk) -> None:
    desk.tokens.current()
    house.giver.end_access()
    with open_mailbox(section(house.dovecot.port), desk.tokens):
        pass
    assert house.giver.grants == ["refresh_token"] * 2

    house.giver.end_access()
    postman(house.dovecot.submission, desk).deliver(RAW, "scott@example.org")
    house.post.mails.get(timeout=30)
    assert house.giver.grants == ["refresh_token"] * 3


def test_the_mailbox_of_somebody_else_stays_closed_and_it_is_said_what_to_do(house: Provider, desk: Desk) -> None:
    house.giver.person = "private@example.com"
    desk.secrets.keep("oauth-bakery", house.giver.give_refresh_token())
    wanted = r"website@example\.com at \S+ does not let us in .*: run `webordinary mailbox login bakery`"
    with pytest.raises(LoginNeeded, match=wanted) as read:
        open_mailbox(section(house.dovecot.port), desk.tokens)
    with pytest.raises(LoginNeeded, match=wanted) as sent:
        postman(house.dovecot.submission, desk).deliver(RAW, "scott@example.org")
    said = f"{read.value} {sent.value}"
    assert not any(secret in said for secret in house.giver.all_secrets())


def test_a_server_that_takes_no_tokens_is_a_sentence(desk: Desk) -> None:
    with (
        provider(sends=False, mechanisms="") as plain,
        pytest.raises(Misconfigured, match=r"takes no tokens: remove imap\.oauth"),
    ):
        open_mailbox(section(plain.dovecot.port), desk.tokens)


def test_the_words_are_those_of_the_standards() -> None:
    assert first_words(Mechanism.XOAUTH2, "a@b", "t", "h", 993) == b"user=a@b\x01auth=Bearer t\x01\x01"
    said = first_words(Mechanism.OAUTHBEARER, "a=b,c@d", "t", "h", 993)
    assert said == b"n,a=a=3Db=2Cc@d,\x01host=h\x01port=993\x01auth=Bearer t\x01\x01"


def test_what_a_server_offers_decides_and_a_wish_only_where_it_offers_both() -> None:
    both = {"PLAIN", "XOAUTH2", "OAUTHBEARER"}
    assert choose_mechanism(both, None) is Mechanism.OAUTHBEARER
    assert choose_mechanism(both, Mechanism.XOAUTH2) is Mechanism.XOAUTH2
    assert choose_mechanism({"XOAUTH2"}, Mechanism.OAUTHBEARER) is Mechanism.XOAUTH2
    assert choose_mechanism({"PLAIN", "LOGIN"}, None) is None


def test_no_token_is_said_where_somebody_could_listen() -> None:
    assert not TokenLogin("smtp.example.com", 587, USER).may_see(encrypted=False)
    assert TokenLogin("smtp.example.com", 587, USER).may_see(encrypted=True)
    assert TokenLogin("127.0.0.1", 587, USER).may_see(encrypted=False)


@contextmanager
def odd_server(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """Listen for callers, and talk to each of them."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    line, _ = door.accept()
                    with line, suppress(OSError):
                        talk(line)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield door.getsockname()[1]
        door.shutdown(socket.SHUT_RDWR)
        thread.join()


def outgoing(answer: str, hangs_up: bool = False) -> Callable[[socket.socket], None]:  # noqa: FBT001, FBT002 - one word
    """Refuse every token in these words."""

    def talk(line: socket.socket) -> None:
        with line.makefile("rwb", buffering=0) as file:
            file.write(b"220 welcome\r\n")
            for said in file:
                word = said[:4].decode().upper()
                if word == "EHLO":
                    file.write(b"250-hello\r\n250 AUTH XOAUTH2\r\n")
                elif word == "AUTH":
                    token = said.split()[-1]
                    file.write(answer.replace("TOKEN", token.decode()).encode() + b"\r\n")
                    if hangs_up:
                        return
                else:
                    file.write(b"221 bye\r\n")

    return talk


def test_an_outgoing_server_that_hangs_up_after_a_refusal_is_asked_with_a_newer_token(desk: Desk) -> None:
    with (
        odd_server(outgoing("535 5.7.3 Authentication unsuccessful", hangs_up=True)) as port,
        pytest.raises(LoginNeeded, match=r"535 5\.7\.3"),
    ):
        postman(port, desk).deliver(RAW, "scott@example.org")
    assert desk.giver.grants == ["refresh_token"] * 2


def test_an_outgoing_server_that_lets_nobody_in_right_now_is_waited_for(desk: Desk) -> None:
    with (
        odd_server(outgoing("454 4.7.0 Temporary authentication failure")) as port,
        pytest.raises(TryAgain, match="454") as caught,
    ):
        postman(port, desk).deliver(RAW, "scott@example.org")
    assert not isinstance(caught.value, LoginNeeded)
    assert desk.giver.grants == ["refresh_token"]


def test_an_outgoing_server_without_tokens_is_a_sentence_and_the_letter_waits(desk: Desk) -> None:
    def talk(line: socket.socket) -> None:
        line.sendall(b"220 welcome\r\n")
        while line.recv(1000):
            line.sendall(b"250 AUTH PLAIN LOGIN\r\n")

    with odd_server(talk) as port, pytest.raises(TryAgain, match=r"remove outgoing\.oauth"):
        postman(port, desk).deliver(RAW, "scott@example.org")


def mailbox_that_says(*answers: bytes) -> Callable[[socket.socket], None]:
    def talk(line: socket.socket) -> None:
        with line.makefile("rwb", buffering=0) as file:
            file.write(b"* OK [CAPABILITY IMAP4rev1 AUTH=XOAUTH2] hello\r\n")
            left = list(answers)
            for said in file:
                tag = said.split()[0]
                if b"CAPABILITY" in said:
                    file.write(b"* CAPABILITY IMAP4rev1 AUTH=XOAUTH2\r\n" + tag + b" OK done\r\n")
                elif b"AUTHENTICATE" in said:
                    file.write(b"+ \r\n")
                    file.readline()
                    file.write(left.pop(0).replace(b"TAG", tag))

    return talk


def test_a_mail_server_that_lets_nobody_in_right_now_is_waited_for(desk: Desk) -> None:
    with (
        odd_server(mailbox_that_says(b"TAG NO [UNAVAILABLE] later\r\n")) as port,
        pytest.raises(TryAgain, match="lets nobody in right now") as caught,
    ):
        open_mailbox(section(port), desk.tokens)
    assert not isinstance(caught.value, LoginNeeded)
    assert desk.giver.grants == ["refresh_token"]


def test_a_mail_server_that_repeats_the_token_is_not_quoted(desk: Desk) -> None:
    token = desk.tokens.current()
    said = b"TAG NO [AUTHENTICATIONFAILED] " + token.encode() + b" is bad\r\n"
    with odd_server(mailbox_that_says(said)) as port, pytest.raises(LoginNeeded) as caught:
        open_mailbox(section(port), desk.tokens)
    assert token not in str(caught.value)
