"""Servers that speak SFTP or FTP in ways that nobody should, and names that no longer are text."""

from __future__ import annotations

import os
import socket
import ssl
import sys
import threading
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.remotes.ftp_server import PASSWORD, USER, ftp_server
from tests.remotes.hosting import Hosting, by_ftps, sftp_server
from webordinary.errors import Misconfigured, Outage
from webordinary.site.targets.address import FtpsPlace
from webordinary.site.targets.ftps_client import FtpsLogin, open_ftps
from webordinary.site.targets.host_files import HostRefused
from webordinary.site.targets.sftp_client import talk_sftp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.remotes.ftp_server import FtpServer

# Answers everything with the same packet, which is given after the question's number.
_SAME = """\
import struct, sys
out, source = sys.stdout.buffer, sys.stdin.buffer
def say(kind, body):
    out.write(struct.pack(">IB", len(body) + 1, kind) + body)
    out.flush()
while head := source.read(5):
    length, kind = struct.unpack(">IB", head)
    body = source.read(length - 1)
    if kind == 1:
        say(2, struct.pack(">I", 3))
    elif kind in {3, 11}:
        say(102, body[:4] + struct.pack(">I", 1) + b"h")
    elif kind in {5, 12}:
        say(104 if kind == 12 else 103, body[:4] + struct.pack(">I", 0))
    else:
        say(101, body[:4] + struct.pack(">I", 0) + struct.pack(">I", 0) * 2)
"""


def test_a_folder_or_a_file_that_never_ends_and_brings_nothing_is_over() -> None:
    with talk_sftp([sys.executable, "-c", _SAME], "amelia@host", timedelta(seconds=20)) as files:
        assert files.listing("public_html") == {}
        assert files.read("public_html/index.html") == b""


def test_an_account_that_greets_before_it_speaks_sftp_is_for_a_person_to_mend() -> None:
    greeting = "print('Welcome to our host!', flush=True); input()"
    with (
        pytest.raises(Misconfigured, match="writes something of its own before SFTP begins"),
        talk_sftp([sys.executable, "-c", greeting], "amelia@host", timedelta(seconds=20)),
    ):
        pytest.fail("it was taken for an SFTP server")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FtpServer]:
    with ftp_server(tmp_path_factory.mktemp("odd") / "ftp") as found:
        yield found


@contextmanager
def speaking(server: FtpServer, *answers: bytes) -> Iterator[int]:
    """Somebody with the server's certificate, who lets everybody in and then says these lines."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(server.certificates, server.folder / "server.key")
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            caller, _ = listening.accept()
            with caller:
                caller.sendall(b"220 hello\r\n")
                caller.recv(100)
                caller.sendall(b"234 go on\r\n")
                with context.wrap_socket(caller, server_side=True) as line:
                    for each in answers:
                        if not line.recv(1000):
                            break
                        line.sendall(each + b"\r\n")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield int(listening.getsockname()[1])
        thread.join()


def test_a_server_that_answers_in_the_letters_of_its_country_is_understood(server: FtpServer) -> None:
    said = ("331 wie heißt es?", "230 schön", "200 ja", "200 ja", "200 ja", "500 nö", "550 nicht möglich", "221 tschüß")
    with speaking(server, *(each.encode("latin-1") for each in said)) as port:
        login = FtpsLogin(FtpsPlace(USER, "127.0.0.1", port, "/"), lambda: PASSWORD, server.certificates)
        with open_ftps(login, timedelta(seconds=20)) as files, pytest.raises(HostRefused, match=r"nicht m.glich"):
            files.make_folder("x")


@pytest.mark.parametrize("switch", ["auto", "files"])
@pytest.mark.parametrize("connection", ["sftp", "ftps"])
def test_names_that_are_no_text_and_were_there_before_us_stay(
    connection: str, switch: str, server: FtpServer, tmp_path: Path
) -> None:
    host = Hosting(tmp_path, sftp_server() if connection == "sftp" else by_ftps(server), switch)
    folder, page = os.fsdecode(b"caf\xe9"), os.fsdecode(b"men\xfc.html")
    (host.docroot / folder).mkdir(parents=True)
    (host.docroot / folder / page).write_text("of somebody else")
    host.publish("c1")
    host.publish("c2")
    kept = [path.name for path in host.home.rglob("*") if path.is_file() and path.read_text() == "of somebody else"]
    assert kept == [page]
    assert host.shown()["index.html"] == "c2"


def test_a_server_that_leaves_in_the_middle_of_a_word_is_tried_again(server: FtpServer) -> None:
    with speaking(server, b"331 yes", b"230 yes", b"200 y") as port:
        login = FtpsLogin(FtpsPlace(USER, "127.0.0.1", port, "/"), lambda: PASSWORD, server.certificates)
        with pytest.raises(Outage, match="cannot be reached now"), open_ftps(login, timedelta(seconds=20)):
            pytest.fail("nobody was there")
