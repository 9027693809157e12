"""What must never be on a public site: secrets, and addresses of storage that is not public."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_STORAGE = re.compile(
    r"s3://|gs://|(?:\.|//)s3(?:[.-][a-z0-9-]+){0,3}\.amazonaws\.com|X-Amz-Signature=|blob\.core\.windows\.net"
    r"|X-Goog-Signature=",
    re.ASCII | re.IGNORECASE,
)
# What an address is made of; it is looked at only where something was found.
_ADDRESS_BEFORE = re.compile(r"[\w.:/-]{0,80}\Z", re.ASCII)
_ADDRESS_AFTER = re.compile(r"[\w.:/%?=&-]{0,200}", re.ASCII)
_SECRETS = re.compile(
    r"AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|sk-ant-[A-Za-z0-9_-]{20,}|-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"|gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_-]{20,}|[sr]k_live_[A-Za-z0-9]{20,}|xox[abpr]-[A-Za-z0-9-]{20,}|AIza[0-9A-Za-z_-]{35}",
    re.ASCII,
)
_TEXTS = (".html", ".htm", ".xhtml", ".js", ".mjs", ".css", ".json", ".xml", ".txt", ".svg", ".md", ".map", ".csv")


class Secrecy(StrEnum):
    """What was found."""

    SECRET = "secret"  # noqa: S105 - the name of a problem
    STORAGE_ADDRESS = "storage_address"


@dataclass(frozen=True, slots=True)
class Leak:
    """Something of which nobody should know, and the file in which it stands; the mark names it without telling it."""

    secrecy: Secrecy
    path: str
    mark: str


def find_leaks(path: str, content: bytes) -> Iterator[Leak]:
    """Find what must never be public in one file."""
    if not path.lower().endswith(_TEXTS):
        return
    text = content.decode(errors="replace")
    for secrecy, pattern in ((Secrecy.SECRET, _SECRETS), (Secrecy.STORAGE_ADDRESS, _STORAGE)):
        for found in dict.fromkeys(_whole(text, match) for match in pattern.finditer(text)):
            yield Leak(secrecy, path, hashlib.sha256(found.encode()).hexdigest()[:16])


def _whole(text: str, match: re.Match[str]) -> str:
    """Return the whole address that something was found in: two of the same bucket are two."""
    before = _ADDRESS_BEFORE.search(text[max(0, match.start() - 80) : match.start()])
    after = _ADDRESS_AFTER.match(text, match.end())
    return f"{before[0] if before else ''}{match[0]}{after[0] if after else ''}"
