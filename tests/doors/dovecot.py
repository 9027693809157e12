"""Debian's dovecot on loopback, with a temporary folder and mailboxes of its own; as root or as anybody."""

from __future__ import annotations

import grp
import imaplib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.doors.certificates import write_certificate
from tests.ports import free_port
from tests.programs import need

if TYPE_CHECKING:
    from collections.abc import Iterator

USER = "website@example.com"
PASSWORD = 'rolls "and" croissants'

_CONFIGURATION = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1, 127.0.0.2
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {login}
disable_plaintext_auth = no
auth_mechanisms = plain login
ssl = yes
ssl_cert = <{folder}/mail.pem
ssl_key = <{folder}/mail.key
mail_location = maildir:{folder}/mail/%u
mail_plugins =
namespace inbox {{
  inbox = yes
}}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {folder}/passwd
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/mail/%u
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
  }}
}}
service anvil {{
  chroot =
}}
protocol imap {{
  imap_capability = {capability}
}}
"""


# Tokens, and a way out that passes mails on to a server of the test; nobody waits longer after each refusal.
_TOKENS = """\
auth_mechanisms = plain login {mechanisms}
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth2.conf
}}
protocols = imap {way_out}
hostname = mail.example.com
auth_failure_delay = 0
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
submission_relay_host = 127.0.0.1
submission_relay_port = {relay}
service submission-login {{
  chroot =
  inet_listener submission {{
    port = {submission}
  }}
  inet_listener submissions {{
    port = 0
  }}
}}
"""
_INTROSPECTION = """\
introspection_mode = post
introspection_url = {address}/introspect
username_attribute = username
active_attribute = active
active_value = true
"""


@dataclass
class Dovecot:
    """One server; it can be killed and started again on the same ports."""

    folder: Path
    port: int
    tls_port: int
    submission: int = 0
    _process: subprocess.Popen[str] | None = field(default=None)

    @property
    def certificate(self) -> Path:
        return self.folder / "mail.pem"

    def start(self) -> None:
        self._process = subprocess.Popen(
            [need("dovecot"), "-F", "-c", str(self.folder / "dovecot.conf")],
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self._process.stderr is not None
        said = []
        for line in self._process.stderr:
            said.append(line)
            if "starting up" in line:
                return
        raise AssertionError("dovecot did not start:\n" + "".join(said))

    def kill(self) -> None:
        """End it with all its children, without a word to anybody; may be called twice."""
        if self._process is None:
            return
        os.killpg(self._process.pid, signal.SIGKILL)
        assert self._process.stderr is not None
        # Until its last child is gone somebody holds the other end.
        self._process.stderr.read()
        self._process.stderr.close()
        self._process.wait()
        self._process = None

    @contextmanager
    def visit(self) -> Iterator[imaplib.IMAP4]:
        """Look into the mailbox as somebody else's mail program does."""
        with imaplib.IMAP4("127.0.0.1", self.port, timeout=30) as client:
            client.login(USER, PASSWORD)
            client.select("INBOX")
            yield client

    def put(self, raw: bytes, flags: str = "", folder: str = "INBOX") -> None:
        """Let a mail come in."""
        with self.visit() as client:
            kind, said = client.append(folder, flags, "", raw)
            assert kind == "OK", said

    def flags(self, folder: str = "INBOX") -> list[str]:
        """Return the flags of each mail, without the one for what is recent."""
        with self.visit() as client:
            client.select(folder, readonly=True)
            _, found = client.uid("FETCH", "1:*", "(FLAGS)")
        lines = [line.decode().partition("FLAGS (")[2].partition(")")[0] for line in found if isinstance(line, bytes)]
        return [line.replace("\\Recent", "").strip() for line in lines]


def set_up(folder: Path, capability: str = "") -> Dovecot:
    """Write everything that a server needs; without dovecot the test is left out, and fails in strict mode."""
    need("dovecot")
    owners = _owners()
    # Whoever reads the mailboxes must be able to come this far.
    folder.chmod(0o755)
    write_certificate(folder)
    (folder / "passwd").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
    (folder / "mail").mkdir()
    os.chown(folder / "mail", owners["uid"], owners["gid"])
    server = Dovecot(folder, free_port(), free_port())
    ports = {"port": server.port, "tls_port": server.tls_port}
    text = _CONFIGURATION.format(folder=folder, capability=capability, **ports, **owners, **_names())
    (folder / "dovecot.conf").write_text(text)
    return server


@contextmanager
def running_dovecot() -> Iterator[Dovecot]:
    """Run a server with an empty mailbox inside the block."""
    folder = Path(tempfile.mkdtemp(prefix="dovecot-"))
    server = set_up(folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


def take_tokens(
    server: Dovecot, address: str, mechanisms: str = "xoauth2 oauthbearer", relay: int | None = None
) -> None:
    """Let a server take the tokens of a token server too, before it starts; with a relay also send mails on."""
    if relay is not None:
        server.submission = free_port()
    (server.folder / "oauth2.conf").write_text(_INTROSPECTION.format(address=address))
    more = _TOKENS.format(
        folder=server.folder,
        mechanisms=mechanisms,
        way_out="submission" if relay is not None else "",
        relay=relay or 25,
        submission=server.submission,
    )
    with (server.folder / "dovecot.conf").open("a") as file:
        file.write(more)


def _owners() -> dict[str, int]:
    """Return whose the mailboxes are: root hands them to nobody, because dovecot reads none of root's."""
    if os.getuid():
        return {"uid": os.getuid(), "gid": os.getgid()}
    nobody = pwd.getpwnam("nobody")
    return {"uid": nobody.pw_uid, "gid": nobody.pw_gid}


def _names() -> dict[str, str]:
    """Return who runs what: anybody but root does everything alone."""
    if os.getuid() == 0:
        return {"internal": "dovecot", "group": "dovecot", "login": "dovenull"}
    me = pwd.getpwuid(os.getuid()).pw_name
    return {"internal": me, "group": grp.getgrgid(os.getgid()).gr_name, "login": me}
