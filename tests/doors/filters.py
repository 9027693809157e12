"""Debian's own filters in front of a Postfix: OpenDKIM and rspamd, each on a port of loopback."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.doors.postfix import NAME, free_port
from tests.programs import need, need_root

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
def opendkim(folder: Path) -> Iterator[int]:
    """Run the one that writes what it found of signatures, under the name of our server."""
    program, port = need("opendkim"), free_port()
    settings = folder / "opendkim.conf"
    settings.write_text(f"Mode v\nAuthservID {NAME}\nAlwaysAddARHeader yes\nSyslog no\nBackground no\n")
    argv = [program, "-f", "-x", str(settings), "-p", f"inet:{port}@127.0.0.1", "-v"]
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


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
