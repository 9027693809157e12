"""Who may log in at the mail listener: addresses with hashed passwords in a file, read again when it changes."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.errors import Misconfigured
from webordinary.routing.project import fold_address
from webordinary.routing.secrets import reading

if TYPE_CHECKING:
    from pathlib import Path

_KIND = "scrypt"
_COST, _BLOCK, _LANES = 2**15, 8, 1
# Twice what one hash needs; a line that asks for more is refused instead of believed.
_MOST_MEMORY = 2 * 128 * _COST * _BLOCK
_SALT, _LENGTH = 16, 32


@dataclass(frozen=True, slots=True)
class Hashed:
    """A password that nobody can read back."""

    salt: bytes = field(repr=False)
    made: bytes = field(repr=False)
    cost: int = _COST

    @classmethod
    def of(cls, password: str) -> Hashed:
        """Hash a new password, with a new salt."""
        salt = secrets.token_bytes(_SALT)
        return cls(salt, _derive(password, salt, _COST))

    @classmethod
    def read(cls, text: str) -> Hashed:
        """Read what `str` wrote."""
        kind, cost, salt, made = text.split("$")
        read = cls(b64decode(salt, validate=True), b64decode(made, validate=True), int(cost))
        if kind != _KIND or read.cost not in {_COST // 2, _COST} or len(read.made) != _LENGTH:
            raise ValueError("this is no password that we have hashed")
        return read

    def matches(self, password: str) -> bool:
        return hmac.compare_digest(_derive(password, self.salt, self.cost), self.made)

    def __str__(self) -> str:
        return "$".join((_KIND, str(self.cost), b64encode(self.salt).decode(), b64encode(self.made).decode()))


_NOBODY = Hashed(bytes(_SALT), bytes(_LENGTH))


@dataclass(slots=True)
class Users:
    """The users of one file."""

    path: Path
    _stamp: tuple[int, int] = (0, -1)
    _known: dict[str, Hashed] = field(default_factory=dict, repr=False)

    def log_in(self, name: str, password: str) -> str | None:
        """Return the address of who this is, or None; how long it takes does not tell whether the name exists."""
        self.look()
        user = fold_address(name)
        is_right = self._known.get(user, _NOBODY).matches(password)
        return user if is_right and user in self._known else None

    def look(self) -> int:
        """Read the file if it has changed, and say how many users it has, or which line is wrong."""
        with reading(lambda why: f"{self.path} cannot be read ({why}): correct smtp.users."):
            status = self.path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if stamp != self._stamp:
                self._known = dict(_read_line(number, line, self.path) for number, line in _lines(self.path))
                self._stamp = stamp
        return len(self._known)


def _derive(password: str, salt: bytes, cost: int) -> bytes:
    secret = password.encode("utf-8", "surrogateescape")
    return hashlib.scrypt(secret, salt=salt, n=cost, r=_BLOCK, p=_LANES, maxmem=_MOST_MEMORY, dklen=_LENGTH)


def _lines(path: Path) -> list[tuple[int, str]]:
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [(number, line) for number, line in enumerate(lines, start=1) if line and not line.startswith("#")]


def _read_line(number: int, line: str, path: Path) -> tuple[str, Hashed]:
    address, _, hashed = line.partition(":")
    try:
        return fold_address(address.strip()), Hashed.read(hashed.strip())
    except ValueError:
        # The line itself is not shown: it may hold a password that somebody forgot to hash.
        why = f"{path}, line {number}: this is no user; write the line that `webordinary password ADDRESS` prints."
        raise Misconfigured(why) from None
