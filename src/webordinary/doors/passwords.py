"""Passwords that nobody can read back, and files that hold one of them on each line."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from webordinary.errors import Misconfigured
from webordinary.routing.project import fold_address
from webordinary.routing.secrets import reading

if TYPE_CHECKING:
    from collections.abc import Callable
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


NOBODY = Hashed(bytes(_SALT), bytes(_LENGTH))
User = TypeVar("User")


@dataclass(slots=True)
class PasswordFile(Generic[User]):
    """People by their folded addresses, one on each line; read again when the file changes."""

    path: Path
    # Whose key names the file, and what prints its lines: for the sentence about a line that is wrong.
    key: str
    maker: str
    # Reads what stands behind the address and its colon; a ValueError says that it is no such thing.
    read_user: Callable[[str], User] = field(repr=False)
    _stamp: tuple[int, int] = (0, -1)
    _known: dict[str, User] = field(default_factory=dict, repr=False)

    def look(self) -> dict[str, User]:
        """Return who is in the file now, or say which line is wrong."""
        with reading(lambda why: f"{self.path} cannot be read ({why}): correct {self.key}."):
            status = self.path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if stamp != self._stamp:
                self._known = dict(self._read_line(number, line) for number, line in _lines(self.path))
                self._stamp = stamp
        return self._known

    def _read_line(self, number: int, line: str) -> tuple[str, User]:
        address, _, rest = line.partition(":")
        try:
            return fold_address(address.strip()), self.read_user(rest.strip())
        except ValueError:
            # The line itself is not shown: it may hold a password that somebody forgot to hash.
            why = f"{self.path}, line {number}: this is no user; write the line that `{self.maker}` prints."
            raise Misconfigured(why) from None


def _derive(password: str, salt: bytes, cost: int) -> bytes:
    secret = password.encode("utf-8", "surrogateescape")
    return hashlib.scrypt(secret, salt=salt, n=cost, r=_BLOCK, p=_LANES, maxmem=_MOST_MEMORY, dklen=_LENGTH)


def _lines(path: Path) -> list[tuple[int, str]]:
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [(number, line) for number, line in enumerate(lines, start=1) if line and not line.startswith("#")]
