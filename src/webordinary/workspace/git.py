"""Git, with argument lists and a clean environment: no hooks, no outside configuration, no questions."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.child import Finished, run
from webordinary.errors import Misconfigured, Outage, TryAgain, WebOrdinaryError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from webordinary.workspace.access import Access

_LOCAL = timedelta(minutes=2)
_REMOTE = timedelta(minutes=5)
# Enough for the list of changed files of any site; more than that is cut, which is an error here.
_MOST_OUTPUT = 64 * 1024 * 1024

_SETTINGS = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.attributesFile": "/dev/null",
    "core.autocrlf": "false",
    "core.quotePath": "false",
    # A power cut must not leave a branch that names an object which never reached the disk.
    "core.fsync": "committed,reference",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "submodule.recurse": "false",
    "diff.ignoreSubmodules": "all",
    "fetch.recurseSubmodules": "false",
    "push.recurseSubmodules": "no",
    "protocol.ext.allow": "never",
    "safe.directory": "*",
    "commit.gpgSign": "false",
    "push.gpgSign": "false",
    "advice.detachedHead": "false",
    "user.useConfigOnly": "true",
}
# What reaching a remote may need of the worker's surroundings; nothing else of them is handed on.
_HANDED_ON = ("SSH_AUTH_SOCK", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")

_MISSING = re.compile(
    r"does not appear to be a git repository|repository .*not found|repository .*does not exist", re.IGNORECASE
)
_LOCKED_OUT = re.compile(
    r"authentication failed|permission denied|could not read (username|password)|dubious ownership"
    r"|invalid credentials|returned error: 40[13]",
    re.IGNORECASE,
)
_DAMAGE = re.compile(
    r"corrupt|bad (object|tree|signature|sha1)|missing (blob|tree|commit|object)|unable to (read|find|unpack)"
    r"|could not read|loose object|inflate|invalid (sha1|object)|hash mismatch|not a valid object",
    re.IGNORECASE,
)
_STRANGER = re.compile(r"host key verification failed|remote host identification has changed", re.IGNORECASE)
_AWAY = re.compile(
    r"could not resolve|connect|timed out|hung up|early eof|unable to access|network|rpc failed", re.IGNORECASE
)


class GitFailed(TryAgain):
    """Git could not do what it was told."""

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details

    @property
    def hints_at_damage(self) -> bool:
        """Whether what git said sounds as if something on the disk cannot be read."""
        return _DAMAGE.search(self.details) is not None


class RepositoryGone(TryAgain):
    """Nothing is where the repository was: it is moved, or its disk is not mounted at this moment."""


class LockedOut(Misconfigured):
    """The remote knows us and says no, or does not know us; nothing was exchanged."""


class Git:
    """Git in one folder; it is told its repository, so that nothing in the folder can choose another one."""

    def __init__(
        self,
        folder: Path,
        *,
        repository: Path,
        settings: Iterable[tuple[str, str]] = (),
        keep_open: tuple[int, ...] = (),
    ) -> None:
        self.folder = folder
        self._keep_open = keep_open
        self._settings = [*_SETTINGS.items(), *settings]
        self._env = _environment() | _configuration(self._settings) | {"GIT_DIR": str(repository)}
        if folder != repository:
            self._env["GIT_WORK_TREE"] = str(folder)

    def attempt(
        self,
        *arguments: str,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        deadline: timedelta = _LOCAL,
        keep_open: tuple[int, ...] = (),
    ) -> Finished:
        """Run git and return how it ended, for callers to whom a failure is an answer."""
        finished = run(
            ["git", *arguments],
            cwd=self.folder,
            env=self._env | dict(env or {}),
            stdin=stdin,
            deadline=deadline,
            keep_open=(*self._keep_open, *keep_open),
            limit=_MOST_OUTPUT,
            # Only what reaches a remote starts other programs.
            stays_in_group=deadline is _LOCAL,
        )
        if finished.timed_out:
            raise GitFailed(f"git {arguments[0]} did not end within {deadline}; it will be tried again.")
        return finished

    def read(self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
        """Run git and return what it wrote, without the end of the last line."""
        return os.fsdecode(self.read_bytes(*arguments, stdin=stdin, env=env)).rstrip("\n")

    def read_bytes(self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
        finished = self.attempt(*arguments, stdin=stdin, env=env)
        if not finished.succeeded or finished.truncated:
            raise GitFailed(f"git {arguments[0]} failed in {self.folder}.", _said(finished))
        return finished.stdout

    def succeeds(self, *arguments: str) -> bool:
        return self.attempt(*arguments).succeeded

    def commit_named(self, name: str) -> str | None:
        """Return the commit that a branch, ref or name means, or None when there is none."""
        finished = self.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return finished.stdout.decode().strip() if finished.succeeded else None

    def reach(self, access: Access, *arguments: str, keep_open: tuple[int, ...] = ()) -> Finished:
        """Run git against a remote; what keeps it from answering is raised, a refused push is returned."""
        with access.opened() as env:
            configured = _configuration([*self._settings, *access.settings])
            finished = self.attempt(*arguments, env=configured | env, deadline=_REMOTE, keep_open=keep_open)
        if not finished.succeeded and b"rejected]" not in finished.stdout:
            raise _translate(access.address, _said(finished))
        return finished


def branch_at(access: Access, branch: str) -> str | None:
    """Ask a remote for the newest commit of a branch, without a copy of it; None when there is no such branch."""
    here = Path.cwd()
    name = f"refs/heads/{branch}"
    asked = Git(here, repository=here).reach(access, "ls-remote", "--quiet", "--heads", "--", access.address, name)
    return asked.stdout.decode(errors="replace").partition("\t")[0] or None


def _environment() -> dict[str, str]:
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "/bin/false",
        "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
        "GIT_SSH_COMMAND": "ssh -o BatchMode=yes -o ConnectTimeout=20",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_AUTHOR_NAME": "WebOrdinary",
        "GIT_AUTHOR_EMAIL": "webordinary@localhost",
        "GIT_COMMITTER_NAME": "WebOrdinary",
        "GIT_COMMITTER_EMAIL": "webordinary@localhost",
    }
    return env | {name: os.environ[name] for name in _HANDED_ON if name in os.environ}


def _configuration(settings: Sequence[tuple[str, str]]) -> dict[str, str]:
    env = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return env


def _said(finished: Finished) -> str:
    return finished.stderr.decode(errors="replace").strip()


def _translate(remote: str, said: str) -> WebOrdinaryError:
    """Sort by what to do next: a person corrects the configuration, or the same call may work later."""
    shown = remote.rpartition("@")[2]  # never a password that stands in the address
    if _STRANGER.search(said):
        return Misconfigured(f"The server of {shown} is not known to us by its key; correct `git.known_hosts`.")
    if _LOCKED_OUT.search(said):
        return LockedOut(f"The repository {shown} does not let us in; correct its access in [git] or [project.git].")
    if _MISSING.search(said):
        return RepositoryGone(f"There is no git repository at {shown}; correct the project's repository.")
    if _AWAY.search(said):
        return Outage(f"The repository {shown} cannot be reached now; it will be tried again.")
    return GitFailed(f"Git could not exchange anything with {shown}; it will be tried again.", said)
