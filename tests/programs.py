"""Programs of the machine that some tests need: who does without them, and what to install to see every test."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from webordinary.errors import Misconfigured
from webordinary.workspace.confined.landlock import landlock_version
from webordinary.workspace.confined.seccomp import is_known_machine
from webordinary.workspace.sandbox import SandboxKind, choose_sandbox

if TYPE_CHECKING:
    from pathlib import Path

    from webordinary.workspace.sandbox import Sandbox

# Each program that a test may miss, and the Debian package that brings it.
PACKAGES = {
    "bwrap": "bubblewrap",
    "caddy": "caddy",
    "chromium": "chromium",
    "curl": "curl",
    "dovecot": "dovecot-imapd",
    "git": "git",
    "hugo": "hugo",
    "java": "default-jre-headless",
    "nginx": "nginx-light",
    "opendkim": "opendkim",
    "opendmarc": "opendmarc",
    "openssl": "openssl",
    "postfix": "postfix",
    "prlimit": "util-linux",
    "proftpd": "proftpd-mod-crypto",
    "prometheus": "prometheus",
    "promtool": "prometheus",
    "rspamd": "rspamd",
    "rsync": "rsync",
    "setpriv": "util-linux",
    "sftp-server": "openssh-server",
    "sshd": "openssh-server",
    "unshare": "util-linux",
    "submission-login": "dovecot-submissiond",
    "systemd-analyze": "systemd",
}
# Servers lie where the path of ordinary people does not lead.
_OF_ROOT = ("/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/lib/dovecot", "/usr/lib/openssh")
# What `python -m tests.without` has hidden.
HIDDEN = frozenset(os.environ.get("WEBORDINARY_WITHOUT", "").split())
# The rungs of the sandbox that take in agents with a model.
WITH_MODEL = (SandboxKind.BUBBLEWRAP.value, SandboxKind.LANDLOCK.value)
MISSING = "is missing: apt install"
NOT_HERE = "cannot be had here"


def find(program: str) -> str | None:
    """Return where a program is; what is hidden is nowhere."""
    if program in HIDDEN:
        return None
    return shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", os.defpath), *_OF_ROOT]))


def need(program: str) -> str:
    """Return where a program is; without it the test is left out, which strict mode does not forgive."""
    found = find(program)
    if found is None:
        pytest.skip(f"{program} {MISSING} {PACKAGES[program]}")
    return found


def need_sandbox(kind: str = "auto", data: Path | None = None) -> Sandbox:
    """Return a sandbox; a rung that this machine, or whoever runs the tests, cannot have leaves the test out."""
    if kind == SandboxKind.BUBBLEWRAP:
        need("bwrap")
    try:
        return choose_sandbox(kind, data)
    except Misconfigured as missing:
        pytest.skip(f"the sandbox {kind} {NOT_HERE}: {missing}")


def need_filter() -> None:
    """Leave the test out on a processor whose system calls are not known to the filter."""
    if not is_known_machine():
        pytest.skip(f"the filter for system calls {NOT_HERE}: this kind of processor is not known")


def need_landlock() -> None:
    """Leave the test out on a kernel without Landlock."""
    if not landlock_version():
        pytest.skip(f"Landlock {NOT_HERE}: the kernel does not have it")


def need_root(program: str) -> str:
    """Return where a program is that only root may start; for everybody else the test is left out."""
    found = need(program)
    if os.getuid():
        pytest.skip(f"{program} {NOT_HERE}: only root may start it")
    return found


def need_to_work(argv: list[str], what: str) -> None:
    """Leave the test out where a command fails already before the test has done anything to the machine."""
    tried = subprocess.run(argv, check=False, capture_output=True)
    if tried.returncode:
        pytest.skip(f"{what} {NOT_HERE}: {tried.stderr.decode(errors='replace').strip()}")


def need_own_view() -> None:
    """Leave the test out where nobody may have a view of the files of their own, as in some containers."""
    made = subprocess.run([need("unshare"), "--mount", "true"], check=False, capture_output=True)
    if made.returncode:
        pytest.skip(f"a view of the files {NOT_HERE}: {made.stderr.decode(errors='replace').strip()}")
