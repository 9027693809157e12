"""What lets git in at a remote: handed to one command by its environment, never by an argument or a file that stays."""

from __future__ import annotations

import os
import shlex
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

from webordinary.errors import Misconfigured
from webordinary.routing.project import GitAccess, is_local
from webordinary.workspace.ssh import read_secret, ssh_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.routing.project import SshAccess
    from webordinary.routing.secrets import Secrets

_USER, _TOKEN = "GIT_REMOTE_USER", "GIT_REMOTE_TOKEN"
# Git runs it with a shell, which is why it says nothing that comes from anywhere: the words are in the environment.
_ANSWER = f'!f() {{ test "$1" = get && printf "username=%s\\npassword=%s\\n" "${_USER}" "${_TOKEN}"; }}; f'


class Access:
    """The way to one repository.

    `address` is what git may be told, and everybody who lists processes may read: a password that stands in the
    configured address is taken out of it. `settings` say who answers a question for a password, and only for that
    server; the answer itself exists while `opened`.
    """

    def __init__(self, repository: str, git: GitAccess | None = None, secrets: Secrets | None = None) -> None:
        self._git = git or GitAccess()
        self._secrets = secrets
        self._is_web = repository.startswith(("https://", "http://"))
        self._is_ssh = not self._is_web and not is_local(repository) and not repository.startswith(("git:", "file:"))
        self.address, self._user, self._password = _take_apart(repository) if self._is_web else (repository, "", "")
        self.settings = self._answering() if self._has_token else ()

    @contextmanager
    def opened(self) -> Iterator[dict[str, str]]:
        """Give the environment of one command; what had to be written down for it is gone afterwards."""
        if self._has_token:
            yield self._token()
        elif self._is_ssh:
            with tempfile.TemporaryDirectory(prefix="webordinary-ssh-") as folder:
                yield {
                    "GIT_SSH_COMMAND": shlex.join(ssh_words(self._ssh(Path(folder)), Path(folder), "git")),
                    "GIT_SSH_VARIANT": "ssh",
                }
        else:
            yield {}

    @property
    def _has_token(self) -> bool:
        named = self._git.token_file or self._git.token_variable or self._git.secret
        return self._is_web and bool(named or self._password)

    def _answering(self) -> tuple[tuple[str, str], ...]:
        parts = urlsplit(self.address)
        if parts.scheme == "http" and not _is_loopback(parts.hostname or ""):
            raise Misconfigured(
                f"A token for {self.address} would be readable on its way; write https:// in the project's repository."
            )
        place = f"{parts.scheme}://{parts.netloc}"
        # The second saves a refusal in each exchange, where git knows it.
        return ((f"credential.{place}.helper", _ANSWER), (f"http.{place}.proactiveAuth", "basic"))

    def _token(self) -> dict[str, str]:
        git = self._git
        token = self._kept() or read_secret(git.token_file, git.token_variable, "git.token") or self._password
        if not token.isprintable():
            raise Misconfigured(f"The token for {self.address} must be one line; correct it where it lies.")
        return {_USER: self._user or git.user, _TOKEN: token}

    def _ssh(self, folder: Path) -> SshAccess:
        """Return what SSH needs; a key that the engine keeps is written down for as long as it is needed."""
        if self._git.secret is None:
            return self._git.ssh
        path = folder / "kept"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(self._kept() + "\n")
        return replace(self._git.ssh, ssh_key_file=str(path), ssh_key_variable=None)

    def _kept(self) -> str:
        """Return the secret that the engine keeps, if that is where it lies."""
        if self._git.secret is None:
            return ""
        if self._secrets is None:
            raise Misconfigured(f"The secret {self._git.secret} can only be read with the installation open; do that.")
        if not (found := self._secrets.read(self._git.secret).strip()):
            raise Misconfigured(f"The secret {self._git.secret} is empty; put it there again.")
        return found


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _take_apart(repository: str) -> tuple[str, str, str]:
    """Return an address without its user and password, and these two."""
    try:
        parts = urlsplit(repository)
    except ValueError:
        raise Misconfigured("The project's repository is no address that can be read; correct it.") from None
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2])
    return urlunsplit(bare), unquote(user), unquote(password)
