"""The kinds of text that a configuration may hold, each read in one place and refused in plain words.

Every complaint is the rest of a sentence that begins with the key's name.
"""

from __future__ import annotations

import math
import re
import shlex
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from webordinary.languages import codes
from webordinary.routing.lane import ID_RULE, is_id

if TYPE_CHECKING:
    from collections.abc import Iterable


# Above a million a number is a slip of the finger, and a budget of "inf" would be no limit at all.
Whole = Annotated[int, Meta(ge=0, le=1_000_000)]
AtLeastOne = Annotated[int, Meta(ge=1, le=1_000_000)]


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table of the file."""


_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|[0-9a-fA-F:.]{2,45}", re.ASCII)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}", re.ASCII)
_HOST_KEY = re.compile(r"(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[a-z0-9@.-]+ [A-Za-z0-9+/]{20,2000}={0,3}", re.ASCII)
_SERVER = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?", re.ASCII)


class Host(str):
    """The name or the number of a machine."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Host:
        text = text_of(value)
        if not _HOST.fullmatch(text):
            raise ValueError(f'must be a host such as "imap.example.com", without a port, not {text[:60]!r}')
        return cls(text)


class Variable(str):
    """The name of an environment variable."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Variable:
        text = text_of(value)
        if not _VARIABLE.fullmatch(text):
            raise ValueError('must be the name of a variable such as "BAKERY_IMAP_PASSWORD", without its value')
        if text.startswith("WEBORDINARY_"):
            raise ValueError("must not begin with WEBORDINARY_, because those variables set keys")
        return cls(text)


class HostKey(str):
    """The public key by which a server is known."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> HostKey:
        text = " ".join(text_of(value).split()[:2])
        if not _HOST_KEY.fullmatch(text):
            raise ValueError('must be the public key of a server such as "ssh-ed25519 AAAA…", without its host')
        return cls(text)


class ServerName(str):
    """The name that a mail server gives itself."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> ServerName:
        text = text_of(value).strip()
        if not _SERVER.fullmatch(text):
            raise ValueError(f'must be the name of a mail server such as "mx.example.com", not {text[:60]!r}')
        return cls(text.lower())


_UNITS = {
    "ms": 0.001,
    **dict.fromkeys(("s", "second", "seconds"), 1),
    **dict.fromkeys(("min", "minute", "minutes"), 60),
    **dict.fromkeys(("h", "hour", "hours"), 3600),
    **dict.fromkeys(("d", "day", "days"), 86400),
}
_DURATION = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)\s*([a-z]*)", re.ASCII)
_LONGEST = timedelta(days=36500)
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})*", re.ASCII)
_ADDRESS = re.compile(r"[^\s@<>(),;:\"\\\x00-\x1f\x7f]{1,64}@[^\s@<>(),;:\"\\\x00-\x1f\x7f]{1,253}")
_BRANCH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/-]{0,199}", re.ASCII)
_LOOPBACK = re.compile(r"127(?:\.\d{1,3}){3}", re.ASCII)
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SHELL_WORDS = frozenset({"&&", "||", "|", ";", "&", ">", ">>", "<", "2>&1"})
_HIGHEST_PORT = 65535


class Duration(timedelta):
    """A length of time: a number of seconds, or a number with its unit."""

    @classmethod
    def read(cls, value: object) -> Duration:
        """Read `30`, `"30 s"`, `"30 min"`, `"24 h"` or `"30 days"`."""
        seconds = _seconds(value)
        if seconds is None or not math.isfinite(seconds) or seconds < 0:
            raise ValueError('must be a duration such as "30 s", "30 min", "24 h", "30 days" or a number of seconds')
        if seconds > _LONGEST.total_seconds():
            raise ValueError("is longer than a hundred years")
        return cls(seconds=seconds)


def _seconds(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        # A number too large for a float is too long anyway, and one far below zero is just as wrong as -1.
        return float(max(-1.0, min(value, 1e15)))
    found = _DURATION.fullmatch(value.strip().lower()) if isinstance(value, str) else None
    if found is None:
        return None
    factor = _UNITS.get(found[2] or "s")
    return None if factor is None else float(found[1]) * factor


class Listen(tuple[str, int]):
    """The host and the port of a listener; port 0 lets the machine choose a free one."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Listen:
        """Read `"127.0.0.1:2525"` or `"[::1]:2525"`."""
        host, _, port = text_of(value).rpartition(":")
        bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
        numeric = port.isascii() and port.isdigit() and len(port) <= len(str(_HIGHEST_PORT))
        if not bare or (":" in bare and bare == host) or not numeric or int(port) > _HIGHEST_PORT:
            raise ValueError('must be a host and a port such as "127.0.0.1:2525" or "[::1]:2525"')
        return cls((bare, int(port)))

    @property
    def host(self) -> str:
        return self[0]

    @property
    def port(self) -> int:
        return self[1]

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the listener."""
        return self.host in {"localhost", "::1"} or _LOOPBACK.fullmatch(self.host) is not None

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Id(str):
    """The name of a project or of a user."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Id:
        text = text_of(value)
        if not is_id(text):
            raise ValueError(f"{ID_RULE}, not {text[:60]!r}")
        return cls(text)


class Title(str):
    """A name that people read; it may stand in the header of a mail, so it has one line."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Title:
        text = text_of(value)
        if not text.strip() or CONTROL.search(text):
            raise ValueError(f"must be a text on one line, not {text[:60]!r}")
        return cls(text)


class LanguageCode(str):
    """The two letters of a language that answers can be written in."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> LanguageCode:
        text = text_of(value)
        if text not in codes():
            raise ValueError(f"must be {one_of(codes())}, not {text[:60]!r}")
        return cls(text)


