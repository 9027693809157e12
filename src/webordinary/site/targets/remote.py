"""A folder on another machine: reached by SSH, filled by rsync, and asked with short scripts for its plain shell."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child import Finished, run
from webordinary.errors import Misconfigured, Outage, PublishFailed, WebOrdinaryError
from webordinary.workspace.ssh import ssh_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.routing.project import SshAccess
    from webordinary.site.targets.address import Remote

# The first word that each script says: without it no shell has read the script.
_SHELL = "webordinary"
_BEGINS = f"echo {_SHELL}\nset -eu\nLC_ALL=C\nexport LC_ALL\n"
_ASKED = timedelta(minutes=1)
_SENT = timedelta(minutes=15)
_STALLED = 60
_NO_CONNECTION = 255
# Why it could not write is often lost on the way: the receiving side ends before it has said it.
_NOT_WRITTEN = 11
_HANDED_ON = ("SSH_AUTH_SOCK",)

_STRANGER = re.compile(r"host key verification failed|remote host identification has changed", re.IGNORECASE)
_LOCKED_OUT = re.compile(r"permission denied \(|too many authentication failures|invalid format", re.IGNORECASE)
_FULL = re.compile(r"no space left|quota exceeded", re.IGNORECASE)
_FORBIDDEN = re.compile(
    r"permission denied|read-only file system|operation not permitted|not a directory", re.IGNORECASE
)
_NO_PROGRAM = re.compile(r"(rsync|mv|readlink|ln)\b.*not found|unrecognized option|illegal option", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shell:
    """What is done there; every refusal becomes one sentence that says what to do."""

    remote: Remote
    access: SshAccess

    def ask(self, script: str, *arguments: str, may_say: frozenset[int] = frozenset()) -> tuple[int, list[str]]:
        """Run a script in the folder's surroundings, and return its code, if it may have that one, and its lines."""
        words = shlex.join(["sh", "-s", "--", self.remote.path, *arguments])
        with self._ssh() as ssh:
            ended = self._run([*ssh, self.remote.login, words], _ASKED, (_BEGINS + script).encode())
        said = ended.stdout.decode(errors="replace").splitlines()
        if ended.code != _NO_CONNECTION and said[:1] != [_SHELL]:
            raise Misconfigured(
                f"The account {self.remote.login} runs no shell, without which no release can be switched there; "
                'allow it a shell, or let the host build the site itself (`target = "git"`).'
            )
        if ended.code and ended.code not in may_say:
            raise self._translate(ended)
        return ended.code, said[1:]

    def send(self, folder: Path, into: str, like: str | None) -> None:
        """Copy a folder's files into a new folder there; only what `like` has not travels, the rest is shared."""
        # Always compared by content: every build writes every file anew. rsync never writes into a file that is there.
        options = ["-rlp", "--checksum", "--chmod=D755,F444", f"--timeout={_STALLED}", "--protect-args"]
        if like is not None:
            options.append(f"--link-dest=../{like}/")
        with self._ssh() as ssh:
            argv = ["rsync", *options, "-e", shlex.join(ssh), f"{folder}/", f"{self.remote.login}:{into}/"]
            ended = self._run(argv, _SENT)
        if ended.code:
            raise self._translate(ended)

    @contextmanager
    def _ssh(self) -> Iterator[list[str]]:
        with tempfile.TemporaryDirectory(prefix="webordinary-ssh-") as folder:
            port = ["-p", self.remote.port] if self.remote.port else []
            yield [*ssh_words(self.access, Path(folder), "project.site"), *port]

    def _run(self, argv: list[str], deadline: timedelta, stdin: bytes = b"") -> Finished:
        ended = run(argv, cwd=Path("/"), env=ssh_surroundings(), stdin=stdin, deadline=deadline)
        if ended.timed_out:
            raise Outage(f"The server of {self.remote.login} does not answer in time; it will be tried again.")
        return ended

    def _translate(self, ended: Finished) -> WebOrdinaryError:  # noqa: PLR0911 - one for each thing to do
        said = ended.stderr.decode(errors="replace")
        login, path = self.remote.login, self.remote.path
        if (refusal := refusal_of_ssh(said, login)) is not None:
            return refusal
        if _FULL.search(said):
            return Outage(f"The disk of {login} is full; make room there, it will be tried again.")
        if _NO_PROGRAM.search(said):
            return Misconfigured(f"The server of {login} lacks a program ({_last(said)}); install rsync there.")
        if _FORBIDDEN.search(said):
            return Misconfigured(f"{login} may not write into {path}; correct its rights there, or `site.to`.")
        if ended.code == _NOT_WRITTEN:
            return Outage(f"The server of {login} cannot write what it gets; look whether its disk is full.")
        if ended.code == _NO_CONNECTION or "connection" in said.lower():
            return Outage(f"The server of {login} cannot be reached now; it will be tried again.")
        return PublishFailed(f"The server of {login} refused the site ({_last(said)}); look at it there.")


def refusal_of_ssh(said: str, login: str) -> Misconfigured | None:
    """Return what a person has to correct when SSH itself does not come through; None when it is something else."""
    if _STRANGER.search(said):
        return Misconfigured(f"The server of {login} is not known to us by its key; correct `site.known_hosts`.")
    if _LOCKED_OUT.search(said):
        return Misconfigured(f"The server of {login} does not let us in; correct `site.ssh_key_file`.")
    return None


def ssh_surroundings() -> dict[str, str]:
    """Return the variables that SSH gets: none of ours, and nobody's language."""
    env = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "HOME": os.path.expanduser("~")}  # noqa: PTH111 - may be missing
    return env | {name: os.environ[name] for name in _HANDED_ON if name in os.environ}


def _last(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    first = next((line for line in lines if not line.startswith("rsync error:")), "it gave no reason")
    return first[:160]
