"""Debian's sshd on loopback, with a key of its own, for whoever has the one key that it lets in."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.programs import need

if TYPE_CHECKING:
    from collections.abc import Iterator


_CONFIGURATION = """\
ListenAddress 127.0.0.1:{port}
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized_keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
LogLevel VERBOSE
Subsystem sftp internal-sftp
"""


@dataclass(frozen=True)
class SshServer:
    """Where it listens, what it is known by, and the key that it lets in."""

    folder: Path
    port: int

    def address(self, repository: Path) -> str:
        return f"ssh://{getpass.getuser()}@127.0.0.1:{self.port}{repository}"

    @property
    def key(self) -> Path:
        return self.folder / "key"

    @property
    def host_key(self) -> str:
        return (self.folder / "host_key.pub").read_text(encoding="ascii").strip()

    @property
    def known_hosts(self) -> Path:
        path = self.folder / "known_hosts"
        path.write_text(f"[127.0.0.1]:{self.port} {self.host_key}\n", encoding="ascii")
        return path

    @contextmanager
    def lets_run(self, command: str) -> Iterator[None]:
        """Let whoever comes run only this, whatever they ask for."""
        allowed, public = self.folder / "authorized_keys", (self.folder / "key.pub").read_text(encoding="ascii")
        allowed.write_text(f'command="{command}" {public}', encoding="utf-8")
        try:
            yield
        finally:
            allowed.write_text(public, encoding="ascii")


@contextmanager
def ssh_server(folder: Path) -> Iterator[SshServer]:
    """Run a server; without sshd the test is left out, and fails in strict mode."""
    program = need("sshd")
    folder.mkdir()
    if os.geteuid() == 0:
        # Debian makes it when the service starts, which it never does in a container.
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    make_key(folder / "host_key")
    make_key(folder / "key")
    shutil.copyfile(folder / "key.pub", folder / "authorized_keys")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        server = SshServer(folder, int(probe.getsockname()[1]))
    (folder / "sshd_config").write_text(_CONFIGURATION.format(folder=folder, port=server.port), encoding="ascii")
    process = subprocess.Popen(
        [program, "-D", "-e", "-f", str(folder / "sshd_config")],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    # It stands still as soon as nobody reads what it says.
    reading = threading.Thread(target=process.stderr.read, daemon=True)
    try:
        said = next((line for line in process.stderr if "listening" in line or "error" in line.lower()), "")
        assert "listening" in said, said
        reading.start()
        yield server
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if reading.is_alive():
            reading.join()
        process.stderr.close()


def make_key(path: Path) -> None:
    """Make a pair of keys; the public one gets `.pub` behind its name."""
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "for a test", "-f", str(path)]
    subprocess.run(words, check=True)
