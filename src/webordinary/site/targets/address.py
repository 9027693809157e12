"""The address of a folder on another machine, as the configuration names it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ADDRESS = re.compile(
    r"(?:ssh://(?P<login>(?:[\w.-]+@)?[\w.-]+)(?::(?P<port>\d{1,5}))?(?P<path>/.+)"
    r"|(?P<short_login>(?:[\w.-]+@)?[\w.-]+):(?P<short_path>[^:]+))",
    re.ASCII,
)


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
