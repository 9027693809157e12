"""The IMAP door and servers that say things at odd times, or never come to an end."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from webordinary.doors import imap_mailbox
from webordinary.doors.imap import ImapSection, Security
from webordinary.doors.imap_mailbox import OpenMailbox
from webordinary.errors import TryAgain
from webordinary.values import Host, Title

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Answer = Callable[[str, str], str]

FOR_EVER = 100_000.0


def usual(tag: str, command: str) -> str:
    """Answer as any server does."""
    said = {
        "CAPABILITY": "* CAPABILITY IMAP4rev1 IDLE\r\n",
        "SELECT": "* 0 EXISTS\r\n* OK [UIDVALIDITY 7] valid\r\n* OK [UIDNEXT 3] next\r\n",
        "LOGOUT": "* BYE\r\n",
    }
    return f"{said.get(command, '')}{tag} OK done\r\n"


class Server(threading.Thread):
    """Answers each command with what a test says, in one piece."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(daemon=True)
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])

    def run(self) -> None:
        connection, _ = self._listener.accept()
        with connection, connection.makefile("rb") as lines:
            connection.sendall(b"* OK ready\r\n")
            tag = ""
            for line in lines:
                words = line.decode().split()
                tag, command = (tag, "DONE") if words == ["DONE"] else (words[0], words[1])
                connection.sendall(self._answer(tag, command.upper()).encode())

    def close(self) -> None:
        self._listener.close()


@contextmanager
def mailbox_at(answer: Answer) -> Iterator[OpenMailbox]:
    server = Server(answer)
    server.start()
    imap = ImapSection(
        host=Host("127.0.0.1"), port=server.port, security=Security.NONE, user=Title("me"), password_file=None
    )
    try:
        with OpenMailbox(imap, "secret") as mailbox:
            yield mailbox
    finally:
        server.close()
        server.join()


def idling(words: str, *, before: str = "") -> Answer:
    """Begin to wait with these words in the same breath."""
    return lambda tag, command: f"{before}+ idling\r\n{words}" if command == "IDLE" else usual(tag, command)


@pytest.mark.parametrize(
    "answer",
    [
        idling("* 1 EXISTS\r\n"),
        idling("* OK still here\r\n* 1 EXISTS\r\n* 1 RECENT\r\n"),
        idling("", before="* 1 EXISTS\r\n"),
        idling("", before="* 1 EXISTS\r\n* OK really\r\n"),
    ],
)
def test_a_word_that_comes_with_the_beginning_of_the_wait_is_heard(answer: Answer) -> None:
    wake, waker = socket.socketpair()
    with wake, waker, mailbox_at(answer) as mailbox:
        mailbox.unseen()
        mailbox.wait_for_news(FOR_EVER, wake)
        mailbox.rest()


def test_a_mail_that_the_answer_to_the_search_only_announces_is_not_waited_for() -> None:
    def answer(tag: str, command: str) -> str:
        return f"* SEARCH 1\r\n* 2 EXISTS\r\n{tag} OK done\r\n" if command == "UID" else idling("")(tag, command)

    wake, waker = socket.socketpair()
    with wake, waker, mailbox_at(answer) as mailbox:
        assert mailbox.unseen() == [1]
        mailbox.wait_for_news(FOR_EVER, wake)


def test_whoever_waits_can_be_woken() -> None:
    wake, waker = socket.socketpair()
    waker.send(b".")
    with wake, waker, mailbox_at(idling("")) as mailbox:
        mailbox.unseen()
        mailbox.wait_for_news(FOR_EVER, wake)


@pytest.mark.parametrize("refusal", ["NO not now", "BAD what"])
def test_a_server_that_will_not_wait_after_all_is_come_back_to(refusal: str) -> None:
    wake, waker = socket.socketpair()

    def answer(tag: str, command: str) -> str:
        return f"{tag} {refusal}\r\n" if command == "IDLE" else usual(tag, command)

    with wake, waker, mailbox_at(answer) as mailbox:
        mailbox.unseen()
        with pytest.raises(TryAgain, match="IDLE"):
            mailbox.wait_for_news(FOR_EVER, wake)


@pytest.mark.parametrize(
    "half", ["* SEARCH 1 2", "", "* 1 FETCH (UID 1 BODY[]<0> {1000}\r\nabc"], ids=["search", "silence", "mail"]
)
def test_an_answer_that_never_ends_is_cut_off(monkeypatch: pytest.MonkeyPatch, half: str) -> None:
    monkeypatch.setattr(imap_mailbox, "_SECONDS_FOR_AN_ANSWER", 0.2)
    monkeypatch.setattr(imap_mailbox, "_SECONDS_FOR_A_MAIL", 0.2)

    def answer(tag: str, command: str) -> str:
        return half if command == "UID" else usual(tag, command)

    with mailbox_at(answer) as mailbox, pytest.raises(TryAgain, match="cannot be read right now"):
        mailbox.read(1) if "FETCH" in half else mailbox.unseen()


@pytest.mark.parametrize("said", ["* 0 EXISTS\r\n", "* OK [UIDVALIDITY 7] but no next\r\n"])
def test_a_server_that_does_not_number_its_mails_is_a_sentence(said: str) -> None:
    def answer(tag: str, command: str) -> str:
        return f"{said}{tag} OK done\r\n" if command == "SELECT" else usual(tag, command)

    with pytest.raises(TryAgain, match="does not say the UID"), mailbox_at(answer):
        pass


@pytest.mark.parametrize("garbage", ["hello\r\n", "\x00\xff\r\n", "* BYE go away\r\n", "A" * 100_000 + "\r\n"])
def test_a_server_that_talks_nonsense_is_come_back_to(garbage: str) -> None:
    def answer(tag: str, command: str) -> str:
        return garbage if command == "UID" else usual(tag, command)

    with mailbox_at(answer) as mailbox, pytest.raises(TryAgain):
        mailbox.unseen()


@pytest.mark.parametrize("code", ["[UNAVAILABLE]", "[LIMIT]"])
def test_a_login_that_may_work_later_is_tried_again(code: str) -> None:
    def answer(tag: str, command: str) -> str:
        return f"{tag} NO {code} later\r\n" if command == "LOGIN" else usual(tag, command)

    with pytest.raises(TryAgain, match="right now"), mailbox_at(answer):
        pass


def test_what_another_mail_is_told_about_in_between_is_not_taken_for_ours() -> None:
    def answer(tag: str, command: str) -> str:
        mail = "* 4 FETCH (FLAGS (\\Seen))\r\n* 1 FETCH (UID 1 BODY[]<0> {3}\r\nabc)\r\n* 5 EXISTS\r\n"
        return f"{mail}{tag} OK done\r\n" if command == "UID" else usual(tag, command)

    with mailbox_at(answer) as mailbox:
        assert mailbox.read(1) == b"abc"


def test_a_mail_without_a_single_byte_is_a_mail() -> None:
    def answer(tag: str, command: str) -> str:
        return f'* 1 FETCH (UID 1 BODY[]<0> "")\r\n{tag} OK done\r\n' if command == "UID" else usual(tag, command)

    with mailbox_at(answer) as mailbox:
        assert mailbox.read(1) == b""
