"""The HTTP door when clients are slow, many or broken, and when the machine dies: nothing is lost or doubled."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from contextlib import closing, contextmanager
from http.client import HTTPConnection, RemoteDisconnected
from typing import TYPE_CHECKING

import pytest

from tests.doors.hooks import MAILGUN, SECRET, Booth, mailgun, open_booth, plain, postmark, sendgrid
from tests.doors.office import MAIL
from webordinary.config import Duration

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from socket import socket

SOON = Duration(seconds=0.3)
HEAD = f"POST /mail/{SECRET} HTTP/1.1\r\nHost: a\r\nContent-Type: message/rfc822\r\n".encode()


@contextmanager
def booth_of(folder: Path, **keys: object) -> Iterator[Booth]:
    booth = open_booth(folder, **keys)  # type: ignore[arg-type]  # each test knows its keys
    try:
        yield booth
    finally:
        booth.listener.close()
        assert (booth.listener.door.room.inside, booth.listener.door.room.taken) == (0, 0)


def hear(client: socket) -> bytes:
    """Return everything that the door says until it leaves."""
    with client.makefile("rb") as stream:
        return stream.read()


def test_a_client_that_never_says_what_it_wants_is_hung_up_on(tmp_path: Path) -> None:
    with booth_of(tmp_path, head_deadline=SOON) as booth, booth.raw() as silent, booth.raw() as slow:
        slow.sendall(b"POST /mail HT")
        assert hear(silent).startswith(b"HTTP/1.1 408")
        assert hear(slow).startswith(b"HTTP/1.1 408")


def test_a_client_that_never_ends_its_mail_is_hung_up_on(tmp_path: Path) -> None:
    with booth_of(tmp_path, mail_deadline=SOON) as booth, booth.raw() as slow:
        slow.sendall(HEAD + b"Content-Length: 1000\r\n\r\nSubject: we op")
        assert hear(slow).startswith(b"HTTP/1.1 408")
        assert booth.mails() == []


def test_a_mail_that_is_broken_off_is_not_taken(tmp_path: Path) -> None:
    with booth_of(tmp_path) as booth:
        for ending in (b"Content-Length: 1000\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n400\r\n"):
            with booth.raw() as client:
                client.sendall(HEAD + ending + MAIL)
                client.shutdown(1)
                assert b" 200 " not in hear(client)
        assert booth.mails() == []


@pytest.mark.parametrize(
    "head",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"EHLO phone.example.org\r\n\r\n",
        b"POST /mail HTTP/1.1\r\n\r\n",
        b"POST /mail HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"POST /mail HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /mail HTTP/1.1\r\nHost: a\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        HEAD + b"Content-Length: 99999999999999999999\r\n\r\n",
        b"POST /mail HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"POST /mail HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
        b"POST /mail\xff HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused(tmp_path: Path, head: bytes) -> None:
    with booth_of(tmp_path) as booth, booth.raw() as client:
        client.sendall(head)
        client.shutdown(1)
        assert hear(client)[:10] in {b"HTTP/1.1 4", b"HTTP/1.1 5"}
        assert booth.mails() == []


def test_behind_a_mail_nothing_else_is_heard(tmp_path: Path) -> None:
    length = f"Content-Length: {len(MAIL)}\r\n\r\n".encode()
    with booth_of(tmp_path) as booth, booth.raw() as client:
        client.sendall(HEAD + length + MAIL + HEAD + length + MAIL.replace(b"nine", b"noon"))
        assert hear(client).count(b"HTTP/1.1") == 1
        assert booth.mails() == [MAIL]


def test_a_mail_may_come_in_pieces_and_a_client_may_ask_first(tmp_path: Path) -> None:
    with booth_of(tmp_path) as booth, booth.raw() as client:
        client.sendall(HEAD + b"Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 100")
        for piece in (MAIL[:10], MAIL[10:]):
            client.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        client.sendall(b"0\r\n\r\n")
        assert hear(client).startswith(b"HTTP/1.1 200")
        assert booth.mails() == [MAIL]


def test_who_shows_nothing_is_told_so_before_the_mail_is_sent(tmp_path: Path) -> None:
    with booth_of(tmp_path) as booth, booth.raw() as client:
        client.sendall(b"POST /mail HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n")
        client.shutdown(1)
        assert hear(client).startswith(b"HTTP/1.1 401")


def test_there_is_room_for_so_many_and_no_more(tmp_path: Path) -> None:
    with booth_of(tmp_path, connections=2) as booth:
        with booth.raw() as first, booth.raw() as second:
            for client in (first, second):
                client.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: 5\r\n\r\n")
                assert client.recv(100).startswith(b"HTTP/1.1 100")
            with booth.raw() as third:
                third.shutdown(1)
                assert hear(third).startswith(b"HTTP/1.1 503")
        assert booth.hand_in(plain(MAIL)) in {200, 503}


def test_mails_that_would_fill_the_memory_together_are_put_off(tmp_path: Path) -> None:
    with booth_of(tmp_path) as booth:
        booth.listener.door.room.bytes_at_once = 1000
        assert booth.hand_in(plain(MAIL + b"x" * 900 + b"\r\n")) == 503
        assert booth.hand_in(plain(MAIL)) == 200


def test_a_mail_in_crumbs_that_would_keep_the_door_busy_is_not_read_to_its_end(tmp_path: Path) -> None:
    with booth_of(tmp_path) as booth, booth.raw() as client:
        client.sendall(b"POST /mailgun/mime HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        client.sendall(b"1\r\nx\r\n" * 3000)
        client.shutdown(1)
        assert b"too small pieces" in hear(client)


def test_who_is_sending_when_the_door_is_closed_may_finish(tmp_path: Path) -> None:
    with booth_of(tmp_path) as booth, booth.raw() as idle, booth.raw() as sending:
        sending.sendall(HEAD + f"Expect: 100-continue\r\nContent-Length: {len(MAIL)}\r\n\r\n".encode())
        assert sending.recv(100).startswith(b"HTTP/1.1 100")
        thread = threading.Thread(target=booth.listener.close)
        thread.start()
        # It came before the other one, which was answered: so it is inside.
        assert hear(idle).startswith(b"HTTP/1.1 503")
        sending.sendall(MAIL)
        assert hear(sending).startswith(b"HTTP/1.1 200")
        thread.join()
        assert booth.mails() == [MAIL]
        assert booth.ports.engine.overview.mails()[0].state == "decided"


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("number", [0, *(pytest.param(each, marks=pytest.mark.thorough) for each in (1, 2, 3))])
def test_a_machine_that_dies_between_the_mail_and_its_answer_loses_and_doubles_nothing(
    tmp_path: Path, when: str, number: int
) -> None:
    with booth_of(tmp_path) as booth:
        path, body, headers = (mailgun(MAIL, booth.now), plain(MAIL), postmark(MAIL), sendgrid(MAIL))[number]
    argv = [sys.executable, "-m", "tests.doors.dying_hook", str(tmp_path), when]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        with closing(HTTPConnection("127.0.0.1", int(process.stdout.readline()), timeout=60)) as connection:
            connection.request("POST", path, body, headers)
            with pytest.raises((RemoteDisconnected, ConnectionResetError)):
                connection.getresponse()
    with booth_of(tmp_path) as booth:
        assert booth.mails() == ([MAIL] if when == "after" else [])
        assert [booth.post(path, body, headers)[0] for _ in range(2)] == [200, 200]
        assert booth.mails() == [MAIL]


def test_no_secret_is_ever_written_down(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with booth_of(tmp_path) as booth:
        said = [
            booth.post(f"/mail/{SECRET[:-1]}x", MAIL)[1],
            booth.post(f"/postmark/{SECRET}", b"{}")[1],
            booth.post(*mailgun(MAIL, booth.now, key=f"{MAILGUN}x"))[1],
            booth.post(f"/nowhere/{SECRET}", MAIL)[1],
        ]
        (tmp_path / "secret").unlink()
        status, words = booth.post(f"/mail/{SECRET}", MAIL)
        assert status == 503
        said.append(words)
    written = "\n".join([*said, caplog.text, *map(repr, booth.ports.engine.trail.read())])
    assert "was not taken" in caplog.text
    assert SECRET[:-1] not in written
    assert MAILGUN not in written
    assert str(tmp_path) not in "".join(said)


def test_a_secret_that_changes_counts_at_once(tmp_path: Path) -> None:
    with booth_of(tmp_path) as booth:
        (tmp_path / "secret").write_text("f" * 32)
        assert booth.hand_in(plain(MAIL)) == 401
        assert booth.post(f"/mail/{'f' * 32}", MAIL, {"Content-Type": "message/rfc822"})[0] == 200
