"""What lets git in at a remote: handed to one command by its environment, never by an argument or a file that stays."""

from __future__ import annotations

import os
import shlex
import tempfile
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

from webordinary.errors import Misconfigured
from webordinary.routing.project import GitAccess, is_local

if TYPE_CHECKING:
    from collections.abc import Iterator

_USER, _TOKEN = "GIT_REMOTE_USER", "GIT_REMOTE_TOKEN"
# Git runs it with a shell, which is why it says nothing that comes from anywhere: the words are in the environment.
_ANSWER = f'!f() {{ test "$1" = get && printf "username=%s\\npassword=%s\\n" "${_USER}" "${_TOKEN}"; }}; f'
_BEHAVE = (
    *("BatchMode=yes", "ConnectTimeout=20", "PasswordAuthentication=no", "KbdInteractiveAuthentication=no"),
    *("ForwardAgent=no", "ControlMaster=no", "ControlPath=none", "PermitLocalCommand=no"),
)
_ALIAS = "repository"
_OTHERS_MAY_READ = 0o077


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
                yield {"GIT_SSH_COMMAND": shlex.join(self._ssh(Path(folder))), "GIT_SSH_VARIANT": "ssh"}
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
        token = _read(git.token_file, git.token_variable, "token") or self._password
        if not token.isprintable():
            raise Misconfigured(f"The token for {self.address} must be one line; correct it where it lies.")
        return {_USER: self._user or git.user, _TOKEN: token}

    def _ssh(self, folder: Path) -> list[str]:
        git, options = self._git, list(_BEHAVE)
        command = ["ssh"]
        key = self._key(folder)
        if key is not None:
            # With a key of its own nothing of the account that runs us is asked: neither its agent nor its settings.
            command += ["-F", "none", "-i", str(key)]
            options += ["IdentitiesOnly=yes", "IdentityAgent=none"]
        if git.host_keys:
            known = folder / "known_hosts"
            known.write_text("".join(f"{_ALIAS} {each}\n" for each in git.host_keys), encoding="ascii")
            options += [*_only(known), f"HostKeyAlias={_ALIAS}"]
        elif git.known_hosts is not None:
            if not Path(git.known_hosts).is_file():
                raise Misconfigured(f"There is no file {git.known_hosts}; correct `git.known_hosts`.")
            options += _only(Path(git.known_hosts))
        return [*command, *(word for each in options for word in ("-o", each))]

    def _key(self, folder: Path) -> Path | None:
        """Return the file of the key; one from a variable is written down for as long as it is needed."""
        git = self._git
        if git.ssh_key_file is not None:
            path = Path(git.ssh_key_file)
            _read(git.ssh_key_file, None, "ssh_key")
            if path.stat().st_mode & _OTHERS_MAY_READ:
                raise Misconfigured(f"Others may read the key {path}, so SSH does not use it; chmod 600 it.")
            return path
        if git.ssh_key_variable is None:
            return None
        path = folder / "key"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(_read(None, git.ssh_key_variable, "ssh_key") + "\n")
        return path


def _only(known: Path) -> list[str]:
    return [f'UserKnownHostsFile="{known}"', "GlobalKnownHostsFile=/dev/null", "StrictHostKeyChecking=yes"]


def _read(file: str | None, variable: str | None, what: str) -> str:
    """Read a secret from where it lies, each time anew because it may be renewed while we run."""
    if variable is not None:
        if not (found := os.environ.get(variable, "").strip()):
            raise Misconfigured(f"The variable {variable} is empty; set it, or correct `git.{what}_variable`.")
        return found
    if file is None:
        return ""
    try:
        found = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise Misconfigured(f"{file} cannot be read ({why}); correct `git.{what}_file`.") from None
    if not found:
        raise Misconfigured(f"The file {file} is empty; correct `git.{what}_file`.")
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
