"""What lets git in at a remote: handed to one command by its environment, never by an argument or a file that stays."""

from __future__ import annotations

import shlex
import tempfile
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

from webordinary.errors import Misconfigured
from webordinary.routing.project import GitAccess, is_local
from webordinary.workspace.ssh import read_secret, ssh_words

if TYPE_CHECKING:
    from collections.abc import Iterator

_USER, _TOKEN = "GIT_REMOTE_USER", "GIT_REMOTE_TOKEN"
# Git runs it with a shell, which is why it says nothing that comes from anywhere: the words are in the environment.
_ANSWER = f'!f() {{ test "$1" = get && printf "username=%s\\npassword=%s\\n" "${_USER}" "${_TOKEN}"; }}; f'


class Access:
    """The way to one repository.

    `address` is what git may be told, and everybody who lists processes may read: a password that stands in the
    configured address is taken out of it. `settings` say who answers a question for a password, and only for that
    server; the answer itself exists while `opened`.
    """

    def __init__(self, repository: str, git: GitAccess | None = None) -> None:
        self._git = git or GitAccess()
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
                    "GIT_SSH_COMMAND": shlex.join(ssh_words(self._git.ssh, Path(folder), "git")),
                    "GIT_SSH_VARIANT": "ssh",
                }
        else:
            yield {}

    @property
    def _has_token(self) -> bool:
        named = self._git.token_file or self._git.token_variable
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
        token = read_secret(git.token_file, git.token_variable, "git.token") or self._password
        if not token.isprintable():
            raise Misconfigured(f"The token for {self.address} must be one line; correct it where it lies.")
        return {_USER: self._user or git.user, _TOKEN: token}


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
