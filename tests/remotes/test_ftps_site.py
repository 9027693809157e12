"""Sites by FTP over TLS, with Debian's own ProFTPD: who is believed, what is never said, and hosts that do not help."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.programs import need
from tests.remotes.ftp_server import PASSWORD, USER, FtpServer, ftp_server
from tests.remotes.hosting import Hosting, by_ftps
from tests.remotes.relay import cut_line
from webordinary.errors import Misconfigured, Outage, PublishFailed, TryAgain
from webordinary.site.sites import Switched
from webordinary.site.targets.address import FtpsPlace
from webordinary.site.targets.ftps_client import FtpsLogin, open_ftps, read_line
from webordinary.site.targets.host_files import EntryKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FtpServer]:
    with ftp_server(tmp_path_factory.mktemp("ftp") / "proftpd") as server:
        yield server


def login_at(server: FtpServer, port: int | None = None, **changed: object) -> FtpsLogin:
    place = FtpsPlace(USER, "127.0.0.1", port or server.port, "/unused")
    return replace(FtpsLogin(place, lambda: PASSWORD, str(server.certificates)), **changed)  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize("protocol", ["TLSv1.2", "TLSv1.3"])
def test_data_travels_only_in_the_session_of_the_login(tmp_path: Path, protocol: str) -> None:
    with ftp_server(tmp_path / "proftpd", protocol=protocol) as server:
        host = Hosting(tmp_path, by_ftps(server))
        host.write("photo.jpg", "x" * 3_000_000)
        assert host.publish("c1") == Switched.RENAMED
        assert host.shown() == host.wanted()
        assert "session reuse" not in (server.folder / "tls.log").read_text()


def test_the_standard_library_alone_is_refused_by_such_a_server(
    server: FtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("webordinary.site.targets.ftps_client._Session.ntransfercmd")
    with open_ftps(login_at(server)) as files, pytest.raises((TryAgain, PublishFailed)):
        files.listing("/")


def test_a_certificate_of_nobody_gets_no_password(server: FtpServer, tmp_path: Path) -> None:
    unknown = partial(open_ftps, login_at(server, certificates=None))
    with pytest.raises(Misconfigured, match=r"is not believed \(self.signed certificate\); correct the host"):
        Hosting(tmp_path, unknown).publish("c1")
    elsewhere = partial(open_ftps, login_at(server, place=FtpsPlace(USER, "localhost", server.port, "/")))
    with pytest.raises(Misconfigured, match="not believed"):
        Hosting(tmp_path, elsewhere).publish("c1")
    missing = partial(open_ftps, login_at(server, certificates=str(tmp_path / "none.pem")))
    with pytest.raises(Misconfigured, match=r"none\.pem cannot be read .*correct `site\.certificates`"):
        Hosting(tmp_path, missing).publish("c1")


def test_a_wrong_password_is_told_without_it(server: FtpServer, tmp_path: Path) -> None:
    wrong = partial(open_ftps, login_at(server, password=lambda: "not-the-password"))
    with pytest.raises(Misconfigured, match=r"does not let amelia@bakery\.example in") as told:
        Hosting(tmp_path, wrong).publish("c1")
    assert "not-the-password" not in str(told.value)
    assert told.value.__cause__ is None


@contextmanager
def answering(*lines: str) -> Iterator[int]:
    """Somebody who says these lines, one for each question, and nothing more."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            caller, _ = listening.accept()
            with caller, caller.makefile("rwb") as line:
                for each in lines:
                    line.write(f"{each}\r\n".encode())
                    line.flush()
                    line.readline()
                caller.recv(1)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield int(listening.getsockname()[1])
        thread.join()


def test_nothing_is_said_to_a_server_without_tls(server: FtpServer, tmp_path: Path) -> None:
    with answering("220 hello", "502 what is that?", "530 no") as port:
        plain = partial(open_ftps, login_at(server, port))
        with pytest.raises(Misconfigured, match="offers no TLS, and nothing is sent without it"):
            Hosting(tmp_path, plain).publish("c1")


def test_a_server_that_says_nothing_is_away(server: FtpServer, tmp_path: Path) -> None:
    with answering("220 hello") as port:
        silent = partial(open_ftps, login_at(server, port), timedelta(milliseconds=300))
        with pytest.raises(Outage, match="does not answer in time"):
            Hosting(tmp_path, silent).publish("c1")
    away = partial(open_ftps, login_at(server, 1))
    with pytest.raises(Outage, match="cannot be reached now"):
        Hosting(tmp_path, away).publish("c1")


