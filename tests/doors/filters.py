"""Debian's own filters in front of a Postfix: OpenDKIM and rspamd, each on a port of loopback."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import tempfile
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
logging {{ type = "console"; level = "notice"; }}
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
    with _running([program, "-f", "-x", str(settings), "-p", f"inet:{port}@127.0.0.1", "-v"]):
        yield port


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
        with _running([program, "-f", "-u", user.pw_name, "-g", "_rspamd", "-c", str(settings)]):
            yield port


@contextmanager
def _running(argv: Sequence[str]) -> Iterator[None]:
    """Run a filter until the end; whoever needs it waits for it, because the server in front says "try again"."""
    process = subprocess.Popen(argv, stdout=None, stderr=None)
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