def one_of(words: Iterable[str]) -> str:
    """Return the values that a key may have: "a", "b" or "c"."""
    *others, last = (f'"{word}"' for word in words)
    return " or ".join(filter(None, (", ".join(others), last)))


class Address(str):
    """A bare mail address, without a display name."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Address:
        text = text_of(value)
        if not _ADDRESS.fullmatch(text):
            raise ValueError(f'must be one mail address such as "scott@example.com", not {text[:60]!r}')
        return cls(text)


class Domain(str):
    """A mail domain in its ASCII form."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Domain:
        text = text_of(value).lower()
        if len(text) > 253 or not _DOMAIN.fullmatch(text):  # noqa: PLR2004 - the limit of DNS
            raise ValueError(f'must be a domain such as "edit.example.com" in ASCII letters, not {text[:60]!r}')
        return cls(text)


class Timezone(str):
    """The name of a time zone."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Timezone:
        text = text_of(value)
        if not _zone_is_known(text):
            known = 'must be the name of a time zone such as "Europe/Berlin" or "UTC", not '
            missing = "cannot be checked because this machine has no time zone data; install tzdata for "
            raise ValueError((known if _zone_is_known("UTC") else missing) + repr(text[:60]))
        return cls(text)


def _zone_is_known(name: str) -> bool:
    # Imported here because a third of this module's import time is zoneinfo's.
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - slow to import

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        # A folder of zones ("Europe") is an OSError on some versions and a KeyError on others.
        return False
    return True


class Branch(str):
    """The name of a project's live branch."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Branch:
        text = text_of(value)
        broken = ".." in text or "//" in text or "/." in text or text.endswith(("/", ".", ".lock"))
        if broken or not _BRANCH.fullmatch(text):
            raise ValueError(f'must be the name of a git branch such as "main", not {text[:60]!r}')
        if text.startswith("thread-"):
            raise ValueError("must not begin with thread-, because those branches belong to mail threads")
        return cls(text)


class Repository(str):
    """A git repository: a folder or an address that git can clone."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Repository:
        text = text_of(value)
        # A leading hyphen would be an option to git, and `helper::` lets an address run a program.
        if not text.strip() or text.startswith("-") or "::" in text.partition("/")[0] or CONTROL.search(text):
            raise ValueError('must be a folder or a git address such as "https://git.example.com/amelia.git"')
        read_path(text)
        return cls(text)


class Approver(str):
    """Who may approve: an editor's user or a mail address."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Approver:
        text = text_of(value)
        return cls(text if is_id(text) else Address.read(text))


class PublishPlace(str):
    """The place that a site is published to."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> PublishPlace:
        text = text_of(value)
        if not text.strip() or text.startswith("-") or CONTROL.search(text):
            raise ValueError('must be a folder such as "sites/amelia" or an address')
        read_path(text)
        return cls(text)


class InsidePath(str):
    """A path or a pattern inside the repository."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> InsidePath:
        text = text_of(value)
        if not text or text.startswith(("/", "-", "~")) or ".." in text.split("/") or CONTROL.search(text):
            raise ValueError(f"must be a path inside the repository, not {text[:60]!r}")
        return cls(text)


class Command(tuple[str, ...]):
    """A program and its arguments; no shell ever sees them."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Command:
        """Read a list of words, or one line that is split into words like a shell does."""
        words = _split(value) if isinstance(value, str) else value
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise ValueError('must be a command such as "npm run build" or ["npm", "run", "build"]')
        if any("\0" in word for word in words) or (words and not words[0].strip()):
            raise ValueError("must begin with a program and have no zero bytes")
        return cls(words)


def _split(line: str) -> list[str]:
    try:
        words = shlex.split(line)
    except ValueError:
        raise ValueError("has a quotation mark that is not closed") from None
    if found := _SHELL_WORDS.intersection(words):
        raise ValueError(f'has {min(found)!r}, but no shell runs it; write ["sh", "-c", "…"] if you need one')
    return words


class WebAddress(str):
    """The address of a web page."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> WebAddress:
        text = text_of(value)
        scheme, _, rest = text.partition("://")
        is_odd = re.search(r"[\s<>\"]", text) or not _has_a_host(text)
        if scheme.lower() not in {"http", "https"} or not rest.strip("/") or is_odd:
            raise ValueError(f'must be an address such as "https://www.example.com/", not {text[:60]!r}')
        return cls(text)


def _has_a_host(address: str) -> bool:
    try:
        return bool(urlsplit(address).netloc)
    except ValueError:
        return False


class PreviewAddress(WebAddress):
    """The address of a preview, with places for the thread's and the project's name."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> PreviewAddress:
        text = WebAddress.read(value)
        places = re.findall(r"\{([^{}]*)\}", text)
        if "thread" not in places or not {"thread", "project"}.issuperset(places):
            raise ValueError('must have {thread} and may have {project}: "https://{thread}.{project}.example.com/"')
        return cls(text)


def read_path(text: str) -> Path:
    """Read a path of this machine, which may begin with `~`."""
    if not text.strip() or CONTROL.search(text):
        raise ValueError('must be a path such as "data"')
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError("begins with the home folder of somebody whom this machine does not know") from None


def text_of(value: object) -> str:
    """Return the value if it is a text."""
    if not isinstance(value, str):
        raise TypeError("must be a text in quotation marks")
    return value