@pytest.mark.thorough
def test_a_line_that_is_cut_is_tried_again_and_goes_on(server: FtpServer, tmp_path: Path) -> None:
    host = Hosting(tmp_path, by_ftps(server))
    for number in range(30):
        host.write(f"{number}.css", str(number))
    # How long the commands are depends on how long the path of the test's folder is.
    for after in range(6_000, 30_000, 2_000):
        with cut_line(server.port, after) as port:
            cut = partial(open_ftps, login_at(server, port))
            with pytest.raises(Outage, match="cannot be reached now"):
                host.publish("c1", sites=host.sites(cut))
        assert not host.docroot.exists()
        if list(host.own.glob("next-*")):
            break
    assert list(host.own.glob("next-*")), "cut in the middle of the upload"
    assert host.publish("c1") == Switched.RENAMED
    assert host.shown() == host.wanted()


@pytest.mark.thorough
def test_a_host_that_renames_nothing_is_published_file_by_file(tmp_path: Path) -> None:
    limits = "<Limit RNFR RNTO>\n  DenyAll\n  </Limit>"
    with ftp_server(tmp_path / "proftpd", limits=limits) as server:
        host = Hosting(tmp_path, by_ftps(server))
        for commit in ("c1", "c2", "c3"):
            host.write(f"{commit}.css", commit)
            assert host.publish(commit) == Switched.FILE_BY_FILE
            assert host.shown() == host.wanted()


@pytest.mark.thorough
def test_a_host_that_replaces_no_file_is_helped(tmp_path: Path) -> None:
    with ftp_server(tmp_path / "proftpd", overwrite="off") as server:
        host = Hosting(tmp_path, by_ftps(server), "files")
        for commit in ("c1", "c2", "c3"):
            host.publish(commit)
        assert host.shown() == host.wanted()


@pytest.mark.thorough
def test_a_full_disk_there_switches_nothing(tmp_path: Path) -> None:
    need("prlimit")
    with ftp_server(tmp_path / "proftpd", file_size=1_000_000) as server:
        host = Hosting(tmp_path, by_ftps(server))
        host.publish("c1")
        host.write("photo.jpg", "x" * 3_000_000)
        with pytest.raises((TryAgain, PublishFailed)):
            host.publish("c2")
        assert host.shown()["index.html"] == "c1"


def test_a_line_break_in_a_name_is_refused_before_anything_travels(server: FtpServer, tmp_path: Path) -> None:
    host = Hosting(tmp_path, by_ftps(server))
    host.write("line\nbreak.html", "two lines")
    with pytest.raises(PublishFailed, match="has a line break in its name"):
        host.publish("c1")
    assert not host.docroot.exists()


def test_lines_of_a_listing_are_read_as_servers_write_them() -> None:
    file = "-rw-r--r--    1 1001     1001         2048 Nov 16 07:59 a  b.html"
    assert read_line(file) is not None
    name, entry = read_line(file) or ("", None)
    assert (name, entry and entry.size, entry and entry.stamp) == ("a  b.html", 2048, "Nov 16 07:59")
    link = read_line("lrwxrwxrwx   1 amelia   users          11 Mar  1  2024 www -> public_html")
    assert link is not None
    assert (link[0], link[1].kind) == ("www", EntryKind.LINK)
    assert read_line("total 12") is None


@pytest.mark.parametrize(
    ("to", "read"),
    [
        ("ftps://amelia@ftp.example.com/public_html/", FtpsPlace("amelia", "ftp.example.com", 21, "/public_html")),
        ("ftps://a@b.example@ftp.example.com:2121", FtpsPlace("a@b.example", "ftp.example.com", 2121, "/")),
    ],
)
def test_an_address_names_a_user_a_host_and_a_folder(to: str, read: FtpsPlace) -> None:
    assert FtpsPlace.read(to) == read


@pytest.mark.parametrize(
    "to", ["ftps://amelia:secret@host/www", "ftp://amelia@host/www", "ftps://host/www", "amelia@host"]
)
def test_an_address_with_a_password_or_without_tls_is_refused(to: str) -> None:
    with pytest.raises(ValueError, match="without a password"):
        FtpsPlace.read(to)
