"""Debian's own filters in front of a Postfix: OpenDKIM, OpenDMARC and rspamd, each on a port of loopback."""

from __future__ import annotations

import os
import pwd
import shlex
import signal
import socket
import subprocess
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.doors.postfix import NAME, free_port
from tests.programs import need, need_own_view, need_root

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Only what looks at who sent a mail: the rest takes long to load, and asks the internet about its words.
_RSPAMD = """\
options {{
  pidfile = "{folder}/pid";
  control_socket = "{folder}/control mode=0600";
  tempdir = "{folder}";
  filters = "dkim";
  disable_hyperscan = true;
  local_addrs = [];
  dns {{ nameserver = ["127.0.0.1:{dns}"]; timeout = 1s; retransmits = 2; }}
}}
logging {{ type = "console"; level = "info"; }}
modules {{ path = "/usr/share/rspamd/plugins"; }}
actions {{ reject = 1000; }}
dkim {{ check_local = true; check_authed = true; }}
spf {{ check_local = true; check_authed = true; }}
dmarc {{ check_local = true; check_authed = true; }}
milter_headers {{
  use = ["authentication-results"];
  skip_local = false;
  skip_authenticated = false;
  routines {{ authentication-results {{ hostname = "{name}"; }} }}
}}
worker "rspamd_proxy" {{
  bind_socket = "127.0.0.1:{port}";
  milter = yes;
  timeout = 60s;
  count = 1;
  upstream "local" {{ default = yes; self_scan = yes; }}
}}
"""


@contextmanager
def opendkim(folder: Path, dns: str | None = None) -> Iterator[int]:
    """Run the one that writes what it found of signatures, under the name of our server."""
    program, port = need("opendkim"), free_port()
    settings = folder / "opendkim.conf"
    settings.write_text(f"Mode v\nAuthservID {NAME}\nAlwaysAddARHeader yes\nSyslog no\nBackground no\n")
    argv = [program, "-f", "-x", str(settings), "-p", f"inet:{port}@127.0.0.1", "-v"]
    with _listening(_asking(dns, folder, argv) if dns else argv, port):
        yield port


@contextmanager
def opendmarc(folder: Path, dns: str) -> Iterator[int]:
    """Run the one that adds up what others found and what SPF says, under the same name."""
    program, port = need_root("opendmarc"), free_port()
    need_own_view()
    settings = folder / "opendmarc.conf"
    said = f"AuthservID {NAME}\nTrustedAuthservIDs {NAME}\nSPFSelfValidate true\nSPFIgnoreResults true\nSyslog false\n"
    settings.write_text(said)
    argv = [program, "-f", "-c", str(settings), "-p", f"inet:{port}@127.0.0.1"]
    with _listening(_asking(dns, folder, argv), port):
        yield port


def _asking(dns: str, folder: Path, argv: Sequence[str]) -> list[str]:
    """Let a program that knows only the machine's name server ask another one, on the usual port of that address."""
    names = folder / "resolv.conf"
    names.write_text(f"nameserver {dns}\n")
    script = f"mount --bind {shlex.quote(str(names))} /etc/resolv.conf && exec {shlex.join(argv)}"
    return ["unshare", "--mount", "sh", "-ec", script]


@contextmanager
def _listening(argv: Sequence[str], port: int) -> Iterator[None]:
    """Run a filter until the end, from the moment at which it listens."""
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not _answers(port):
            assert process.poll() is None, f"{shlex.join(argv)} did not start"
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def rspamd(dns: int) -> Iterator[int]:
    """Run the one that finds all of it out by itself, and asks that name server."""
    program, port = need_root("rspamd"), free_port()
    user = pwd.getpwnam("_rspamd")
    with tempfile.TemporaryDirectory(prefix="rspamd-") as name:
        folder = Path(name)
        settings = folder / "rspamd.conf"
        settings.write_text(_RSPAMD.format(dns=dns, port=port, folder=folder, name=NAME))
        os.chown(folder, user.pw_uid, user.pw_gid)
        argv = [program, "-f", "-u", user.pw_name, "-g", "_rspamd", "-c", str(settings)]
        with _telling(argv, "(rspamd_proxy)"):
            yield port


@contextmanager
def _telling(argv: Sequence[str], ready: str) -> Iterator[None]:
    """Run a filter until the end, from the moment at which it says that word."""
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    assert process.stdout is not None
    told: list[str] = []
    # What it goes on telling must not fill the pipe.
    rest = threading.Thread(target=process.stdout.read, name="filter", daemon=True)
    try:
        for line in process.stdout:
            told.append(line)
            if ready in line:
                break
        assert process.poll() is None, "".join(told)
        rest.start()
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        if rest.ident is not None:
            rest.join()
        process.stdout.close()
