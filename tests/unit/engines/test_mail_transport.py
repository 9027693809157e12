"""Handing a mail over to a real server on the loopback that behaves as servers do on bad days."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from webordinary.engines.embedded.mail_transport import SmtpTransport
from webordinary.errors import TryAgain
from webordinary.reply.outbox import AddressRefused, ServerRefuses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RAW = b"Subject: hours\r\n\r\nDone.\r\n"


@contextmanager
def server(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """Listen for one caller and talk to it."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            line, _ = door.accept()
            with line, suppress(OSError):
                talk(line)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield door.getsockname()[1]
        thread.join()


def answering(**answers: str) -> Callable[[socket.socket], None]:
    """Answer each command with 250 unless told otherwise; `scott` is what is said to him alone."""

    def talk(line: socket.socket) -> None:
        with line.makefile("rwb", buffering=0) as file:
            file.write(b"220 welcome\r\n")
            in_data = False
            for said in file:
                word = said[:4].decode().upper()
                if in_data and said != b".\r\n":
                    continue
                key = "scott" if b"<scott@" in said and "scott" in answers else word.strip().lower()
                reply = answers.get("end", "250 taken") if in_data else answers.get(key, "250 ok")
                in_data = word == "DATA"
                file.write((reply if not in_data else "354 go on").encode() + b"\r\n")
                if word == "QUIT":
                    return

    return talk


def postman(port: int, within: timedelta = timedelta(seconds=90)) -> SmtpTransport:
    return SmtpTransport(
        "127.0.0.1", port, tls=False, user=None, password=None, sender="edit@edit.example.com", within=within
    )


def test_a_mail_that_was_taken_is_sent_whatever_the_server_says_to_the_goodbye() -> None:
    with server(answering(quit="421 too busy")) as port:
        postman(port).deliver(RAW, "scott@example.org")


def test_a_server_that_never_ends_its_greeting_is_left_after_a_while() -> None:
    def talk(line: socket.socket) -> None:
        while True:
            line.sendall(b"220-welcome\r\n")

    with server(talk) as port, pytest.raises(TryAgain):
        postman(port, timedelta(seconds=0.2)).deliver(RAW, "scott@example.org")


def test_a_server_that_refuses_our_setup_is_asked_again_later() -> None:
    with server(answering(mail="530 authentication required")) as port, pytest.raises(TryAgain):
        postman(port).deliver(RAW, "scott@example.org")


def test_a_recipient_whom_the_server_does_not_know_is_refused_for_good() -> None:
    with server(answering(scott="550 no such user")) as port, pytest.raises(AddressRefused):
        postman(port).deliver(RAW, "scott@example.org")


def test_a_server_that_refuses_everybody_says_nothing_about_an_address() -> None:
    with server(answering(rcpt="550 no such user")) as port, pytest.raises(ServerRefuses, match="for anybody"):
        postman(port).deliver(RAW, "scott@example.org")


def test_a_server_that_wants_to_be_asked_again_about_others_knows_them_apart() -> None:
    with server(answering(scott="550 no such user", rcpt="450 come again")) as port, pytest.raises(AddressRefused):
        postman(port).deliver(RAW, "scott@example.org")


def test_a_server_that_is_no_relay_for_us_says_nothing_about_the_address() -> None:
    with server(answering(rcpt="554 5.7.1 Relay access denied")) as port, pytest.raises(TryAgain):
        postman(port).deliver(RAW, "scott@example.org")


def test_a_mail_that_cannot_be_delivered_comes_back_to_the_address_it_is_from() -> None:
    heard: list[bytes] = []

    def talk(line: socket.socket) -> None:
        with line.makefile("rwb", buffering=0) as file:
            file.write(b"220 welcome\r\n")
            for said in file:
                heard.append(said)
                file.write(b"354 go on\r\n" if said[:4].upper() == b"DATA" else b"250 ok\r\n")
                if said[:4].upper() == b"QUIT":
                    return

    raw = b'From: "Amelia\'s, Bakery" <re+token@edit.example.com>\r\nSubject: hours\r\n\r\nDone.\r\n'
    with server(talk) as port:
        SmtpTransport("127.0.0.1", port, tls=False, user=None, password=None).deliver(raw, "scott@example.org")
    assert any(said.lower().startswith(b"mail from:<re+token@edit.example.com>") for said in heard)
