"""Debian's Postfix on loopback, with a folder, a queue and a log of its own; in front of our listener by LMTP."""

from __future__ import annotations

import os
import pwd
import select
import signal
import smtplib
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.programs import need_root

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "mx.agency.example"
_MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log/mail
maillog_file_prefixes = {folder}
mail_owner = {owner}
myhostname = {name}
mydestination =
alias_maps =
local_recipient_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_authorized_xclient_hosts = 127.0.0.1
smtpd_peername_lookup = no
milter_default_action = tempfail
smtpd_milters = {milters}
{lines}"""
# Whoever comes from loopback is a stranger here, unless a test says how a server is set up.
_LINES = """\
mynetworks = 127.0.0.9/32
relay_domains = edit.example.com
transport_maps = inline:{{ {{ edit.example.com = lmtp:inet:127.0.0.1:{lmtp} }} }}
smtpd_recipient_restrictions = reject_unauth_destination
"""
_SERVICES = """\
127.0.0.1:{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
"""
_OF_THE_SERVER = ("active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "private", "saved")
_OF_ALL = ("maildrop", "public", "trace")


@dataclass(frozen=True, slots=True)
class Postfix:
    """One server; whoever sends through it says what a stranger's machine would."""

    port: int
    log: Path

    def take(self, raw: bytes, *, hello: bytes, mail_from: str, to: str, address: str | None = None) -> None:
        """Let a machine hand in a mail, from that address of the internet; it may call itself whatever it likes."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=60) as client:
            if address:
                client.ehlo("there.example")
                assert client.docmd("XCLIENT", f"ADDR={address} NAME=there.example")[0] == 220
            client.send(b"EHLO " + hello + b"\r\n")
            assert client.getreply()[0] == 250
            assert client.docmd("MAIL", f"FROM:<{mail_from}>")[0] == 250
            assert client.docmd("RCPT", f"TO:<{to}>")[0] == 250
            code, said = client.data(raw)
            assert code == 250, said


@contextmanager
def postfix(lmtp: int, *milters: int, lines: str = "") -> Iterator[Postfix]:
    """Run the server until the end, set up by these lines; who has none, or may run none, leaves the test out."""
    need_root("postfix")
    # Its processes are not ours, and may not go through the folders of a test.
    with tempfile.TemporaryDirectory(prefix="postfix-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with _running(folder, lines or _LINES.format(lmtp=lmtp), milters) as server:
            yield server


@contextmanager
def _running(folder: Path, lines: str, milters: tuple[int, ...]) -> Iterator[Postfix]:
    filters = ", ".join(f"inet:127.0.0.1:{port}" for port in milters)
    server = Postfix(free_port(), folder / "log" / "mail")
    _set_up(folder, server.port, lines, filters)
    programs = subprocess.run(
        ["postconf", "-dh", "daemon_directory"], check=True, capture_output=True, text=True
    ).stdout.strip()
    # It comes back when the server listens, and leaves it to itself.
    subprocess.run(
        [f"{programs}/master", "-c", str(folder / "etc"), "-w"],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"PATH": os.defpath, "MAIL_CONFIG": str(folder / "etc")},
    )
    try:
        yield server
    finally:
        _end(int((folder / "queue" / "pid" / "master.pid").read_text()))


def _end(process: int) -> None:
    """End the server, which ends its own, and wait until it is gone."""
    handle = os.pidfd_open(process)
    try:
        signal.pidfd_send_signal(handle, signal.SIGTERM)
        assert select.select([handle], [], [], 60)[0], "postfix does not end"
    finally:
        os.close(handle)


def _set_up(folder: Path, port: int, lines: str, milters: str) -> None:
    owner = pwd.getpwnam("postfix")
    for name in ("etc", "queue/pid", "data", "log", *(f"queue/{each}" for each in (*_OF_THE_SERVER, *_OF_ALL))):
        (folder / name).mkdir(parents=True)
    for name in ("data", "log", *(f"queue/{each}" for each in (*_OF_THE_SERVER, *_OF_ALL))):
        os.chown(folder / name, owner.pw_uid, owner.pw_gid)
    main = _MAIN.format(folder=folder, owner=owner.pw_name, name=NAME, lines=lines, milters=milters)
    (folder / "etc" / "main.cf").write_text(main)
    (folder / "etc" / "master.cf").write_text(_SERVICES.format(port=port))


def free_port() -> int:
    """Return a port of loopback that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
