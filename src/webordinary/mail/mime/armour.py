"""The envelopes that signing programs put around a mail: opened where that needs no key."""

from __future__ import annotations

import re

PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"
_PGP_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_PGP_END = "-----END PGP SIGNATURE-----"
_PGP_FIELD = re.compile(r"(?:Hash|Charset|Comment|Version|NotDashEscaped)\b[^\n]{0,200}\Z")

_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_PLAIN_DATA = bytes.fromhex("2a864886f70d010701")
_SEQUENCE, _OBJECT_ID, _OCTETS, _OCTETS_IN_PIECES, _CONTENT = 0x30, 0x06, 0x04, 0x24, 0xA0
_DEEPEST = 8
_MOST_PIECES = 100_000
_LONGEST_LENGTH = 4


def has_armour(text: str) -> bool:
    """Tell whether a line of this text begins what only the holder of a key can read."""
    return PGP_MESSAGE in text and any(line.strip() == PGP_MESSAGE for line in text.split("\n"))


def strip_pgp_signature(text: str) -> str:
    """Return the text without the armour of a signature written into it; the words outside of it stay."""
    if _PGP_SIGNED not in text:
        return text
    before, _, rest = text.partition(_PGP_SIGNED)
    signed, signature, after = rest.partition(_PGP_SIGNATURE)
    if not signature:
        return text
    lines = signed.lstrip("\n").split("\n")
    while lines and _PGP_FIELD.match(lines[0]):
        lines.pop(0)
    body = "\n".join(line.removeprefix("- ") for line in lines).strip("\n")
    return "\n".join(part for part in (before.rstrip("\n"), body, after.partition(_PGP_END)[2]) if part)


class _Unclear(ValueError):
    """Not the structure that was expected here."""


def read_pkcs7(content: bytes) -> bytes | None:
    """Return the mail inside a signed S/MIME envelope, or None: it is encrypted, or no such envelope."""
    try:
        return _signed_content(memoryview(content))
    except (_Unclear, IndexError):
        return None


def _signed_content(raw: memoryview) -> bytes:
    envelope = _inside(raw, _SEQUENCE)
    kind, position = _element(envelope, 0, _OBJECT_ID)
    if bytes(kind) != _SIGNED_DATA:
        raise _Unclear
    signed = _inside(_element(envelope, position, _CONTENT)[0], _SEQUENCE)
    _, position = _any_element(signed, 0)
    _, position = _any_element(signed, position)
    wrapped, _ = _element(signed, position, _SEQUENCE)
    kind, position = _element(wrapped, 0, _OBJECT_ID)
    if bytes(kind) != _PLAIN_DATA:
        raise _Unclear
    return b"".join(_octets(_element(wrapped, position, _CONTENT)[0], 0))


def _inside(raw: memoryview, tag: int) -> memoryview:
    return _element(raw, 0, tag)[0]


def _element(raw: memoryview, position: int, tag: int) -> tuple[memoryview, int]:
    """Return the content of the element that must stand here, and where the next one begins."""
    if raw[position] != tag:
        raise _Unclear
    return _any_element(raw, position)


def _any_element(raw: memoryview, position: int) -> tuple[memoryview, int]:
    start, length = _length(raw, position + 1)
    if length is None:
        end = _end_of_open(raw, start, 0)
        return raw[start : end - 2], end
    if start + length > len(raw):
        raise _Unclear
    return raw[start : start + length], start + length


def _length(raw: memoryview, position: int) -> tuple[int, int | None]:
    """Return where the content begins and how long it is; None when only its end is marked."""
    first = raw[position]
    if first < 0x80:  # noqa: PLR2004 - the highest bit says that the length itself follows
        return position + 1, first
    size = first & 0x7F
    if size == 0:
        return position + 1, None
    if size > _LONGEST_LENGTH:
        raise _Unclear
    return position + 1 + size, int.from_bytes(raw[position + 1 : position + 1 + size], "big")


def _end_of_open(raw: memoryview, position: int, depth: int) -> int:
    """Return where an element ends whose length is not given: behind two zero bytes on its own level."""
    if depth > _DEEPEST:
        raise _Unclear
    while raw[position] != 0 or raw[position + 1] != 0:
        start, length = _length(raw, position + 1)
        position = _end_of_open(raw, start, depth + 1) if length is None else start + length
    return position + 2


def _octets(raw: memoryview, depth: int) -> list[bytes]:
    """Return the pieces of a string of bytes, which may be one or many inside of each other."""
    if depth > _DEEPEST:
        raise _Unclear
    found: list[bytes] = []
    position = 0
    while position < len(raw) and len(found) < _MOST_PIECES:
        tag = raw[position]
        content, position = _any_element(raw, position)
        if tag == _OCTETS:
            found.append(bytes(content))
        elif tag == _OCTETS_IN_PIECES:
            found += _octets(content, depth + 1)
        else:
            raise _Unclear
    return found
