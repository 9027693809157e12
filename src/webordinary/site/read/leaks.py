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
    rb"s3://|gs://|(?:\.|//)s3(?:[.-][a-z0-9-]+){0,3}\.amazonaws\.com|X-Amz-Signature=|blob\.core\.windows\.net"
    rb"|X-Goog-Signature=",
    re.ASCII | re.IGNORECASE,
)
# What an address is made of; it is looked at only where something was found.
_ADDRESS_BEFORE = re.compile(rb"[\w.:/-]{0,80}\Z", re.ASCII)
_ADDRESS_AFTER = re.compile(rb"[\w.:/%?=&-]{0,200}", re.ASCII)
_SECRETS = re.compile(
    rb"AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|sk-ant-[A-Za-z0-9_-]{20,200}|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----"
    rb"|gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{30,200}|glpat-[A-Za-z0-9_-]{20,200}"
    rb"|[sr]k_live_[A-Za-z0-9]{20,200}|xox[abpr]-[A-Za-z0-9-]{20,200}|AIza[0-9A-Za-z_-]{35}",
    re.ASCII,
)
# What is found has no more letters than this, with those around it that belong to it.
_LONGEST, _BEFORE = 500, 80
_MOST = 1_000
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


def is_text(path: str) -> bool:
    """Tell whether a file is of a kind in which anybody could read a secret."""
    return path.lower().endswith(_TEXTS)


class Search:
    """Looks through one file part by part; what stands across the end of a part is found all the same."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._kept = b""
        # Up to here everything was looked at.
        self._seen = 0
        self.leaks: dict[str, Leak] = {}

    @property
    def is_full(self) -> bool:
        """Whether there is more than anybody would count: nothing further is looked for."""
        return len(self.leaks) >= _MOST

    def add(self, part: bytes, *, is_last: bool = False) -> None:
        content = self._kept + part
        end = len(content) if is_last else max(self._seen, len(content) - _LONGEST)
        for secrecy, pattern in ((Secrecy.SECRET, _SECRETS), (Secrecy.STORAGE_ADDRESS, _STORAGE)):
            for match in pattern.finditer(content, self._seen):
                if match.start() >= end or self.is_full:
                    break
                mark = hashlib.sha256(_whole(content, match)).hexdigest()[:16]
                self.leaks.setdefault(mark, Leak(secrecy, self._path, mark))
        first = max(0, end - _BEFORE)
        self._kept, self._seen = content[first:], end - first


def find_leaks(path: str, content: bytes) -> Iterator[Leak]:
    """Find what must never be public in one file."""
    if is_text(path):
        search = Search(path)
        search.add(content, is_last=True)
        yield from search.leaks.values()


def _whole(content: bytes, match: re.Match[bytes]) -> bytes:
    """Return the whole address that something was found in: two of the same bucket are two."""
    before = _ADDRESS_BEFORE.search(content[max(0, match.start() - _BEFORE) : match.start()])
    after = _ADDRESS_AFTER.match(content, match.end())
    return (before[0] if before else b"") + match[0] + (after[0] if after else b"")
