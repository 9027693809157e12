"""Debian's ProFTPD on loopback, with TLS for everything and a certificate of its own authority."""

from __future__ import annotations

import grp
import os
import pwd
import signal
import socket
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.programs import need

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

USER = "amelia@bakery.example"
PASSWORD = "correct-horse-battery"
_MODULES = "/usr/lib/proftpd"
_CONFIGURATION = """\
ServerName "a test"
ServerType standalone
DefaultAddress 127.0.0.1
Port {port}
UseIPv6 off
UseReverseDNS off
User {user}
Group {group}
AuthUserFile {folder}/passwd
AuthOrder mod_auth_file.c
RequireValidShell off
RootLogin on
WtmpLog off
TransferLog none
ScoreboardFile none
PidFile {folder}/pid
DelayTable none
ModulePath {modules}
LoadModule mod_tls.c
TLSEngine on
TLSRequired on
TLSProtocol {protocol}
TLSECCertificateFile {folder}/server.pem
TLSECCertificateKeyFile {folder}/server.key
TLSLog {folder}/tls.log
SystemLog {folder}/log
AllowOverwrite {overwrite}
TimeoutIdle 60
<Directory />
  Umask 022
  {limits}
</Directory>
"""


@dataclass(frozen=True)
class FtpServer:
    """Where it listens, and whom it lets in."""

    folder: Path
    port: int

    @property
    def certificates(self) -> Path:
        return self.folder / "server.pem"

    @property
    def password_file(self) -> Path:
        return self.folder / "password"

    def address(self, folder: Path) -> str:
        return f"ftps://{USER}@127.0.0.1:{self.port}{folder}"


@contextmanager
def ftp_server(
    folder: Path,
    *,
    protocol: str = "TLSv1.2 TLSv1.3",
    limits: str = "",
    overwrite: str = "on",
    file_size: int | None = None,
) -> Iterator[FtpServer]:
    """Run a server as whoever runs the tests; without ProFTPD the test is left out, and fails in strict mode."""
    program, openssl = need("proftpd"), need("openssl")
    folder.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as probe:
        server = FtpServer(folder, int(probe.getsockname()[1]))
    _make_certificate(openssl, folder)
    _let_in(openssl, folder)
    who = pwd.getpwuid(os.getuid()).pw_name
    written = _CONFIGURATION.format(
        folder=folder,
        port=server.port,
        user=who,
        group=grp.getgrgid(os.getgid()).gr_name,
        modules=_MODULES,
        protocol=protocol,
        limits=limits,
        overwrite=overwrite,
    )
    (folder / "proftpd.conf").write_text(written, encoding="ascii")
    small = [need("prlimit"), f"--fsize={file_size}"] if file_size else []
    words = [*small, program, "--nodaemon", "--debug", "1", "--config", str(folder / "proftpd.conf")]
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        _wait_until_it_listens(server, process)
        yield server
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait_until_it_listens(server: FtpServer, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", server.port)).close()
        except ConnectionRefusedError:
            continue
        return
    raise AssertionError((server.folder / "said").read_text(errors="replace"))


def _make_certificate(openssl: str, folder: Path) -> None:
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(folder / "server.key"), "-out", str(folder / "server.pem")]
    subprocess.run([openssl, *words, *names, *files], check=True, capture_output=True)
    (folder / "server.key").chmod(0o600)


def _let_in(openssl: str, folder: Path) -> None:
    hashed = subprocess.run([openssl, "passwd", "-6", PASSWORD], check=True, capture_output=True, text=True)
    line = f"{USER}:{hashed.stdout.strip()}:{os.getuid()}:{os.getgid()}::{folder.parent}:/bin/sh\n"
    (folder / "passwd").write_text(line, encoding="ascii")
    (folder / "passwd").chmod(0o600)
    (folder / "password").write_text(f"{PASSWORD}\n", encoding="ascii")
