"""A mail as a signature sees it: header lines byte for byte, and the hash of its body, in linear time.

The library's own reading splits the whole mail into lines and needs quadratic time for long runs of spaces; a sender
chooses what we read, so both are done here, piece by piece.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webordinary.mail.mime.parts import HEADER_BLOCK_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

# Honest mails have a few dozen header lines; selecting the signed ones costs their number times that of the names.
MOST_HEADERS = 500
_PIECE = 256 * 1024
_NAME = re.compile(rb"([!-9;-~]+):")
_ENVELOPE_LINE = re.compile(rb"From [ \t]*[^ \t:]")


@dataclass(frozen=True, slots=True)
class SignedForm:
    """Names and values of the headers in their order, values with their line ends, and where the body begins."""

    headers: tuple[tuple[bytes, bytes], ...]
    body: memoryview
    # Five signatures must not cost five times a large mail.
    _hashes: dict[bool, bytes] = field(default_factory=dict, compare=False, repr=False)

    def values(self, name: bytes) -> list[bytes]:
        return [value for known, value in self.headers if known.lower() == name]

    def body_hash(self, *, relaxed: bool) -> bytes:
        """Return the SHA-256 of the body in the form that a signature asks for."""
        if relaxed not in self._hashes:
            digest = hashlib.sha256()
            for piece in _canonical_pieces(self.body, relaxed=relaxed):
                digest.update(piece)
            self._hashes[relaxed] = digest.digest()
        return self._hashes[relaxed]


def read_signed_form(raw: bytes) -> SignedForm | None:
    """Return the mail for checking signatures, or None when two programs could read its headers differently."""
    headers: list[tuple[bytes, list[bytes]]] = []
    for start, end, line in _header_lines(raw):
        if not line:
            joined = tuple((name, b"\r\n".join((*lines, b""))) for name, lines in headers)
            return SignedForm(joined, memoryview(raw)[end:])
        if b"\r" in line or b"\0" in line or len(headers) > MOST_HEADERS:
            return None
        name = _NAME.match(line)
        if line[:1] in {b" ", b"\t"} and headers:
            headers[-1][1].append(line)
        elif name:
            headers.append((name[1], [line[name.end() :]]))
        elif start or not _ENVELOPE_LINE.match(line):
            # Only the envelope line of a mailbox file may stand before the headers.
            return None
    return None


def _header_lines(raw: bytes) -> Iterator[tuple[int, int, bytes]]:
    start = 0
    while start < min(len(raw), HEADER_BLOCK_LIMIT):
        found = raw.find(b"\n", start, HEADER_BLOCK_LIMIT)
        end = found + 1 if found >= 0 else min(len(raw), HEADER_BLOCK_LIMIT)
        yield start, end, raw[start:end].removesuffix(b"\n").removesuffix(b"\r")
        start = end
    if len(raw) <= HEADER_BLOCK_LIMIT:
        # A mail without a body may end right after its headers.
        yield start, len(raw), b""


def _canonical_pieces(body: memoryview, *, relaxed: bool) -> Iterator[bytes]:
    canon, held = _Canon(relaxed=relaxed), b""
    for start in range(0, len(body), _PIECE):
        piece = held + bytes(body[start : start + _PIECE])
        # Whether a last CR belongs to a line end is known only with the next piece.
        held = b"\r" if piece.endswith(b"\r") else b""
        yield canon.take(piece.removesuffix(held))
    yield canon.take(held)
    yield canon.end()


@dataclass(slots=True)
class _Canon:
    """The canonical form of a body, piece by piece: blank lines and a space wait for what comes after them."""

    relaxed: bool
    lines: int = 0
    space: bool = False
    is_empty: bool = True

    def take(self, piece: bytes) -> bytes:
        content = piece.replace(b"\r\n", b"\n")
        if self.relaxed:
            content = _one_space(b" " + content if self.space else content).replace(b" \n", b"\n")
            self.space = content.endswith(b" ")
            content = content.removesuffix(b" ")
        core = content.rstrip(b"\n")
        waited = b"\r\n" * self.lines if core else b""
        self.lines = len(content) - len(core) + (0 if core else self.lines)
        self.is_empty = self.is_empty and not core
        return waited + core.replace(b"\n", b"\r\n")

    def end(self) -> bytes:
        """Return what follows the last words: blank lines at the very end do not count."""
        if self.space:
            return b"\r\n" * self.lines + b" \r\n"
        return b"" if self.is_empty and self.relaxed else b"\r\n"


def _one_space(content: bytes) -> bytes:
    content = content.replace(b"\t", b" ")
    while b"  " in content:
        content = content.replace(b"  ", b" ")
    return content
