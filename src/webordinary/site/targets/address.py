"""The addresses of folders on other machines, as the configuration names them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from webordinary.routing.project import SshAccess
from webordinary.values import HostKey, Section, Variable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.site.targets.target import SiteTable

_ADDRESS = re.compile(
    r"(?:ssh://(?P<login>(?:[\w.-]+@)?[\w.-]+)(?::(?P<port>\d{1,5}))?(?P<path>/.+)"
    r"|(?P<short_login>(?:[\w.-]+@)?[\w.-]+):(?P<short_path>[^:]+))",
    re.ASCII,
)


_FTPS = re.compile(
    r"ftps://(?P<user>[^/\s\x00-\x1f]+)@(?P<host>[A-Za-z0-9][\w.-]*)(?::(?P<port>\d{1,5}))?(?P<path>(?:/[^\x00-\x1f]*)?)",
    re.ASCII,
)
_FTP_PORT = 21
_EITHER = (("ssh_key_file", "ssh_key_variable"), ("known_hosts", "host_keys"))


class SshKeys(Section, frozen=True, kw_only=True):
    """What lets us in at a server by SSH, and how it is known."""

    ssh_key_file: Path | None = None
    """For rsync and sftp: the private key, readable only by its owner and without a passphrase."""
    ssh_key_variable: Variable | None = None
    """The environment variable that holds that key; this or `ssh_key_file`."""
    known_hosts: Path | None = None
    """The servers that are believed to be who they say, in SSH's own format; else what this machine knows."""
    host_keys: tuple[HostKey, ...] = ()
    """The public keys of the server, such as `ssh-ed25519 AAAA…`; these or `known_hosts`."""

    @property
    def access(self) -> SshAccess:
        file, known = (None if path is None else str(path) for path in (self.ssh_key_file, self.known_hosts))
        return SshAccess(file, self.ssh_key_variable, known, self.host_keys)


@dataclass(frozen=True, slots=True)
class Remote:
    """Where a site lies: a login, a port if it is not the usual one, and a folder."""

    login: str
    port: str | None
    path: str

    @classmethod
    def read(cls, to: str) -> Remote:
        """Read `user@host:folder` or `ssh://user@host:port/folder`."""
        found = _ADDRESS.fullmatch(to)
        login = (found["login"] or found["short_login"]) if found else ""
        path = (found["path"] or found["short_path"]).rstrip("/") if found else ""
        if found is None or not path or path.startswith(("-", "~")) or login.startswith("-") or "@-" in login:
            raise ValueError('must be a folder on a server such as "scott@www.example.com:sites/amelia"')
        return cls(login, found["port"], path)


def complaints_about_ssh(site: SiteTable, target: str) -> Iterator[tuple[str, str]]:
    """Say what is wrong with a folder that is reached by SSH."""
    for one, other in _EITHER:
        if getattr(site, one) and getattr(site, other):
            yield other, f"cannot stand beside `{one}`; remove one of them"
    if site.to is None:
        yield "target", f'is "{target}", so `to` must name a folder such as "scott@www.example.com:sites/amelia"'
        return
    try:
        Remote.read(site.to)
    except ValueError as wrong:
        yield "to", str(wrong)


@dataclass(frozen=True, slots=True)
class FtpsPlace:
    """Where a site lies at an FTP server: a user, whose name often is a mail address, a host, a port and a folder."""

    user: str
    host: str
    port: int
    path: str

    @classmethod
    def read(cls, to: str) -> FtpsPlace:
        """Read `ftps://user@host:port/folder`."""
        found = _FTPS.fullmatch(to)
        if found is None or ":" in found["user"]:
            raise ValueError(
                'must be a folder at a server such as "ftps://amelia@ftp.example.com/public_html", without a password'
            )
        port = int(found["port"] or _FTP_PORT)
        return cls(unquote(found["user"]), found["host"], port, f"/{found['path'].strip('/')}")
